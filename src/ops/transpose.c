/* TRANSPOSE: dimension i of the output is dimension perm[i] of the input; a constant permutation. */
#include "op/copy.h"
#include "op/op_list.h"
#include "op/strided.h"

static bool parse(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self, (void)p, (void)node;
    return true;
}
static const HeliaLitertParser parser = {parse, NULL};

static bool permute(const HeliaOpContext *c, const AirNode *n, Strided *s)
{
    const AirTensor *in = n->in[0];
    int64_t perm[AIR_MAX_RANK];
    uint32_t count, seen = 0;
    if (!constant_ints(c, n, n->in[1], "the permutation", perm, AIR_MAX_RANK, &count))
        return false;
    if (count != (uint32_t)in->rank)
        return check_fail(c, n, "the permutation has %u elements; input %s needs %d", count,
                          air_shape_text(c->arena, in), in->rank);
    *s = (Strided){.rank = in->rank};
    for (int32_t i = 0; i < in->rank; i++) {
        int32_t d = check_axis(c, n, perm[i], in, 0);
        if (d < 0)
            return false;
        if (seen >> d & 1u)
            return check_fail(c, n, "the permutation has dimension %d twice", d);
        seen |= 1u << d;
        s->dim[i] = in->dim[d];
        s->step[i] = row_major_step(in, d);
    }
    return true;
}

static bool infer(const HeliaOpContext *c, AirNode *n)
{
    Strided s;
    return permute(c, n, &s) && infer_output(c, n, 0, s.rank, s.dim);
}

static const HeliaOpClass view_class = {
    .type = "TRANSPOSE",
    .doc = "the whole input as a view",
    .traits = HELIA_OP_VIEW,
    .min_in = 2,
    .max_in = 2,
    .n_out = 1,
    .infer = infer,
    .eval = copy_eval,
};

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    Strided s;
    return permute(c, n, &s) && strided_resolve(c, n, &s, &view_class);
}

static const HeliaKernel kernels[] = {STRIDED_ROW(NULL)};

static const HeliaOpClass transpose_class = {
    .type = "TRANSPOSE",
    .doc = "dimensions in another order",
    .traits = HELIA_OP_MOVES,
    .min_in = 2,
    .max_in = 2,
    .n_out = 1,
    .infer = infer,
    .on_resolve = resolve,
    .kernels = kernels,
    .n_kernels = FIELD_COUNT(kernels),
    .emit = strided_emit,
    .eval = strided_eval,
    .part = strided_part,
};

bool op_transpose_register(HeliaRegistryContext *r)
{
    return helia_register_op(r, &transpose_class, &parser, NULL);
}
