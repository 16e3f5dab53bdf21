/* SLICE: a box of the input; constant begin and size, where -1 goes to the end. */
#include "op/copy.h"
#include "op/op_list.h"
#include "op/strided.h"

static bool parse(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self, (void)p, (void)node;
    return true;
}
static const HeliaLitertParser parser = {parse, NULL};

static bool slice(const HeliaOpContext *c, const AirNode *n, Strided *s)
{
    const AirTensor *in = n->in[0];
    int64_t begin[AIR_MAX_RANK], size[AIR_MAX_RANK];
    uint32_t n_begin, n_size;
    if (!constant_ints(c, n, n->in[1], "begin", begin, AIR_MAX_RANK, &n_begin) ||
        !constant_ints(c, n, n->in[2], "size", size, AIR_MAX_RANK, &n_size))
        return false;
    if (n_begin != (uint32_t)in->rank || n_size != (uint32_t)in->rank)
        return check_fail(c, n, "begin has %u elements and size %u; input %s needs one a dimension", n_begin, n_size,
                          air_shape_text(c->arena, in));
    *s = (Strided){.rank = in->rank};
    for (int32_t d = 0; d < in->rank; d++) {
        const int64_t extent = in->dim[d];
        if (begin[d] < 0 || begin[d] > extent || size[d] < -1 || size[d] > extent - begin[d])
            return check_fail(
                c, n, "dimension %d is cut at %lld with size %lld; it must lie within %lld (size -1: to the end)", d,
                (long long)begin[d], (long long)size[d], (long long)extent);
        s->dim[d] = (int32_t)(size[d] < 0 ? extent - begin[d] : size[d]);
        s->step[d] = row_major_step(in, d);
        s->first += begin[d] * s->step[d];
    }
    return true;
}

static bool infer(const HeliaOpContext *c, AirNode *n)
{
    Strided s;
    return slice(c, n, &s) && infer_output(c, n, 0, s.rank, s.dim);
}

static const HeliaOpClass view_class = {
    .type = "SLICE",
    .doc = "the whole input as a view",
    .traits = HELIA_OP_VIEW,
    .min_in = 3,
    .max_in = 3,
    .n_out = 1,
    .infer = infer,
    .eval = copy_eval,
};

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    Strided s;
    return slice(c, n, &s) && strided_resolve(c, n, &s, &view_class);
}

static const HeliaKernel kernels[] = {STRIDED_ROW(NULL)};

static const HeliaOpClass slice_class = {
    .type = "SLICE",
    .doc = "a box of the input",
    .traits = HELIA_OP_PRUNABLE | HELIA_OP_MOVES,
    .min_in = 3,
    .max_in = 3,
    .n_out = 1,
    .infer = infer,
    .on_resolve = resolve,
    .kernels = kernels,
    .n_kernels = FIELD_COUNT(kernels),
    .emit = strided_emit,
    .eval = strided_eval,
    .part = strided_part,
};

bool op_slice_register(HeliaRegistryContext *r)
{
    return helia_register_op(r, &slice_class, &parser, NULL);
}
