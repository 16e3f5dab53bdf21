/* SignalOverlapAdd: a stream from overlapping frames, the inverse of SignalFramer. */
#include "audio_frontend.h"
#include "helia_signal_overlap_add.h"

#include <string.h>

typedef struct OverlapAddOptions {
    int32_t T; /* the schema's TensorType */
    int32_t frame_step;
} OverlapAddOptions;

static const HeliaField fields[] = {SIGNAL_INT(OverlapAddOptions, T), SIGNAL_INT(OverlapAddOptions, frame_step)};
static const HeliaOptionsClass options_class = {"SignalOverlapAddOptions", sizeof(OverlapAddOptions), fields,
                                                SIGNAL_COUNT(fields)};

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const uint32_t types = SIGNAL_TYPE(AIR_S16) | SIGNAL_TYPE(AIR_F32);
    static const SignalOperand in[] = {{"input", types, 2, AIR_MAX_RANK}};
    static const SignalOperand out[] = {{"output", types, 1, AIR_MAX_RANK - 1}};
    const OverlapAddOptions *o = n->options;
    const AirTensor *frames = n->in[0];
    if (!signal_operands(c, n, in, out))
        return false;
    const int32_t rank = frames->rank, count = frames->dim[rank - 2];
    bool ok = signal_type_option(c, n, o->T);
    if (!signal_range(c, n, "frame_step", o->frame_step, 1, signal_last_dim(frames)))
        return false;
    int32_t dim[AIR_MAX_RANK];
    memcpy(dim, frames->dim, sizeof(dim));
    dim[rank - 2] = count * o->frame_step;
    return signal_shape(c, n, 0, rank - 1, dim) && ok;
}

static bool prepare(const HeliaOpContext *c, AirNode *n)
{
    const OverlapAddOptions *o = n->options;
    const AirTensor *frames = n->in[0];
    helia_signal_overlap_add_params *p = HELIA_NEW(c->arena, helia_signal_overlap_add_params);
    p->rows = signal_rows(frames, 2);
    p->frames = frames->dim[frames->rank - 2];
    p->size = signal_last_dim(frames);
    p->step = o->frame_step;
    n->params = p;
    const int32_t dim[] = {p->rows, p->size};
    air_arg(n, c->graph, n->in[0], false);
    air_arg(n, c->graph, signal_state(c, "overlap", frames->type, 2, dim, NULL), true);
    air_arg(n, c->graph, n->out[0], true);
    return true;
}

static const HeliaKernel kernels[] = {
    {.symbol = "helia_signal_overlap_add_s16_c",
     .file = "helia_signal_overlap_add_s16_c.c",
     .types = "int16",
     .fits = signal_fits_s16,
     .prepare = prepare},
    {.symbol = "helia_signal_overlap_add_f32_c",
     .file = "helia_signal_overlap_add_f32_c.c",
     .types = "float32",
     .fits = signal_fits_f32,
     .prepare = prepare},
};

static void print(HeliaOut *o, const void *params)
{
    const helia_signal_overlap_add_params *p = params;
    PRINT_INT(o, p, rows);
    PRINT_INT(o, p, frames);
    PRINT_INT(o, p, size);
    PRINT_INT(o, p, step);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_signal_overlap_add_params", print);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    const void *in = helia_eval_ptr(v, n->in[0]);
    void *overlap = helia_eval_ptr(v, n->args.at[1].tensor), *out = helia_eval_ptr(v, n->out[0]);
    if (n->in[0]->type == AIR_S16)
        helia_signal_overlap_add_s16_c(n->params, in, overlap, out);
    else
        helia_signal_overlap_add_f32_c(n->params, in, overlap, out);
    return true;
}

static const HeliaOpClass op_class = {
    .type = "SIGNALOVERLAPADD",
    .doc = "a stream from overlapping frames",
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

const SignalOp signal_overlap_add = {&op_class, &options_class};
