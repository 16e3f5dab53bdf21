/* SignalStacker: frames of features stacked with those before and behind them. */
#include "audio_frontend.h"
#include "helia_signal_stacker.h"

typedef struct StackerOptions {
    int32_t num_channels, stacker_left_context, stacker_right_context, stacker_step;
} StackerOptions;

static const HeliaField fields[] = {
    SIGNAL_INT(StackerOptions, num_channels), SIGNAL_INT(StackerOptions, stacker_left_context),
    SIGNAL_INT(StackerOptions, stacker_right_context), SIGNAL_INT(StackerOptions, stacker_step)};
static const HeliaOptionsClass options_class = {"SignalStackerOptions", sizeof(StackerOptions), fields,
                                                SIGNAL_COUNT(fields)};

static int32_t stack_height(const StackerOptions *o)
{
    return o->stacker_left_context + o->stacker_right_context + 1;
}

static bool check_options(const HeliaOpContext *c, const AirNode *n, const StackerOptions *o)
{
    const int32_t most = 1 << 20; /* keeps the sizes below 32 bits, together with the input's length */
    bool ok = signal_range(c, n, "stacker_left_context", o->stacker_left_context, 0, most);
    ok = signal_range(c, n, "stacker_right_context", o->stacker_right_context, 0, most) && ok;
    return ok && signal_range(c, n, "stacker_step", o->stacker_step, 1, stack_height(o)) &&
           signal_range(c, n, "num_channels", o->num_channels, 1, INT32_MAX / 2 / stack_height(o));
}

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const SignalOperand in[] = {{"input", SIGNAL_TYPE(AIR_S16), 1, 1}};
    static const SignalOperand out[] = {{"output", SIGNAL_TYPE(AIR_S16), 1, 1},
                                        {"valid flag", SIGNAL_TYPE(AIR_BOOL), 0, 0}};
    const StackerOptions *o = n->options;
    bool ok = check_options(c, n, o);
    if (!signal_operands(c, n, in, out) || !ok)
        return false;
    const int32_t dim[] = {o->num_channels * stack_height(o)};
    ok = signal_at_least(c, n, 0, o->num_channels);
    ok = signal_shape(c, n, 0, 1, dim) && ok;
    return signal_shape(c, n, 1, 0, dim) && ok;
}

static bool prepare(const HeliaOpContext *c, AirNode *n)
{
    const StackerOptions *o = n->options;
    helia_signal_stacker_params *p = HELIA_NEW(c->arena, helia_signal_stacker_params);
    p->channels = o->num_channels;
    p->left = o->stacker_left_context;
    p->height = stack_height(o);
    p->step = o->stacker_step;
    n->params = p;
    const int32_t stack_dim[] = {p->height, p->channels}, progress_dim[] = {HELIA_SIGNAL_STACKER_PROGRESS};
    air_arg(n, c->graph, n->in[0], false);
    air_arg(n, c->graph, signal_state(c, "stacker_frames", AIR_S16, 2, stack_dim, NULL), true);
    air_arg(n, c->graph, signal_state(c, "stacker_progress", AIR_S32, 1, progress_dim, NULL), true);
    air_arg(n, c->graph, n->out[0], true);
    air_arg(n, c->graph, n->out[1], true);
    return true;
}

static const HeliaKernel kernels[] = {
    {.symbol = "helia_signal_stacker_s16_c",
     .file = "helia_signal_stacker_s16_c.c",
     .types = "int16",
     .fits = signal_fits,
     .prepare = prepare},
};

static void print(HeliaOut *o, const void *params)
{
    const helia_signal_stacker_params *p = params;
    PRINT_INT(o, p, channels);
    PRINT_INT(o, p, left);
    PRINT_INT(o, p, height);
    PRINT_INT(o, p, step);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_signal_stacker_params", print);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    helia_signal_stacker_s16_c(n->params, helia_eval_ptr(v, n->in[0]), helia_eval_ptr(v, n->args.at[1].tensor),
                               helia_eval_ptr(v, n->args.at[2].tensor), helia_eval_ptr(v, n->out[0]),
                               helia_eval_ptr(v, n->out[1]));
    return true;
}

static const HeliaOpClass op_class = {
    .type = "SIGNALSTACKER",
    .doc = "frames of features with those around them",
    .traits = HELIA_OP_STATEFUL,
    .min_in = 1,
    .max_in = 1,
    .n_out = 2,
    .on_resolve = resolve,
    .kernels = kernels,
    .n_kernels = SIGNAL_COUNT(kernels),
    .emit = emit,
    .eval = eval,
};

const SignalOp signal_stacker = {&op_class, &options_class};
