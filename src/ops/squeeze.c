/* SQUEEZE and EXPAND_DIMS: dimensions of 1 dropped or made; the same bytes, no code is emitted. */
#include <string.h>

#include "op/op_list.h"
#include "op/strided.h"

typedef struct SqueezeOptions {
    int32_t squeeze_dims[AIR_MAX_RANK];
    uint32_t n_squeeze_dims;
} SqueezeOptions;

static const HeliaField fields[] = {FIELD_INTS(SqueezeOptions, squeeze_dims, n_squeeze_dims)};
static const HeliaOptionsClass squeeze_options = {"SqueezeOptions", sizeof(SqueezeOptions), fields,
                                                  FIELD_COUNT(fields)};

static bool parse_squeeze(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self;
    SqueezeOptions *o = node->options;
    LitertInts dims = litert_opt_ints(p->op, "SqueezeOptions", "squeeze_dims");
    if (dims.len > AIR_MAX_RANK)
        return helia_error(p->diag, p->at, "squeeze_dims has %u dimensions; at most %d are supported", dims.len,
                           AIR_MAX_RANK);
    o->n_squeeze_dims = dims.len;
    for (uint32_t i = 0; i < dims.len; i++)
        o->squeeze_dims[i] = dims.at[i];
    return true;
}
static const HeliaLitertParser squeeze_parser = {parse_squeeze, NULL};

static bool parse_expand(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self, (void)p, (void)node;
    return true;
}
static const HeliaLitertParser expand_parser = {parse_expand, NULL};

/* No squeeze_dims: all dimensions of 1. */
static bool infer_squeeze(const HeliaOpContext *c, AirNode *n)
{
    const SqueezeOptions *o = n->options;
    const AirTensor *in = n->in[0];
    uint32_t dropped = 0;
    for (uint32_t i = 0; i < o->n_squeeze_dims; i++) {
        int32_t d = check_axis(c, n, o->squeeze_dims[i], in, 0);
        if (d < 0)
            return false;
        if (in->dim[d] != 1)
            return check_fail(c, n, "squeeze_dims has dimension %d, which is %d in input %s; it must be 1", d,
                              in->dim[d], air_shape_text(c->arena, in));
        dropped |= 1u << d;
    }
    int32_t rank = 0, dim[AIR_MAX_RANK];
    for (int32_t d = 0; d < in->rank; d++)
        if (o->n_squeeze_dims ? !(dropped >> d & 1u) : in->dim[d] != 1)
            dim[rank++] = in->dim[d];
    return infer_output(c, n, 0, rank, dim);
}

static bool infer_expand(const HeliaOpContext *c, AirNode *n)
{
    const AirTensor *in = n->in[0];
    int64_t axis = 0;
    uint32_t count;
    if (!constant_ints(c, n, n->in[1], "the axis", &axis, 1, &count))
        return false;
    if (in->rank == AIR_MAX_RANK)
        return check_fail(c, n, "input %s cannot have another dimension; at most %d are supported",
                          air_shape_text(c->arena, in), AIR_MAX_RANK);
    int32_t at = check_axis(c, n, axis, in, 1), dim[AIR_MAX_RANK];
    if (at < 0)
        return false;
    for (int32_t d = 0; d <= in->rank; d++)
        dim[d] = d == at ? 1 : in->dim[d - (d > at)];
    return infer_output(c, n, 0, in->rank + 1, dim);
}

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    air_arg(n, c->graph, n->in[0], false); /* and not the axis, which is spent */
    air_arg(n, c->graph, n->out[0], true);
    return check_movement(c, n, 0);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    memmove(helia_eval_ptr(v, n->out[0]), helia_eval_ptr(v, n->in[0]), air_bytes(n->in[0]));
    return true;
}

static const HeliaOpClass squeeze_class = {
    .type = "SQUEEZE",
    .doc = "dimensions of 1 dropped",
    .traits = HELIA_OP_VIEW | HELIA_OP_PRUNABLE,
    .min_in = 1,
    .max_in = 1,
    .n_out = 1,
    .infer = infer_squeeze,
    .on_resolve = resolve,
    .eval = eval,
};
static const HeliaOpClass expand_class = {
    .type = "EXPAND_DIMS",
    .doc = "another dimension of 1",
    .traits = HELIA_OP_VIEW,
    .min_in = 2,
    .max_in = 2,
    .n_out = 1,
    .infer = infer_expand,
    .on_resolve = resolve,
    .eval = eval,
};

bool op_squeeze_register(HeliaRegistryContext *r)
{
    bool ok = helia_register_op(r, &squeeze_class, &squeeze_parser, &squeeze_options);
    return helia_register_op(r, &expand_class, &expand_parser, NULL) && ok;
}
