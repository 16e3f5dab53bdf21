/* SignalFilterBank: overlapping filters over a power spectrum, described by three tables of indices. */
#include "audio_frontend.h"
#include "helia_signal_filter_bank.h"

#include <string.h>

typedef struct FilterBankOptions {
    int32_t num_channels;
} FilterBankOptions;

static const HeliaField fields[] = {SIGNAL_INT(FilterBankOptions, num_channels)};
static const HeliaOptionsClass options_class = {"SignalFilterBankOptions", sizeof(FilterBankOptions), fields,
                                                SIGNAL_COUNT(fields)};

enum { ENERGY, WEIGHTS, UNWEIGHTS, FREQUENCY_STARTS, WEIGHT_STARTS, WIDTHS, N_INPUTS };
static const SignalOperand inputs[N_INPUTS] = {
    {"energy", SIGNAL_TYPE(AIR_U32), 1, 1},
    {"table of weights", SIGNAL_TYPE(AIR_S16), 1, 1},
    {"table of unweights", SIGNAL_TYPE(AIR_S16), 1, 1},
    {"table of channel frequency starts", SIGNAL_TYPE(AIR_S16), 1, 1},
    {"table of channel weight starts", SIGNAL_TYPE(AIR_S16), 1, 1},
    {"table of channel widths", SIGNAL_TYPE(AIR_S16), 1, 1},
};

/* The tables are constants, so that it is known now that they stay within the operands. Channel 0 has no output, but an
 * entry like the others. */
static bool check_table(const HeliaOpContext *c, const AirNode *n, uint32_t input, int32_t channels)
{
    const AirTensor *t = n->in[input];
    bool ok = true;
    if (!air_is_constant(t))
        ok = signal_fail(c, n, "the %s is computed; supported: a constant", inputs[input].what);
    if (t->dim[0] - 1 != channels)
        ok = signal_fail(c, n, "the %s has %d elements; expected num_channels + 1, num_channels being %d",
                         inputs[input].what, t->dim[0], channels);
    return ok;
}

static int32_t entry(const AirNode *n, uint32_t input, int32_t channel)
{
    int16_t value;
    memcpy(&value, (const char *)n->in[input]->data + sizeof(value) * (size_t)channel, sizeof(value));
    return value;
}

/* A channel's elements of an operand. */
static bool check_span(const HeliaOpContext *c, const AirNode *n, int32_t channel, uint32_t table, uint32_t operand)
{
    int32_t start = entry(n, table, channel), width = entry(n, WIDTHS, channel), size = n->in[operand]->dim[0];
    if (width <= 0 || (start >= 0 && start + width <= size))
        return true;
    return signal_fail(c, n, "channel %d has elements %d to %d of the %s; there are 0 to %d", channel, start,
                       start + width - 1, inputs[operand].what, size - 1);
}

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const SignalOperand out[] = {{"output", SIGNAL_TYPE(AIR_U64), 1, 1}};
    const FilterBankOptions *o = n->options;
    /* The tables' indices have 16 bits, the number of channels more than any filter bank has. */
    bool ok = signal_range(c, n, "num_channels", o->num_channels, 1, INT16_MAX);
    if (!signal_operands(c, n, inputs, out) || !ok)
        return false;
    for (uint32_t i = FREQUENCY_STARTS; i <= WIDTHS; i++)
        ok = check_table(c, n, i, o->num_channels) && ok;
    for (int32_t i = 0; ok && i <= o->num_channels; i++) {
        ok = check_span(c, n, i, FREQUENCY_STARTS, ENERGY);
        ok = check_span(c, n, i, WEIGHT_STARTS, WEIGHTS) && ok;
        ok = check_span(c, n, i, WEIGHT_STARTS, UNWEIGHTS) && ok;
    }
    if (n->out[0]->shape_is_open)
        return signal_shape(c, n, 0, 1, &o->num_channels) && ok;
    if (n->out[0]->dim[0] > o->num_channels)
        ok = signal_fail(c, n, "the output has %d elements; accepted: up to num_channels, which is %d",
                         n->out[0]->dim[0], o->num_channels);
    return ok;
}

static bool prepare(const HeliaOpContext *c, AirNode *n)
{
    helia_signal_filter_bank_params *p = HELIA_NEW(c->arena, helia_signal_filter_bank_params);
    p->count = n->out[0]->dim[0];
    n->params = p;
    signal_args(c, n);
    return true;
}

static const HeliaKernel kernels[] = {
    {.symbol = "helia_signal_filter_bank_u32_c",
     .file = "helia_signal_filter_bank_u32_c.c",
     .types = "uint32",
     .fits = signal_fits,
     .prepare = prepare},
};

static void print(HeliaOut *o, const void *params)
{
    const helia_signal_filter_bank_params *p = params;
    PRINT_INT(o, p, count);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_signal_filter_bank_params", print);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    helia_signal_filter_bank_u32_c(n->params, helia_eval_ptr(v, n->in[ENERGY]), helia_eval_ptr(v, n->in[WEIGHTS]),
                                   helia_eval_ptr(v, n->in[UNWEIGHTS]), helia_eval_ptr(v, n->in[FREQUENCY_STARTS]),
                                   helia_eval_ptr(v, n->in[WEIGHT_STARTS]), helia_eval_ptr(v, n->in[WIDTHS]),
                                   helia_eval_ptr(v, n->out[0]));
    return true;
}

static const HeliaOpClass op_class = {
    .type = "SIGNALFILTERBANK",
    .doc = "overlapping filters over a power spectrum",
    .min_in = N_INPUTS,
    .max_in = N_INPUTS,
    .n_out = 1,
    .on_resolve = resolve,
    .kernels = kernels,
    .n_kernels = SIGNAL_COUNT(kernels),
    .emit = emit,
    .eval = eval,
};

const SignalOp signal_filter_bank = {&op_class, &options_class};
