/* SignalDelay: each row delayed by a number of samples, from call to call. */
#include "audio_frontend.h"
#include "helia_signal_delay.h"

typedef struct DelayOptions {
    int32_t delay_length;
} DelayOptions;

static const HeliaField fields[] = {SIGNAL_INT(DelayOptions, delay_length)};
static const HeliaOptionsClass options_class = {"SignalDelayOptions", sizeof(DelayOptions), fields,
                                                SIGNAL_COUNT(fields)};

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const SignalOperand in[] = {{"input", SIGNAL_TYPE(AIR_S16), 1, AIR_MAX_RANK}};
    static const SignalOperand out[] = {{"output", SIGNAL_TYPE(AIR_S16), 1, AIR_MAX_RANK}};
    const DelayOptions *o = n->options;
    if (!signal_operands(c, n, in, out))
        return false;
    bool ok = signal_range(c, n, "delay_length", o->delay_length, 0, INT32_MAX / 2 / signal_rows(n->in[0], 1));
    return signal_shape(c, n, 0, n->in[0]->rank, n->in[0]->dim) && ok;
}

static bool prepare(const HeliaOpContext *c, AirNode *n)
{
    const DelayOptions *o = n->options;
    helia_signal_delay_params *p = HELIA_NEW(c->arena, helia_signal_delay_params);
    p->rows = signal_rows(n->in[0], 1);
    p->length = signal_last_dim(n->in[0]);
    p->delay = o->delay_length;
    n->params = p;
    const int32_t dim[] = {p->rows, p->delay};
    air_arg(n, c->graph, n->in[0], false);
    air_arg(n, c->graph, p->delay ? signal_state(c, "delay_line", AIR_S16, 2, dim, NULL) : NULL, true);
    air_arg(n, c->graph, n->out[0], true);
    return true;
}

static const HeliaKernel kernels[] = {
    {.symbol = "helia_signal_delay_s16_c",
     .file = "helia_signal_delay_s16_c.c",
     .types = "int16",
     .fits = signal_fits,
     .prepare = prepare},
};

static void print(HeliaOut *o, const void *params)
{
    const helia_signal_delay_params *p = params;
    PRINT_INT(o, p, rows);
    PRINT_INT(o, p, length);
    PRINT_INT(o, p, delay);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_signal_delay_params", print);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    helia_signal_delay_s16_c(n->params, helia_eval_ptr(v, n->in[0]), helia_eval_ptr(v, n->args.at[1].tensor),
                             helia_eval_ptr(v, n->out[0]));
    return true;
}

static const HeliaOpClass op_class = {
    .type = "SIGNALDELAY",
    .doc = "audio delayed by a number of samples",
    .traits = HELIA_OP_STATEFUL,
    .min_in = 1,
    .max_in = 1,
    .n_out = 1,
    .on_resolve = resolve,
    .kernels = kernels,
    .n_kernels = SIGNAL_COUNT(kernels),
    .emit = emit,
    .eval = eval,
};

const SignalOp signal_delay = {&op_class, &options_class};
