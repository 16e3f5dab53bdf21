/* SignalEnergy: squared magnitudes of a spectrum's bins. */
#include "audio_frontend.h"
#include "helia_signal_energy.h"

typedef struct EnergyOptions {
    int32_t end_index, start_index;
} EnergyOptions;

static const HeliaField fields[] = {SIGNAL_INT(EnergyOptions, end_index), SIGNAL_INT(EnergyOptions, start_index)};
static const HeliaOptionsClass options_class = {"SignalEnergyOptions", sizeof(EnergyOptions), fields,
                                                SIGNAL_COUNT(fields)};

/* The bins of the range are at the same index in the spectrum and in the output; the output's other elements, which the
 * reference leaves as they are, become 0. */
static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const SignalOperand in[] = {{"spectrum", SIGNAL_TYPE(AIR_S16), 1, 1}};
    static const SignalOperand out[] = {{"energy", SIGNAL_TYPE(AIR_U32), 1, 1}};
    const EnergyOptions *o = n->options;
    if (!signal_operands(c, n, in, out))
        return false;
    int32_t bins = n->in[0]->dim[0] / 2;
    if (n->out[0]->shape_is_open && !signal_shape(c, n, 0, 1, &bins))
        return false;
    int32_t last = bins < n->out[0]->dim[0] ? bins : n->out[0]->dim[0];
    if (o->start_index >= 0 && o->start_index <= o->end_index && o->end_index <= last)
        return true;
    return signal_fail(c, n,
                       "start_index is %d and end_index %d; accepted: a range within 0 to %d, as the spectrum has "
                       "%d bins and the energy %d elements",
                       o->start_index, o->end_index, last, bins, n->out[0]->dim[0]);
}

static bool prepare(const HeliaOpContext *c, AirNode *n)
{
    const EnergyOptions *o = n->options;
    helia_signal_energy_params *p = HELIA_NEW(c->arena, helia_signal_energy_params);
    p->start = o->start_index;
    p->end = o->end_index;
    p->count = n->out[0]->dim[0];
    n->params = p;
    signal_args(c, n);
    return true;
}

static const HeliaKernel kernels[] = {
    {.symbol = "helia_signal_energy_s16_c",
     .file = "helia_signal_energy_s16_c.c",
     .types = "int16",
     .fits = signal_fits,
     .prepare = prepare},
};

static void print(HeliaOut *o, const void *params)
{
    const helia_signal_energy_params *p = params;
    PRINT_INT(o, p, start);
    PRINT_INT(o, p, end);
    PRINT_INT(o, p, count);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_signal_energy_params", print);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    helia_signal_energy_s16_c(n->params, helia_eval_ptr(v, n->in[0]), helia_eval_ptr(v, n->out[0]));
    return true;
}

static const HeliaOpClass op_class = {
    .type = "SIGNALENERGY",
    .doc = "squared magnitudes of a complex spectrum",
    .min_in = 1,
    .max_in = 1,
    .n_out = 1,
    .on_resolve = resolve,
    .kernels = kernels,
    .n_kernels = SIGNAL_COUNT(kernels),
    .emit = emit,
    .eval = eval,
};

const SignalOp signal_energy = {&op_class, &options_class};
