/* SignalWindow: audio times a window function, block by block of the window's length. */
#include "audio_frontend.h"
#include "helia_signal_window.h"

typedef struct WindowOptions {
    int32_t shift;
} WindowOptions;

static const HeliaField fields[] = {SIGNAL_INT(WindowOptions, shift)};
static const HeliaOptionsClass options_class = {"SignalWindowOptions", sizeof(WindowOptions), fields,
                                                SIGNAL_COUNT(fields)};

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const SignalOperand in[] = {{"audio", SIGNAL_TYPE(AIR_S16), 1, AIR_MAX_RANK},
                                       {"window", SIGNAL_TYPE(AIR_S16), 1, 1}};
    static const SignalOperand out[] = {{"output", SIGNAL_TYPE(AIR_S16), 1, AIR_MAX_RANK}};
    const WindowOptions *o = n->options;
    bool ok = signal_range(c, n, "shift", o->shift, 0, 31);
    if (!signal_operands(c, n, in, out))
        return false;
    if (air_count(n->in[0]) % air_count(n->in[1]) != 0)
        ok = signal_fail(c, n, "the audio has shape %s and the window %s; expected a multiple of the window's length",
                         air_shape_text(c->arena, n->in[0]), air_shape_text(c->arena, n->in[1]));
    return signal_shape(c, n, 0, n->in[0]->rank, n->in[0]->dim) && ok;
}

static bool prepare(const HeliaOpContext *c, AirNode *n)
{
    const WindowOptions *o = n->options;
    helia_signal_window_params *p = HELIA_NEW(c->arena, helia_signal_window_params);
    p->length = n->in[1]->dim[0];
    p->blocks = (int32_t)air_count(n->in[0]) / p->length;
    p->shift = o->shift;
    n->params = p;
    signal_args(c, n);
    return true;
}

static const HeliaKernel kernels[] = {
    {.symbol = "helia_signal_window_s16_c",
     .file = "helia_signal_window_s16_c.c",
     .types = "int16",
     .fits = signal_fits,
     .prepare = prepare},
};

static void print(HeliaOut *o, const void *params)
{
    const helia_signal_window_params *p = params;
    PRINT_INT(o, p, blocks);
    PRINT_INT(o, p, length);
    PRINT_INT(o, p, shift);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_signal_window_params", print);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    helia_signal_window_s16_c(n->params, helia_eval_ptr(v, n->in[0]), helia_eval_ptr(v, n->in[1]),
                              helia_eval_ptr(v, n->out[0]));
    return true;
}

static const HeliaOpClass op_class = {
    .type = "SIGNALWINDOW",
    .doc = "audio times a window function",
    .traits = HELIA_OP_INPLACE,
    .min_in = 2,
    .max_in = 2,
    .n_out = 1,
    .on_resolve = resolve,
    .kernels = kernels,
    .n_kernels = SIGNAL_COUNT(kernels),
    .emit = emit,
    .eval = eval,
};

const SignalOp signal_window = {&op_class, &options_class};
