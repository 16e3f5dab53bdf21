/* fuse_activation: an activation behind an operator that can clamp its own result becomes part of it.
 *
 *     x -> CONV_2D {NONE} -> t -> RELU6 -> y          x -> CONV_2D {RELU6} -> y
 *
 * Which operators can their class says (HELIA_OP_CLAMPS). t and y have one quantisation, so that the activation only cuts
 * off and the same cut before the result is stored gives the same bits; t has no other reader. */
#include "passes/passes_int.h"

#include <string.h>

#include "op/quant.h"

static int32_t activation_of(const AirNode *n)
{
    return strcmp(n->op_type, "RELU") == 0           ? ACT_RELU
           : strcmp(n->op_type, "RELU6") == 0        ? ACT_RELU6
           : strcmp(n->op_type, "RELU_N1_TO_1") == 0 ? ACT_RELU_N1_TO_1
                                                     : ACT_NONE;
}

/* The activation that does what first `a` and then `b` do; ACT_NONE: there is none. */
static int32_t both(int32_t a, int32_t b)
{
    if (a == ACT_NONE || a == b)
        return b;
    const bool relus = (a == ACT_RELU || a == ACT_RELU6) && (b == ACT_RELU || b == ACT_RELU6);
    return relus ? ACT_RELU6 : ACT_NONE;
}

static bool fuse(const HeliaOpContext *c, const HeliaRegistryContext *registry, const AirNode *n)
{
    const int32_t activation = activation_of(n);
    if (activation == ACT_NONE || n->n_in != 1 || n->n_out != 1 || !n->in[0])
        return false;
    const AirTensor *t = n->in[0];
    AirTensor *y = n->out[0];
    AirNode *maker = pass_only_for(c->graph, t);
    const HeliaOpClass *op = maker ? helia_registry_get(registry->aot_operator_classes, maker->op_type) : NULL;
    int32_t *fused = op && op->traits & HELIA_OP_CLAMPS ? pass_option(registry, maker, "fused_activation_function")
                                                        : NULL;
    if (!fused || t->type != y->type || !air_same_quant(t, y) || both(*fused, activation) == ACT_NONE)
        return false;
    *fused = both(*fused, activation);
    maker->out[0] = y;
    y->def = maker;
    return true;
}

bool fuse_activation(const HeliaTransform *self, const HeliaOpContext *c, const HeliaRegistryContext *registry)
{
    (void)self;
    AirGraph *g = c->graph;
    uint32_t len = 0;
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        AirNode *n = g->nodes.at[i];
        if (!fuse(c, registry, n))
            g->nodes.at[len++] = n;
    }
    g->nodes.len = len;
    air_rebuild_uses(g);
    return true;
}
