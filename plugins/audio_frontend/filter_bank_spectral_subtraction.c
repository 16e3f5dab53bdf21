/* SignalFilterBankSpectralSubtraction: takes an estimate of the noise off each channel. The estimates are state. */
#include "audio_frontend.h"
#include "helia_signal_spectral_subtraction.h"

/* In the order of the options' keys; fractions have spectral_subtraction_bits bits. */
typedef struct SubtractionOptions {
    int32_t alternate_one_minus_smoothing, alternate_smoothing;
    bool clamping;
    int32_t min_signal_remaining, num_channels, one_minus_smoothing, smoothing, smoothing_bits,
        spectral_subtraction_bits;
} SubtractionOptions;

static const HeliaField fields[] = {
    SIGNAL_INT(SubtractionOptions, alternate_one_minus_smoothing),
    SIGNAL_INT(SubtractionOptions, alternate_smoothing),
    SIGNAL_BOOL(SubtractionOptions, clamping),
    SIGNAL_INT(SubtractionOptions, min_signal_remaining),
    SIGNAL_INT(SubtractionOptions, num_channels),
    SIGNAL_INT(SubtractionOptions, one_minus_smoothing),
    SIGNAL_INT(SubtractionOptions, smoothing),
    SIGNAL_INT(SubtractionOptions, smoothing_bits),
    SIGNAL_INT(SubtractionOptions, spectral_subtraction_bits),
};
static const HeliaOptionsClass options_class = {"SignalFilterBankSpectralSubtractionOptions",
                                                sizeof(SubtractionOptions), fields, SIGNAL_COUNT(fields)};

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const SignalOperand in[] = {{"signal", SIGNAL_TYPE(AIR_U32), 1, 1}};
    static const SignalOperand out[] = {{"cleaned signal", SIGNAL_TYPE(AIR_U32), 1, 1},
                                        {"noise estimate", SIGNAL_TYPE(AIR_U32), 1, 1}};
    const SubtractionOptions *o = n->options;
    bool ok = signal_range(c, n, "smoothing_bits", o->smoothing_bits, 0, 31);
    ok = signal_range(c, n, "spectral_subtraction_bits", o->spectral_subtraction_bits, 0, 63) && ok;
    if (!signal_operands(c, n, in, out))
        return false;
    int32_t channels = n->in[0]->dim[0];
    if (o->num_channels != channels)
        ok = signal_fail(c, n, "num_channels is %d; expected %d, the elements of the signal", o->num_channels,
                         channels);
    ok = signal_shape(c, n, 0, 1, &channels) && ok;
    if (n->out[1]->shape_is_open)
        return signal_shape(c, n, 1, 1, &channels) && ok;
    if (n->out[1]->dim[0] > channels)
        ok = signal_fail(c, n, "the noise estimate has %d elements; accepted: up to %d, as the signal has",
                         n->out[1]->dim[0], channels);
    return ok;
}

static bool prepare(const HeliaOpContext *c, AirNode *n)
{
    const SubtractionOptions *o = n->options;
    helia_signal_spectral_subtraction_params *p = HELIA_NEW(c->arena, helia_signal_spectral_subtraction_params);
    p->channels = n->in[0]->dim[0];
    p->noise_count = n->out[1]->dim[0];
    p->smoothing_bits = o->smoothing_bits;
    p->subtraction_bits = o->spectral_subtraction_bits;
    p->smoothing[0] = (uint32_t)o->smoothing;
    p->smoothing[1] = (uint32_t)o->alternate_smoothing;
    p->remaining[0] = (uint32_t)o->one_minus_smoothing;
    p->remaining[1] = (uint32_t)o->alternate_one_minus_smoothing;
    p->min_signal_remaining = (uint32_t)o->min_signal_remaining;
    p->clamping = o->clamping;
    n->params = p;
    air_arg(n, c->graph, n->in[0], false);
    air_arg(n, c->graph, signal_state(c, "noise_estimate", AIR_U32, 1, n->in[0]->dim, NULL), true);
    air_arg(n, c->graph, n->out[0], true);
    air_arg(n, c->graph, n->out[1], true);
    return true;
}

static const HeliaKernel kernels[] = {
    {.symbol = "helia_signal_spectral_subtraction_u32_c",
     .file = "helia_signal_spectral_subtraction_u32_c.c",
     .types = "uint32",
     .fits = signal_fits,
     .prepare = prepare},
};

static void print(HeliaOut *o, const void *params)
{
    const helia_signal_spectral_subtraction_params *p = params;
    PRINT_INT(o, p, channels);
    PRINT_INT(o, p, noise_count);
    PRINT_INT(o, p, smoothing_bits);
    PRINT_INT(o, p, subtraction_bits);
    PRINT_UINT(o, p, smoothing[0]);
    PRINT_UINT(o, p, smoothing[1]);
    PRINT_UINT(o, p, remaining[0]);
    PRINT_UINT(o, p, remaining[1]);
    PRINT_UINT(o, p, min_signal_remaining);
    PRINT_INT(o, p, clamping);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_signal_spectral_subtraction_params", print);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    helia_signal_spectral_subtraction_u32_c(n->params, helia_eval_ptr(v, n->in[0]),
                                            helia_eval_ptr(v, n->args.at[1].tensor), helia_eval_ptr(v, n->out[0]),
                                            helia_eval_ptr(v, n->out[1]));
    return true;
}

static const HeliaOpClass op_class = {
    .type = "SIGNALFILTERBANKSPECTRALSUBTRACTION",
    .doc = "takes a running estimate of the noise off each channel",
    .traits = HELIA_OP_INPLACE | HELIA_OP_STATEFUL,
    .min_in = 1,
    .max_in = 1,
    .n_out = 2,
    .on_resolve = resolve,
    .kernels = kernels,
    .n_kernels = SIGNAL_COUNT(kernels),
    .emit = emit,
    .eval = eval,
};

const SignalOp signal_filter_bank_spectral_subtraction = {&op_class, &options_class};
