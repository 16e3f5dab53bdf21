/* Dimensions of size 1 are dropped, and neighbours that both operands walk alike are merged. */
#include "op/broadcast.h"

/* The operand's dimension that meets dimension d of the output; leading ones are 1. */
static int32_t aligned_dim(const AirTensor *t, int32_t out_rank, int32_t d)
{
    int32_t i = d - (out_rank - t->rank);
    return i < 0 ? 1 : t->dim[i];
}

bool broadcast_plan(const HeliaOpContext *c, const AirNode *n, const AirTensor *a, const AirTensor *b,
                    helia_broadcast *shape)
{
    const AirTensor *out = n->out[0];
    /* Collected innermost first: extents, and whether each operand has the dimension or is repeated along it. */
    int32_t extent[AIR_MAX_RANK];
    bool has_a[AIR_MAX_RANK], has_b[AIR_MAX_RANK];
    int32_t loops = 0;
    for (int32_t d = out->rank - 1; d >= 0; d--) {
        if (out->dim[d] == 1)
            continue;
        bool in_a = aligned_dim(a, out->rank, d) != 1, in_b = aligned_dim(b, out->rank, d) != 1;
        if (loops > 0 && has_a[loops - 1] == in_a && has_b[loops - 1] == in_b) {
            extent[loops - 1] *= out->dim[d];
        } else {
            extent[loops] = out->dim[d];
            has_a[loops] = in_a;
            has_b[loops] = in_b;
            loops++;
        }
    }
    if (loops > HELIA_BROADCAST_RANK)
        return check_fail(c, n, "broadcasting %s and %s needs %d loops; at most %d are supported",
                          air_shape_text(c->arena, a), air_shape_text(c->arena, b), loops, HELIA_BROADCAST_RANK);
    *shape = (helia_broadcast){.rank = 1, .dim = {1}};
    if (air_count(out) == 0) {
        shape->dim[0] = 0;
        return true;
    }
    if (loops > 0)
        shape->rank = loops;
    int32_t size_a = 1, size_b = 1;
    for (int32_t i = 0; i < loops; i++) {
        int32_t d = loops - 1 - i;
        shape->dim[d] = extent[i];
        shape->stride_a[d] = has_a[i] ? size_a : 0;
        shape->stride_b[d] = has_b[i] ? size_b : 0;
        size_a *= has_a[i] ? extent[i] : 1;
        size_b *= has_b[i] ? extent[i] : 1;
    }
    return true;
}

void binary_args(const HeliaOpContext *c, AirNode *n, const void *params)
{
    n->params = params;
    air_arg(n, c->graph, n->in[0], false);
    air_arg(n, c->graph, n->in[1], false);
    air_arg(n, c->graph, n->out[0], true);
}
