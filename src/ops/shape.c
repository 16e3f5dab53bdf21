/* SHAPE and RANK: the dimensions of the input and their number. Shapes are known at compile time, so the result is a
 * constant; where fold_static_shape_expressions does not use it, it is copied. */
#include "op/check.h"
#include "op/copy.h"
#include "op/op_list.h"

/* The option out_type repeats the output's type. */
static bool parse(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self, (void)p, (void)node;
    return true;
}
static const HeliaLitertParser parser = {parse, NULL};

static bool infer_shape(const HeliaOpContext *c, AirNode *n)
{
    return infer_output(c, n, 0, 1, &n->in[0]->rank);
}

static bool infer_rank(const HeliaOpContext *c, AirNode *n)
{
    return infer_output(c, n, 0, 0, n->in[0]->dim);
}

static bool give(const HeliaOpContext *c, AirNode *n, const void *values)
{
    const AirTensor *out = n->out[0];
    const char *name = helia_format(c->arena, "%s_value", n->cname);
    air_arg(n, c->graph, air_constant_new(c->graph, name, out->type, out->rank, out->dim, values), false);
    air_arg(n, c->graph, n->out[0], true);
    return true;
}

static bool resolve_shape(const HeliaOpContext *c, AirNode *n)
{
    static const int types[] = {AIR_S32, AIR_S64, -1};
    if (!check_out_type(c, n, 0, "output", types))
        return false;
    int64_t wide[AIR_MAX_RANK] = {0};
    for (int32_t d = 0; d < n->in[0]->rank; d++)
        wide[d] = n->in[0]->dim[d];
    return give(c, n, n->out[0]->type == AIR_S64 ? (const void *)wide : n->in[0]->dim);
}

static bool resolve_rank(const HeliaOpContext *c, AirNode *n)
{
    static const int types[] = {AIR_S32, -1};
    return check_out_type(c, n, 0, "output", types) && give(c, n, &n->in[0]->rank);
}

#define CLASS(name, key, text)                                                                                         \
    static const HeliaOpClass name##_class = {                                                                         \
        .type = key,                                                                                                   \
        .doc = text,                                                                                                   \
        .traits = HELIA_OP_STATIC,                                                                                     \
        .min_in = 1,                                                                                                   \
        .max_in = 1,                                                                                                   \
        .n_out = 1,                                                                                                    \
        .infer = infer_##name,                                                                                         \
        .on_resolve = resolve_##name,                                                                                  \
        .emit = copy_emit,                                                                                             \
        .eval = copy_eval,                                                                                             \
    }
CLASS(shape, "SHAPE", "the input's dimensions");
CLASS(rank, "RANK", "how many dimensions the input has");
#undef CLASS

bool op_shape_register(HeliaRegistryContext *r)
{
    bool ok = helia_register_op(r, &shape_class, &parser, NULL);
    return helia_register_op(r, &rank_class, &parser, NULL) && ok;
}
