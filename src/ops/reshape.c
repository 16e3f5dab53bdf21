/* RESHAPE: the same bytes under another shape, any type; no code is emitted.
 * The shape operand wins over the option new_shape; one dimension may be -1. */
#include <string.h>

#include "op/check.h"
#include "op/op_list.h"

typedef struct ReshapeOptions {
    int32_t new_shape[AIR_MAX_RANK];
    uint32_t n_new_shape;
} ReshapeOptions;

static const HeliaField fields[] = {
    FIELD_INTS(ReshapeOptions, new_shape, n_new_shape),
};
static const HeliaOptionsClass options_class = {"ReshapeOptions", sizeof(ReshapeOptions), fields, FIELD_COUNT(fields)};

static bool parse(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self;
    ReshapeOptions *o = node->options;
    LitertInts shape = litert_opt_ints(p->op, "ReshapeOptions", "new_shape");
    if (shape.len > AIR_MAX_RANK)
        return helia_error(p->diag, p->at, "new_shape has %u dimensions; at most %d are supported", shape.len,
                           AIR_MAX_RANK);
    o->n_new_shape = shape.len;
    for (uint32_t i = 0; i < shape.len; i++)
        o->new_shape[i] = shape.at[i];
    return true;
}
static const HeliaLitertParser parser = {parse, NULL};

/* The wanted shape, -1 not yet replaced. A new_shape of [0] is how old files spell rank 0. */
static bool wanted_shape(const HeliaOpContext *c, const AirNode *n, int64_t *dim, uint32_t *rank)
{
    const ReshapeOptions *o = n->options;
    if (n->n_in > 1 && n->in[1])
        return constant_ints(c, n, n->in[1], "the shape operand", dim, AIR_MAX_RANK, rank);
    *rank = o->n_new_shape == 1 && o->new_shape[0] == 0 ? 0 : o->n_new_shape;
    for (uint32_t i = 0; i < *rank; i++)
        dim[i] = o->new_shape[i];
    return true;
}

static bool infer(const HeliaOpContext *c, AirNode *n)
{
    int64_t wanted[AIR_MAX_RANK] = {0};
    int32_t dim[AIR_MAX_RANK];
    uint32_t rank;
    if (!wanted_shape(c, n, wanted, &rank))
        return false;
    const int64_t count = air_count(n->in[0]);
    const int32_t none = -1;
    int32_t open = none;
    int64_t known = 1;
    for (uint32_t i = 0; i < rank; i++) {
        if (wanted[i] == -1 && open == none) {
            open = (int32_t)i;
            continue;
        }
        if (wanted[i] < 0 || wanted[i] > INT32_MAX)
            return check_fail(c, n, "dimension %u of the new shape is %lld; supported: sizes, and -1 once", i,
                              (long long)wanted[i]);
        dim[i] = (int32_t)wanted[i];
        known *= dim[i];
        if (known > INT32_MAX)
            return check_fail(c, n, "the new shape has more elements than input %s",
                              air_shape_text(c->arena, n->in[0]));
    }
    if (open != none) {
        if (known == 0 || count % known != 0)
            return check_fail(c, n, "input %s has %lld elements, which the other dimensions' %lld do not divide",
                              air_shape_text(c->arena, n->in[0]), (long long)count, (long long)known);
        dim[open] = (int32_t)(count / known);
    } else if (known != count) {
        return check_fail(c, n, "input %s has %lld elements and the new shape %lld; they must be equal",
                          air_shape_text(c->arena, n->in[0]), (long long)count, (long long)known);
    }
    return infer_output(c, n, 0, (int32_t)rank, dim);
}

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    const AirTensor *in = n->in[0], *out = n->out[0];
    if (in->type != out->type)
        return check_fail(c, n, "input is %s and output %s; they must be equal", air_type_doc(in->type),
                          air_type_doc(out->type));
    if (!air_same_quant(in, out))
        helia_warn(c->diag, air_node_loc(c->graph, n),
                   "input and output have different quantisation; the values are handed on as they are");
    air_arg(n, c->graph, n->in[0], false); /* and not the shape operand, which is spent */
    air_arg(n, c->graph, n->out[0], true);
    return true;
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    memmove(helia_eval_ptr(v, n->out[0]), helia_eval_ptr(v, n->in[0]), air_bytes(n->in[0]));
    return true;
}

static const HeliaOpClass reshape_class = {
    .type = "RESHAPE",
    .doc = "another shape for the same bytes",
    .traits = HELIA_OP_VIEW | HELIA_OP_PRUNABLE,
    .min_in = 1,
    .max_in = 2,
    .n_out = 1,
    .infer = infer,
    .on_resolve = resolve,
    .eval = eval,
};

bool op_reshape_register(HeliaRegistryContext *r)
{
    return helia_register_op(r, &reshape_class, &parser, &options_class);
}
