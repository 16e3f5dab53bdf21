/* STRIDED_SLICE: every stride-th element from begin to end of each dimension; constant begin, end and strides.
 * Masks, a bit for each entry: begin and end leave the bound to the input's edge, shrink takes one element and drops the
 * dimension, new_axis makes a dimension of 1, ellipsis stands for all dimensions without an entry. */
#include "op/copy.h"
#include "op/op_list.h"
#include "op/strided.h"

typedef struct StridedSliceOptions {
    int32_t begin_mask, end_mask;
    int32_t ellipsis_mask, new_axis_mask, shrink_axis_mask;
    bool offset; /* end counts from begin */
} StridedSliceOptions;

static const HeliaField fields[] = {
    FIELD_INT(StridedSliceOptions, begin_mask),       FIELD_INT(StridedSliceOptions, end_mask),
    FIELD_INT(StridedSliceOptions, ellipsis_mask),    FIELD_INT(StridedSliceOptions, new_axis_mask),
    FIELD_INT(StridedSliceOptions, shrink_axis_mask), FIELD_BOOL(StridedSliceOptions, offset),
};
static const HeliaOptionsClass options_class = {"StridedSliceOptions", sizeof(StridedSliceOptions), fields,
                                                FIELD_COUNT(fields)};

static bool parse(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self;
    static const char table[] = "StridedSliceOptions";
    StridedSliceOptions *o = node->options;
    o->begin_mask = (int32_t)litert_opt_int(p->op, table, "begin_mask", 0);
    o->end_mask = (int32_t)litert_opt_int(p->op, table, "end_mask", 0);
    o->ellipsis_mask = (int32_t)litert_opt_int(p->op, table, "ellipsis_mask", 0);
    o->new_axis_mask = (int32_t)litert_opt_int(p->op, table, "new_axis_mask", 0);
    o->shrink_axis_mask = (int32_t)litert_opt_int(p->op, table, "shrink_axis_mask", 0);
    o->offset = litert_opt_int(p->op, table, "offset", 0) != 0;
    return true;
}
static const HeliaLitertParser parser = {parse, NULL};

/* The operands, an entry each for a dimension, a new axis or the ellipsis. */
enum { MAX_ENTRIES = 2 * AIR_MAX_RANK };
typedef struct Entries {
    uint32_t n;
    int64_t begin[MAX_ENTRIES], end[MAX_ENTRIES], stride[MAX_ENTRIES];
} Entries;

static bool has(int32_t mask, uint32_t i)
{
    return (uint32_t)mask >> i & 1u;
}

static bool read_entries(const HeliaOpContext *c, const AirNode *n, Entries *e)
{
    uint32_t n_end, n_stride;
    bool ok = constant_ints(c, n, n->in[1], "begin", e->begin, MAX_ENTRIES, &e->n);
    ok = constant_ints(c, n, n->in[2], "end", e->end, MAX_ENTRIES, &n_end) && ok;
    ok = constant_ints(c, n, n->in[3], "strides", e->stride, MAX_ENTRIES, &n_stride) && ok;
    if (!ok)
        return false;
    if (e->n != n_end || e->n != n_stride)
        return check_fail(c, n, "begin, end and strides have %u, %u and %u elements; they must be equal", e->n, n_end,
                          n_stride);
    for (uint32_t i = 0; i < e->n; i++)
        if (e->stride[i] == 0)
            return check_fail(c, n, "stride %u is 0; supported: other numbers", i);
    return true;
}

static int64_t clamp(int64_t x, int64_t lo, int64_t hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

/* Dimension d of the input through entry i: appended to the result unless it is dropped. */
static bool slice_dimension(const HeliaOpContext *c, const AirNode *n, const Entries *e, uint32_t i, int32_t d,
                            Strided *s)
{
    const StridedSliceOptions *o = n->options;
    const AirTensor *in = n->in[0];
    const int64_t size = in->dim[d], stride = e->stride[i], step = row_major_step(in, d);
    const int64_t lo = stride > 0 ? 0 : -1, hi = stride > 0 ? size : size - 1;
    int64_t begin = e->begin[i], end = e->end[i] + (o->offset ? e->begin[i] : 0);
    begin = clamp(begin < 0 ? begin + size : begin, lo, hi);
    if (has(o->begin_mask, i))
        begin = stride > 0 ? 0 : size - 1;
    if (has(o->shrink_axis_mask, i)) {
        if (stride < 1 || begin < 0 || begin >= size)
            return check_fail(c, n,
                              "entry %u takes one element of dimension %d at %lld with stride %lld; it must lie in "
                              "%lld, with a positive stride",
                              i, d, (long long)e->begin[i], (long long)stride, (long long)size);
        s->first += begin * step;
        return true;
    }
    end = clamp(end < 0 ? end + size : end, lo, hi);
    if (has(o->end_mask, i))
        end = stride > 0 ? size : -1;
    int64_t count = stride > 0 ? (end - begin + stride - 1) / stride : (begin - end - stride - 1) / -stride;
    s->first += count > 0 ? begin * step : 0;
    s->dim[s->rank] = count > 0 ? (int32_t)count : 0;
    s->step[s->rank++] = stride * step;
    return true;
}

static bool room(const HeliaOpContext *c, const AirNode *n, const Strided *s)
{
    return s->rank < AIR_MAX_RANK || check_fail(c, n, "the result has more than %d dimensions", AIR_MAX_RANK);
}

static bool slice(const HeliaOpContext *c, const AirNode *n, Strided *s)
{
    const StridedSliceOptions *o = n->options;
    const AirTensor *in = n->in[0];
    Entries e;
    if (!read_entries(c, n, &e))
        return false;
    int32_t named = 0, d = 0; /* dimensions that entries name */
    bool ellipsis = false;
    for (uint32_t i = 0; i < e.n; i++) {
        named += !has(o->ellipsis_mask, i) && !has(o->new_axis_mask, i);
        if (has(o->ellipsis_mask, i) && ellipsis)
            return check_fail(c, n, "ellipsis_mask is %d; at most one ellipsis is supported", o->ellipsis_mask);
        ellipsis = ellipsis || has(o->ellipsis_mask, i);
    }
    if (named > in->rank)
        return check_fail(c, n, "begin has entries for %d dimensions and input %s has %d", named,
                          air_shape_text(c->arena, in), in->rank);
    *s = (Strided){0};
    for (uint32_t i = 0; i <= e.n; i++) {
        const bool whole = i == e.n || has(o->ellipsis_mask, i);
        for (int32_t k = in->rank - named; whole && k > 0 && d < in->rank; k--, d++) {
            if (!room(c, n, s))
                return false;
            s->dim[s->rank] = in->dim[d];
            s->step[s->rank++] = row_major_step(in, d);
        }
        if (whole) {
            named = in->rank; /* the ellipsis has taken what is left */
        } else if (!room(c, n, s)) {
            return false;
        } else if (has(o->new_axis_mask, i)) {
            s->dim[s->rank] = 1;
            s->step[s->rank++] = 0;
        } else if (!slice_dimension(c, n, &e, i, d++, s)) {
            return false;
        }
    }
    return true;
}

static bool infer(const HeliaOpContext *c, AirNode *n)
{
    Strided s;
    return slice(c, n, &s) && infer_output(c, n, 0, s.rank, s.dim);
}

static const HeliaOpClass view_class = {
    .type = "STRIDED_SLICE",
    .doc = "the whole input as a view",
    .traits = HELIA_OP_VIEW,
    .min_in = 4,
    .max_in = 4,
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

static const HeliaOpClass strided_slice_class = {
    .type = "STRIDED_SLICE",
    .doc = "elements between two bounds at fixed steps",
    .traits = HELIA_OP_MOVES,
    .min_in = 4,
    .max_in = 4,
    .n_out = 1,
    .infer = infer,
    .on_resolve = resolve,
    .kernels = kernels,
    .n_kernels = FIELD_COUNT(kernels),
    .emit = strided_emit,
    .eval = strided_eval,
    .part = strided_part,
};

bool op_strided_slice_register(HeliaRegistryContext *r)
{
    return helia_register_op(r, &strided_slice_class, &parser, &options_class);
}
