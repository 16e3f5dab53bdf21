/* SignalFftAutoScale: shifts a block of audio up as far as its largest value allows, and says by how many bits. */
#include "audio_frontend.h"
#include "helia_signal_fft_auto_scale.h"

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const SignalOperand in[] = {{"input", SIGNAL_TYPE(AIR_S16), 1, 1}};
    static const SignalOperand out[] = {{"output", SIGNAL_TYPE(AIR_S16), 1, 1}, {"scale", SIGNAL_TYPE(AIR_S32), 0, 0}};
    if (!signal_operands(c, n, in, out))
        return false;
    bool ok = signal_shape(c, n, 0, 1, n->in[0]->dim);
    return signal_shape(c, n, 1, 0, n->in[0]->dim) && ok;
}

static bool prepare(const HeliaOpContext *c, AirNode *n)
{
    helia_signal_fft_auto_scale_params *p = HELIA_NEW(c->arena, helia_signal_fft_auto_scale_params);
    p->count = n->in[0]->dim[0];
    n->params = p;
    signal_args(c, n);
    return true;
}

static const HeliaKernel kernels[] = {
    {.symbol = "helia_signal_fft_auto_scale_s16_c",
     .file = "helia_signal_fft_auto_scale_s16_c.c",
     .types = "int16",
     .fits = signal_fits,
     .prepare = prepare},
};

static void print(HeliaOut *o, const void *params)
{
    const helia_signal_fft_auto_scale_params *p = params;
    PRINT_INT(o, p, count);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_signal_fft_auto_scale_params", print);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    helia_signal_fft_auto_scale_s16_c(n->params, helia_eval_ptr(v, n->in[0]), helia_eval_ptr(v, n->out[0]),
                                      helia_eval_ptr(v, n->out[1]));
    return true;
}

static const HeliaOpClass op_class = {
    .type = "SIGNALFFTAUTOSCALE",
    .doc = "audio shifted up to the full range, and by how many bits",
    .traits = HELIA_OP_INPLACE,
    .min_in = 1,
    .max_in = 1,
    .n_out = 2,
    .on_resolve = resolve,
    .kernels = kernels,
    .n_kernels = SIGNAL_COUNT(kernels),
    .emit = emit,
    .eval = eval,
};

const SignalOp signal_fft_auto_scale = {&op_class, NULL};
