/* fold_static_shape_expressions: what is known at compile time is computed there.
 *
 *     x [1x7x7x8] -> SHAPE -> STRIDED_SLICE [0:1] -> PACK (., 392) -> s       x -> RESHAPE [1x392] -> y
 *     x -> RESHAPE s -> y                                                     with s = {1, 392}, a constant
 *
 * That is SHAPE and RANK, and any operator whose inputs are all constant, evaluated with the portable kernels. Operators
 * stay that make a graph output, that compute floats (the target's arithmetic may differ in the last bit), and those
 * whose result is larger than what it is made of and than a kilobyte: weights that are stored in a shorter form. */
#include "passes/passes_int.h"

enum { SMALL = 1024 };

static bool is_float(AirType type)
{
    return type == AIR_F32 || type == AIR_F16;
}

static bool can_fold(const AirGraph *g, const AirNode *n)
{
    const uint32_t traits = n->op->traits;
    if (traits & HELIA_OP_STATEFUL || n->n_out == 0)
        return false;
    if (!(traits & HELIA_OP_STATIC) && !pass_inputs_are_constant(n))
        return false;
    size_t from = SMALL, to = 0, in = 0;
    for (uint32_t i = 0; i < n->n_in; i++)
        in += n->in[i] && air_is_constant(n->in[i]) ? air_bytes(n->in[i]) : 0;
    for (uint32_t i = 0; i < n->n_out; i++) {
        to += air_bytes(n->out[i]);
        if (pass_is_graph_output(g, n->out[i]) ||
            (is_float(n->out[i]->type) && !(traits & (HELIA_OP_MOVES | HELIA_OP_VIEW))))
            return false;
    }
    return to <= (in > from ? in : from);
}

bool fold_static_shape_expressions(const HeliaTransform *self, const HeliaOpContext *c,
                                   const HeliaRegistryContext *registry)
{
    (void)self;
    const PassEval e = pass_eval(c, registry);
    pass_fold(&e, can_fold);
    return true;
}
