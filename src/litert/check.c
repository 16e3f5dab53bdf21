/* What a model says of its tensors: types, shapes, the bytes of constants, and quantisation. Also the frame of all
 * checks of a model's contents. */
#include "litert/litert_int.h"

#include <inttypes.h>
#include <math.h>

bool check_problem(ModelCheck *c, HeliaLoc at, const char *fmt, ...)
{
    if (c->problems++ >= CHECK_MAX_REPORTED)
        return false;
    HeliaArena *scratch = helia_arena_child(c->scratch);
    va_list args;
    va_start(args, fmt);
    helia_error(c->diag, at, "%s", helia_vformat(scratch, fmt, args));
    va_end(args);
    helia_arena_free(scratch);
    return false;
}

HeliaLoc check_loc(const ModelCheck *c)
{
    return helia_at_file(c->model->file);
}

HeliaLoc check_tensor_loc(const ModelCheck *c, uint32_t subgraph, uint32_t tensor)
{
    HeliaLoc at = check_loc(c);
    at.subgraph = (int32_t)subgraph;
    at.tensor = (int32_t)tensor;
    at.name = c->model->subgraphs.at[subgraph].tensors.at[tensor].name;
    return at;
}

static const char *shape_text(ModelCheck *c, LitertInts shape)
{
    enum { SHOWN = 8 };
    const char *text = "[";
    for (uint32_t i = 0; i < shape.len && i < SHOWN; i++)
        text = helia_format(c->scratch, "%s%s%d", text, i ? ", " : "", shape.at[i]);
    return helia_format(c->scratch, "%s%s]", text, shape.len > SHOWN ? ", ..." : "");
}

/* The bytes of a dense tensor; UINT64_MAX: more than 2^31 - 1. No dimension is negative. */
static uint64_t dense_bytes(const LitertTensor *t, int bits)
{
    for (uint32_t i = 0; i < t->shape.len; i++)
        if (t->shape.at[i] == 0)
            return 0;
    const uint64_t most = (uint64_t)INT32_MAX * 8 / (unsigned)bits;
    uint64_t count = 1;
    for (uint32_t i = 0; i < t->shape.len; i++) {
        count *= (uint64_t)t->shape.at[i]; /* below 2^33 times below 2^31 */
        if (count > most)
            return UINT64_MAX;
    }
    return (count * (unsigned)bits + 7) / 8;
}

static void check_shape(ModelCheck *c, const LitertTensor *t, HeliaLoc at)
{
    bool ok = true;
    for (uint32_t i = 0; i < t->shape.len; i++)
        if (t->shape.at[i] < 0)
            ok = check_problem(c, at, "shape[%" PRIu32 "] is %d; a dimension must not be negative", i, t->shape.at[i]);
    int bits = schema_type_bits(t->type);
    LitertBytes bytes = t->buffer < c->model->buffers.len ? c->model->buffers.at[t->buffer] : (LitertBytes){NULL, 0};
    if (!ok || bits <= 0)
        return;
    const char *type = litert_type_name(t->type);
    uint64_t needed = dense_bytes(t, bits);
    if (needed == UINT64_MAX)
        check_problem(c, at, "shape %s of %s has more than %d bytes, the most that is supported",
                      shape_text(c, t->shape), type, INT32_MAX);
    else if (bytes.len && !t->sparsity && bytes.len != needed)
        check_problem(c, at, "buffer %" PRIu32 " has %zu bytes; shape %s of %s needs %" PRIu64, t->buffer, bytes.len,
                      shape_text(c, t->shape), type, needed);
}

static void check_scales(ModelCheck *c, const LitertQuant *q, HeliaLoc at)
{
    for (uint32_t i = 0; i < q->n_scale; i++)
        if (!isfinite(q->scale[i]) || q->scale[i] < 0)
            check_problem(c, at, "quantization.scale[%" PRIu32 "] is %g; it must be finite and not negative", i,
                          (double)q->scale[i]);
}

/* Missing zero points are 0; more of them than scales mean nothing. */
static void check_zero_points(ModelCheck *c, const LitertTensor *t, HeliaLoc at, int64_t lowest, int64_t highest)
{
    const LitertQuant *q = t->quantization;
    if (q->n_zero_point > q->n_scale)
        check_problem(c, at, "quantization has %" PRIu32 " zero points for %" PRIu32 " scales; at most one each",
                      q->n_zero_point, q->n_scale);
    for (uint32_t i = 0; i < q->n_zero_point && i < q->n_scale; i++)
        if (q->zero_point[i] < lowest || q->zero_point[i] > highest)
            check_problem(c, at,
                          "quantization.zero_point[%" PRIu32 "] is %" PRId64 "; for %s it must be from %" PRId64
                          " to %" PRId64,
                          i, q->zero_point[i], litert_type_name(t->type), lowest, highest);
}

static void check_channels(ModelCheck *c, const LitertTensor *t, HeliaLoc at)
{
    const LitertQuant *q = t->quantization;
    int32_t axis = q->quantized_dimension;
    if (axis < 0 || (uint32_t)axis >= t->shape.len)
        check_problem(c, at, "quantization.quantized_dimension is %d; shape %s has dimensions 0 to %" PRIu32, axis,
                      shape_text(c, t->shape), t->shape.len - 1u);
    else if (q->n_scale > 1 && (int64_t)q->n_scale != t->shape.at[axis])
        check_problem(c, at, "quantization has %" PRIu32 " scales; dimension %d of shape %s needs %d, or 1 for all",
                      q->n_scale, axis, shape_text(c, t->shape), t->shape.at[axis]);
}

static void check_quantization(ModelCheck *c, const LitertTensor *t, HeliaLoc at)
{
    const LitertQuant *q = t->quantization;
    int64_t lowest, highest;
    if (q && q->details_type > DETAILS_CUSTOM)
        check_problem(c, at, "quantization.details is %s, which is not supported",
                      q->details_type == DETAILS_BLOCKWISE ? "BlockwiseQuantization" : "MultiAxisQuantization");
    if (!q || q->n_scale == 0 || !schema_type_range(t->type, &lowest, &highest))
        return;
    bool is_constant = t->buffer < c->model->buffers.len && c->model->buffers.at[t->buffer].len > 0;
    bool is_bias = schema_type_bits(t->type) == 32 && is_constant;
    if (is_bias) /* kernels take a bias's scale from the input and the weights; models in use have nonsense there */
        return;
    check_scales(c, q, at);
    if (is_constant) { /* need not hold the value that stands for 0: some have the other signedness's zero point */
        lowest = -(INT64_C(1) << (schema_type_bits(t->type) - 1));
        highest = (INT64_C(1) << schema_type_bits(t->type)) - 1;
    }
    check_zero_points(c, t, at, lowest, highest);
    if (is_constant && t->shape.len > 1)
        check_channels(c, t, at);
}

void check_tensor(ModelCheck *c, uint32_t subgraph, uint32_t tensor)
{
    const LitertTensor *t = &c->model->subgraphs.at[subgraph].tensors.at[tensor];
    HeliaLoc at = check_tensor_loc(c, subgraph, tensor);
    if (schema_type_bits(t->type) < 0)
        check_problem(c, at, "type is %d; the schema has no such type", t->type);
    if (t->external_buffer)
        check_problem(c, at, "external_buffer is %" PRIu32 "; constants in other files are not supported",
                      t->external_buffer);
    if (c->model->buffers.len && t->buffer >= c->model->buffers.len)
        check_problem(c, at, "buffer is %" PRIu32 "; the model has buffers 0 to %" PRIu32, t->buffer,
                      c->model->buffers.len - 1u);
    check_shape(c, t, at);
    check_quantization(c, t, at);
}

bool litert_check(HeliaDiag *diag, const LitertModel *model)
{
    ModelCheck check = {helia_arena_child(model->arena), diag, model, 0};
    check_references(&check);
    for (uint32_t s = 0; s < model->subgraphs.len; s++)
        for (uint32_t t = 0; t < model->subgraphs.at[s].tensors.len; t++)
            check_tensor(&check, s, t);
    if (check.problems > CHECK_MAX_REPORTED)
        helia_note(diag, check_loc(&check), "there are %" PRIu32 " problems; the first %d are shown", check.problems,
                   CHECK_MAX_REPORTED);
    helia_arena_free(check.scratch);
    return check.problems == 0;
}
