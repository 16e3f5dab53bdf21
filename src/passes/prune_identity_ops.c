/* prune_identity_ops: an operator that hands its first input on unchanged is removed.
 *
 *     x -> RESHAPE [1x64] -> [1x64] -> y          x -> y
 *
 * Which operators are where shape and quantisation stay, their class says (HELIA_OP_PRUNABLE); of one that only moves
 * elements, a slice or a transpose, Resolve finds out. One that makes a graph output stays: the output needs storage of its
 * own. */
#include "passes/passes_int.h"

static bool is_identity(const PassEval *e, AirNode *n)
{
    const HeliaOpClass *op = helia_registry_get(e->registry->aot_operator_classes, n->op_type);
    if (!op || !(op->traits & (HELIA_OP_PRUNABLE | HELIA_OP_MOVES)) || n->n_in == 0 || n->n_out != 1 || !n->in[0])
        return false;
    const AirTensor *in = n->in[0], *out = n->out[0];
    if (in->type != out->type || !air_same_shape(in, out) || !air_same_quant(in, out) || in->is_variable)
        return false;
    return op->traits & HELIA_OP_PRUNABLE || pass_is_view(e, n);
}

bool prune_identity_ops(const HeliaTransform *self, const HeliaOpContext *c, const HeliaRegistryContext *registry)
{
    (void)self;
    const PassEval e = pass_eval(c, registry);
    AirGraph *g = c->graph;
    uint32_t len = 0;
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        AirNode *n = g->nodes.at[i];
        if (is_identity(&e, n) && !pass_is_graph_output(g, n->out[0]))
            air_replace_uses(g, n->out[0], n->in[0]);
        else
            g->nodes.at[len++] = n;
    }
    g->nodes.len = len;
    air_rebuild_uses(g);
    return true;
}
