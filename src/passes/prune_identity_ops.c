/* prune_identity_ops: an operator that hands its first input on unchanged is removed.
 *
 *     x -> RESHAPE [1x64] -> [1x64] -> y          x -> y
 *
 * Which operators can be identities their class says (HELIA_OP_PRUNABLE). One that makes a graph output stays: the
 * output needs storage of its own. */
#include "passes/passes_int.h"

static bool is_identity(const HeliaRegistryContext *registry, const AirNode *n)
{
    const HeliaOpClass *op = helia_registry_get(registry->aot_operator_classes, n->op_type);
    if (!op || !(op->traits & HELIA_OP_PRUNABLE) || n->n_in == 0 || n->n_out != 1 || !n->in[0])
        return false;
    const AirTensor *in = n->in[0], *out = n->out[0];
    return in->type == out->type && air_same_shape(in, out) && air_same_quant(in, out) && !in->is_variable;
}

bool prune_identity_ops(const HeliaTransform *self, const HeliaOpContext *c, const HeliaRegistryContext *registry)
{
    (void)self;
    AirGraph *g = c->graph;
    uint32_t len = 0;
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        AirNode *n = g->nodes.at[i];
        if (is_identity(registry, n) && !pass_is_graph_output(g, n->out[0]))
            air_replace_uses(g, n->out[0], n->in[0]);
        else
            g->nodes.at[len++] = n;
    }
    g->nodes.len = len;
    air_rebuild_uses(g);
    return true;
}
