/* SignalFramer: overlapping frames of a stream that comes in pieces of another length. */
#include "audio_frontend.h"
#include "helia_signal_framer.h"

#include <string.h>

typedef struct FramerOptions {
    int32_t frame_size, frame_step;
    bool prefill;
} FramerOptions;

static const HeliaField fields[] = {SIGNAL_INT(FramerOptions, frame_size), SIGNAL_INT(FramerOptions, frame_step),
                                    SIGNAL_BOOL(FramerOptions, prefill)};
static const HeliaOptionsClass options_class = {"SignalFramerOptions", sizeof(FramerOptions), fields,
                                                SIGNAL_COUNT(fields)};

/* The samples of a row that are held at most: with prefill a frame, else as many steps as cover one. */
static int64_t capacity(const FramerOptions *o)
{
    int64_t steps = ((int64_t)o->frame_size + o->frame_step - 1) / o->frame_step;
    return o->prefill ? o->frame_size : steps * o->frame_step;
}

static bool check_options(const HeliaOpContext *c, const AirNode *n, const FramerOptions *o)
{
    bool ok = signal_range(c, n, "frame_size", o->frame_size, 1, INT32_MAX / 2);
    ok = signal_range(c, n, "frame_step", o->frame_step, 1, INT32_MAX / 2) && ok;
    if (ok && o->prefill && o->frame_step > o->frame_size)
        ok = signal_fail(c, n, "frame_step is %d and frame_size %d; accepted with prefill: steps up to the size",
                         o->frame_step, o->frame_size);
    return ok;
}

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const SignalOperand in[] = {{"input", SIGNAL_TYPE(AIR_S16), 1, AIR_MAX_RANK - 1}};
    static const SignalOperand out[] = {{"output", SIGNAL_TYPE(AIR_S16), 2, AIR_MAX_RANK},
                                        {"valid flag", SIGNAL_TYPE(AIR_BOOL), 0, 0}};
    const FramerOptions *o = n->options;
    const AirTensor *audio = n->in[0];
    bool ok = check_options(c, n, o);
    if (!signal_operands(c, n, in, out) || !ok)
        return false;
    const int32_t rank = audio->rank, length = signal_last_dim(audio);
    if (length % o->frame_step != 0)
        return signal_fail(c, n, "the input's rows have %d samples; accepted: a multiple of frame_step, which is %d",
                           length, o->frame_step);
    if (capacity(o) * signal_rows(audio, 1) > INT32_MAX / 2)
        return signal_fail(c, n, "frame_size %d and frame_step %d are too large for %d rows", o->frame_size,
                           o->frame_step, signal_rows(audio, 1));
    int32_t dim[AIR_MAX_RANK];
    memcpy(dim, audio->dim, sizeof(dim));
    dim[rank - 1] = length / o->frame_step;
    dim[rank] = o->frame_size;
    ok = signal_shape(c, n, 0, rank + 1, dim);
    return signal_shape(c, n, 1, 0, dim) && ok;
}

static bool prepare(const HeliaOpContext *c, AirNode *n)
{
    const FramerOptions *o = n->options;
    helia_signal_framer_params *p = HELIA_NEW(c->arena, helia_signal_framer_params);
    p->rows = signal_rows(n->in[0], 1);
    p->frames = signal_last_dim(n->in[0]) / o->frame_step;
    p->size = o->frame_size;
    p->step = o->frame_step;
    p->capacity = (int32_t)capacity(o);
    n->params = p;
    const int32_t line_dim[] = {p->rows, p->capacity}, held = o->prefill ? p->size - p->step : 0;
    air_arg(n, c->graph, n->in[0], false);
    air_arg(n, c->graph, signal_state(c, "framer_samples", AIR_S16, 2, line_dim, NULL), true);
    air_arg(n, c->graph, signal_state(c, "framer_held", AIR_S32, 0, NULL, &held), true);
    air_arg(n, c->graph, n->out[0], true);
    air_arg(n, c->graph, n->out[1], true);
    return true;
}

static const HeliaKernel kernels[] = {
    {.symbol = "helia_signal_framer_s16_c",
     .file = "helia_signal_framer_s16_c.c",
     .types = "int16",
     .fits = signal_fits,
     .prepare = prepare},
};

static void print(HeliaOut *o, const void *params)
{
    const helia_signal_framer_params *p = params;
    PRINT_INT(o, p, rows);
    PRINT_INT(o, p, frames);
    PRINT_INT(o, p, size);
    PRINT_INT(o, p, step);
    PRINT_INT(o, p, capacity);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_signal_framer_params", print);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    helia_signal_framer_s16_c(n->params, helia_eval_ptr(v, n->in[0]), helia_eval_ptr(v, n->args.at[1].tensor),
                              helia_eval_ptr(v, n->args.at[2].tensor), helia_eval_ptr(v, n->out[0]),
                              helia_eval_ptr(v, n->out[1]));
    return true;
}

static const HeliaOpClass op_class = {
    .type = "SIGNALFRAMER",
    .doc = "overlapping frames of a stream",
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

const SignalOp signal_framer = {&op_class, &options_class};
