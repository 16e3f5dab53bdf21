/* SignalPCAN: per-channel amplitude normalisation, with a table of gains made for it. */
#include "audio_frontend.h"
#include "helia_signal_pcan.h"

typedef struct PcanOptions {
    int32_t snr_shift;
} PcanOptions;

static const HeliaField fields[] = {SIGNAL_INT(PcanOptions, snr_shift)};
static const HeliaOptionsClass options_class = {"SignalPCANOptions", sizeof(PcanOptions), fields, SIGNAL_COUNT(fields)};

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const SignalOperand in[] = {{"signal", SIGNAL_TYPE(AIR_U32), 1, 1},
                                       {"noise estimate", SIGNAL_TYPE(AIR_U32), 1, 1},
                                       {"table of gains", SIGNAL_TYPE(AIR_S16), 1, 1}};
    static const SignalOperand out[] = {{"output", SIGNAL_TYPE(AIR_U32), 1, 1}};
    const PcanOptions *o = n->options;
    bool ok = signal_range(c, n, "snr_shift", o->snr_shift, 0, 63);
    if (!signal_operands(c, n, in, out))
        return false;
    if (!air_same_shape(n->in[0], n->in[1]))
        ok = signal_fail(c, n, "the noise estimate has %d elements; expected %d, as the signal has", n->in[1]->dim[0],
                         n->in[0]->dim[0]);
    if (n->in[2]->dim[0] != HELIA_SIGNAL_PCAN_TABLE)
        ok = signal_fail(c, n, "the table of gains has %d elements; expected %d", n->in[2]->dim[0],
                         HELIA_SIGNAL_PCAN_TABLE);
    return signal_shape(c, n, 0, 1, n->in[0]->dim) && ok;
}

static bool prepare(const HeliaOpContext *c, AirNode *n)
{
    const PcanOptions *o = n->options;
    helia_signal_pcan_params *p = HELIA_NEW(c->arena, helia_signal_pcan_params);
    p->count = n->in[0]->dim[0];
    p->snr_shift = o->snr_shift;
    n->params = p;
    signal_args(c, n);
    return true;
}

static const HeliaKernel kernels[] = {
    {.symbol = "helia_signal_pcan_u32_c",
     .file = "helia_signal_pcan_u32_c.c",
     .types = "uint32",
     .fits = signal_fits,
     .prepare = prepare},
};

static void print(HeliaOut *o, const void *params)
{
    const helia_signal_pcan_params *p = params;
    PRINT_INT(o, p, count);
    PRINT_INT(o, p, snr_shift);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_signal_pcan_params", print);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    helia_signal_pcan_u32_c(n->params, helia_eval_ptr(v, n->in[0]), helia_eval_ptr(v, n->in[1]),
                            helia_eval_ptr(v, n->in[2]), helia_eval_ptr(v, n->out[0]));
    return true;
}

static const HeliaOpClass op_class = {
    .type = "SIGNALPCAN",
    .doc = "per-channel amplitude normalisation",
    .traits = HELIA_OP_INPLACE,
    .min_in = 3,
    .max_in = 3,
    .n_out = 1,
    .on_resolve = resolve,
    .kernels = kernels,
    .n_kernels = SIGNAL_COUNT(kernels),
    .emit = emit,
    .eval = eval,
};

const SignalOp signal_pcan = {&op_class, &options_class};
