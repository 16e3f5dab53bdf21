/* SPLIT, SPLIT_V and UNPACK: the input cut along one dimension into its outputs, a strided copy for each.
 * SPLIT in equal parts, its axis operand first; SPLIT_V in parts of constant sizes, one of which may be -1; UNPACK in
 * parts of 1, which dimension is dropped. */
#include <string.h>

#include "op/op_list.h"
#include "op/strided.h"

typedef struct SplitOptions {
    int32_t num_splits;
} SplitOptions;
typedef struct UnpackOptions {
    int32_t num, axis;
} UnpackOptions;

static const HeliaField split_fields[] = {FIELD_INT(SplitOptions, num_splits)};
static const HeliaOptionsClass split_options = {"SplitOptions", sizeof(SplitOptions), split_fields,
                                                FIELD_COUNT(split_fields)};
static const HeliaOptionsClass split_v_options = {"SplitVOptions", sizeof(SplitOptions), split_fields,
                                                  FIELD_COUNT(split_fields)};
static const HeliaField unpack_fields[] = {FIELD_INT(UnpackOptions, num), FIELD_INT(UnpackOptions, axis)};
static const HeliaOptionsClass unpack_options = {"UnpackOptions", sizeof(UnpackOptions), unpack_fields,
                                                 FIELD_COUNT(unpack_fields)};

static bool parse_split(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    const HeliaOptionsClass *class = self->user;
    SplitOptions *o = node->options;
    o->num_splits = (int32_t)litert_opt_int(p->op, class->name, "num_splits", 0);
    return true;
}
static const HeliaLitertParser split_parser = {parse_split, &split_options};
static const HeliaLitertParser split_v_parser = {parse_split, &split_v_options};

static bool parse_unpack(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self;
    UnpackOptions *o = node->options;
    o->num = (int32_t)litert_opt_int(p->op, "UnpackOptions", "num", 0);
    o->axis = (int32_t)litert_opt_int(p->op, "UnpackOptions", "axis", 0);
    return true;
}
static const HeliaLitertParser unpack_parser = {parse_unpack, NULL};

/* ---- where the cuts are ----------------------------------------------------------------------- */
typedef struct Cuts {
    const AirTensor *in;
    int32_t axis;
    bool drop;     /* the dimension is 1 in each output and left out */
    int64_t *size; /* by output: its part of the dimension */
} Cuts;

/* Operand i of input 0's operator: the axis as a constant scalar. */
static bool axis_operand(const HeliaOpContext *c, const AirNode *n, uint32_t i, Cuts *cuts)
{
    int64_t axis = 0;
    uint32_t count;
    if (!constant_ints(c, n, n->in[i], "the axis", &axis, 1, &count))
        return false;
    cuts->axis = check_axis(c, n, axis, cuts->in, 0);
    return cuts->axis >= 0;
}

static bool equal_parts(const HeliaOpContext *c, const AirNode *n, Cuts *cuts)
{
    const int32_t extent = cuts->in->dim[cuts->axis];
    if (n->n_out == 0 || extent % (int32_t)n->n_out)
        return check_fail(c, n, "dimension %d of input %s cannot be cut into %u equal parts", cuts->axis,
                          air_shape_text(c->arena, cuts->in), n->n_out);
    for (uint32_t i = 0; i < n->n_out; i++)
        cuts->size[i] = extent / (int32_t)n->n_out;
    return true;
}

static bool given_parts(const HeliaOpContext *c, const AirNode *n, Cuts *cuts)
{
    const int64_t extent = cuts->in->dim[cuts->axis];
    uint32_t count, open = UINT32_MAX;
    if (!constant_ints(c, n, n->in[1], "the sizes", cuts->size, n->n_out, &count))
        return false;
    if (count != n->n_out)
        return check_fail(c, n, "has %u sizes and %u outputs; they must be equal", count, n->n_out);
    int64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (cuts->size[i] == -1 && open == UINT32_MAX) {
            open = i;
            continue;
        }
        if (cuts->size[i] < 0 || cuts->size[i] > extent)
            return check_fail(c, n, "size %u is %lld; supported: 0 to %lld, and -1 once", i, (long long)cuts->size[i],
                              (long long)extent);
        sum += cuts->size[i];
    }
    if (open != UINT32_MAX)
        sum += cuts->size[open] = extent - sum;
    if (sum != extent || (open != UINT32_MAX && cuts->size[open] < 0))
        return check_fail(c, n, "the sizes do not add up to %lld, dimension %d of input %s", (long long)extent,
                          cuts->axis, air_shape_text(c->arena, cuts->in));
    return true;
}

static bool single_parts(const HeliaOpContext *c, const AirNode *n, Cuts *cuts)
{
    const UnpackOptions *o = n->options;
    cuts->drop = true;
    cuts->axis = check_axis(c, n, o->axis, cuts->in, 0);
    if (cuts->axis < 0)
        return false;
    if (cuts->in->dim[cuts->axis] != (int32_t)n->n_out)
        return check_fail(c, n, "dimension %d of input %s is unpacked into %u outputs; they must be equal", cuts->axis,
                          air_shape_text(c->arena, cuts->in), n->n_out);
    return equal_parts(c, n, cuts);
}

static bool is_key(const AirNode *n, const char *key)
{
    return strcmp(n->op->type, key) == 0;
}

static uint32_t data_operand(const AirNode *n)
{
    return is_key(n, "SPLIT") ? 1 : 0;
}

static bool cut(const HeliaOpContext *c, const AirNode *n, Cuts *cuts)
{
    *cuts = (Cuts){.in = n->in[data_operand(n)], .size = HELIA_NEW_N(c->arena, int64_t, n->n_out)};
    if (is_key(n, "SPLIT"))
        return axis_operand(c, n, 0, cuts) && equal_parts(c, n, cuts);
    if (is_key(n, "SPLIT_V"))
        return axis_operand(c, n, 2, cuts) && given_parts(c, n, cuts);
    return single_parts(c, n, cuts);
}

static Strided part(const Cuts *cuts, uint32_t i, int64_t at)
{
    const AirTensor *in = cuts->in;
    Strided s = {.first = at * row_major_step(in, cuts->axis)};
    for (int32_t d = 0; d < in->rank; d++) {
        if (d == cuts->axis && cuts->drop)
            continue;
        s.dim[s.rank] = d == cuts->axis ? (int32_t)cuts->size[i] : in->dim[d];
        s.step[s.rank++] = row_major_step(in, d);
    }
    return s;
}

static bool infer(const HeliaOpContext *c, AirNode *n)
{
    Cuts cuts;
    bool ok = cut(c, n, &cuts);
    for (uint32_t i = 0; ok && i < n->n_out; i++) {
        Strided s = part(&cuts, i, 0);
        ok = infer_output(c, n, i, s.rank, s.dim);
    }
    return ok;
}

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    return check_movement(c, n, data_operand(n));
}

static bool prepare(const HeliaOpContext *c, AirNode *n)
{
    Cuts cuts;
    helia_strided_copy_params *p = HELIA_NEW_N(c->arena, helia_strided_copy_params, n->n_out);
    n->params = p;
    bool ok = cut(c, n, &cuts);
    air_arg(n, c->graph, n->in[data_operand(n)], false);
    int64_t at = 0;
    for (uint32_t i = 0; ok && i < n->n_out; i++) {
        Strided s = part(&cuts, i, at);
        ok = strided_plan(c, n, cuts.in, &s, &p[i]);
        at += cuts.size[i];
        air_arg(n, c->graph, n->out[i], true);
    }
    return ok;
}

static const HeliaKernel kernels[] = {STRIDED_ROW(prepare)};

#define CLASS(variable, key, text, inputs)                                                                             \
    static const HeliaOpClass variable = {                                                                             \
        .type = key,                                                                                                   \
        .doc = text,                                                                                                   \
        .traits = HELIA_OP_MOVES,                                                                                      \
        .min_in = inputs,                                                                                              \
        .max_in = inputs,                                                                                              \
        .infer = infer,                                                                                                \
        .on_resolve = resolve,                                                                                         \
        .kernels = kernels,                                                                                            \
        .n_kernels = FIELD_COUNT(kernels),                                                                             \
        .emit = strided_emit,                                                                                          \
        .eval = strided_eval,                                                                                          \
        .part = strided_part,                                                                                          \
    }
CLASS(split_class, "SPLIT", "equal parts along an axis", 2);
CLASS(split_v_class, "SPLIT_V", "parts of given sizes along an axis", 3);
CLASS(unpack_class, "UNPACK", "the layers of a dimension", 1);
#undef CLASS

bool op_split_register(HeliaRegistryContext *r)
{
    bool ok = helia_register_op(r, &split_class, &split_parser, &split_options);
    ok = helia_register_op(r, &split_v_class, &split_v_parser, &split_v_options) && ok;
    return helia_register_op(r, &unpack_class, &unpack_parser, &unpack_options) && ok;
}
