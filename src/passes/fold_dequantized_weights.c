/* fold_dequantized_weights: weights that are stored in a shorter form only to be expanded are expanded here.
 *
 *     w f16[8x3x3x4], a constant -> DEQUANTIZE -> f32[8x3x3x4] -> CONV_2D         w f32[8x3x3x4], a constant -> CONV_2D
 *
 * The module then reads them where they lie; expanded at run time they would take as much writable memory and be
 * expanded anew for every inference. Each value is one product, rounded once, so it has the same bits everywhere.
 * Operators that only move such weights follow. One that makes a graph output stays: the output needs storage of its own. */
#include "passes/passes_int.h"

#include <string.h>

static bool is_weight(const AirGraph *g, const AirNode *n)
{
    const bool expands = strcmp(n->op_type, "DEQUANTIZE") == 0;
    if (!pass_inputs_are_constant(n) || !(expands || n->op->traits & (HELIA_OP_MOVES | HELIA_OP_VIEW)))
        return false;
    return n->n_out == 1 && n->out[0]->type == AIR_F32 && !pass_is_graph_output(g, n->out[0]);
}

bool fold_dequantized_weights(const HeliaTransform *self, const HeliaOpContext *c, const HeliaRegistryContext *registry)
{
    (void)self;
    const PassEval e = pass_eval(c, registry);
    pass_fold(&e, is_weight);
    return true;
}
