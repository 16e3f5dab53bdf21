/* MEAN: over constant axes (negative ones count from the end, repeated ones count once); int8, int16 and float32.
 * The quantised factor is divided by the number of elements before it is used, as the reference does: one rounding. */
#include <helia_aot/emit.h>

#include "helia_mean.h"
#include "helia_sum_dsp.h"
#include "op/check.h"
#include "op/op_list.h"
#include "op/print.h"

typedef struct ReducerOptions {
    bool keep_dims;
} ReducerOptions;

static const HeliaField fields[] = {
    FIELD_BOOL(ReducerOptions, keep_dims),
};
static const HeliaOptionsClass options_class = {"ReducerOptions", sizeof(ReducerOptions), fields, FIELD_COUNT(fields)};

static bool parse(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self;
    ReducerOptions *o = node->options;
    o->keep_dims = litert_opt_int(p->op, "ReducerOptions", "keep_dims", 0) != 0;
    return true;
}
static const HeliaLitertParser parser = {parse, NULL};

static bool read_axes(const HeliaOpContext *c, const AirNode *n, bool reduced[AIR_MAX_RANK])
{
    const AirTensor *in = n->in[0];
    int64_t axes[2 * AIR_MAX_RANK];
    uint32_t count;
    if (!constant_ints(c, n, n->in[1], "axes", axes, FIELD_COUNT(axes), &count))
        return false;
    for (int32_t d = 0; d < AIR_MAX_RANK; d++)
        reduced[d] = false;
    for (uint32_t i = 0; i < count; i++) {
        int64_t axis = axes[i] < 0 ? axes[i] + in->rank : axes[i];
        if (axis < 0 || axis >= in->rank)
            return check_fail(c, n, "axis %lld is outside input %s; supported: %d to %d", (long long)axes[i],
                              air_shape_text(c->arena, in), -in->rank, in->rank - 1);
        reduced[axis] = true;
    }
    return true;
}

static bool infer(const HeliaOpContext *c, AirNode *n)
{
    const ReducerOptions *o = n->options;
    const AirTensor *in = n->in[0];
    bool reduced[AIR_MAX_RANK];
    if (!read_axes(c, n, reduced))
        return false;
    int32_t rank = 0, dim[AIR_MAX_RANK];
    for (int32_t d = 0; d < in->rank; d++)
        if (!reduced[d] || o->keep_dims)
            dim[rank++] = reduced[d] ? 1 : in->dim[d];
    return infer_output(c, n, 0, rank, dim);
}

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const int types[] = {AIR_S8, AIR_S16, AIR_F32, -1};
    const AirTensor *in = n->in[0], *out = n->out[0];
    bool ok = check_in_type(c, n, 0, "input", types);
    if (in->type != out->type)
        ok = check_fail(c, n, "input is %s and output %s; they must be equal", air_type_doc(in->type),
                        air_type_doc(out->type));
    ok = check_per_tensor(c, n, in, "input") && ok;
    return check_per_tensor(c, n, out, "output") && ok;
}

/* ---- kernels ---------------------------------------------------------------------------------- */
/* Fills the loops and counts the elements behind one output. NULL, or why there are none. */
static const char *plan_loops(const HeliaOpContext *c, const AirNode *n, helia_mean_loops *loops, int64_t *count)
{
    enum { LOOPS = 3 };
    const AirTensor *in = n->in[0];
    bool reduced[AIR_MAX_RANK];
    if (!read_axes(c, n, reduced))
        return "the axes are unknown";
    for (int i = 0; i < LOOPS; i++)
        loops->kept[i] = loops->reduced[i] = 1;
    *count = 1;
    int32_t free_slots[2] = {LOOPS, LOOPS}, previous = -1, stride = 1;
    for (int32_t d = in->rank - 1; d >= 0; d--) { /* innermost first, into the last slot */
        int32_t kind = reduced[d];
        *count *= kind ? in->dim[d] : 1;
        if (in->dim[d] == 1)
            continue;
        int32_t *extents = kind ? loops->reduced : loops->kept,
                *strides = kind ? loops->reduced_stride : loops->kept_stride;
        if (kind == previous) {
            extents[free_slots[kind]] *= in->dim[d];
        } else if (free_slots[kind] == 0) {
            return helia_format(
                c->arena, "kept and reduced dimensions of %s alternate more often than the %d times that are supported",
                air_shape_text(c->arena, in), LOOPS);
        } else {
            extents[--free_slots[kind]] = in->dim[d];
            strides[free_slots[kind]] = stride;
            previous = kind;
        }
        stride *= in->dim[d];
    }
    if (*count == 0)
        return helia_format(c->arena, "input %s has no elements to take the mean of", air_shape_text(c->arena, in));
    return NULL;
}

static void set_args(const HeliaOpContext *c, AirNode *n, const void *params)
{
    n->params = params;
    air_arg(n, c->graph, n->in[0], false);
    air_arg(n, c->graph, n->out[0], true);
}

/* m * 2^(e - 31) becomes that divided by count, with as many bits as 64-bit and 32-bit shifts allow. */
static void divide_multiplier(int64_t count, int32_t *m, int32_t *e)
{
    int32_t shift = 0; /* 63 - leading zeros of count */
    while (count >> (shift + 1))
        shift++;
    shift = shift < 32 ? shift : 32;
    shift = shift < 31 + *e ? shift : 31 + *e;
    *m = (int32_t)((int64_t)*m * (INT64_C(1) << shift) / count);
    *e -= shift;
}

static bool prepare_int(const HeliaOpContext *c, AirNode *n)
{
    const AirTensor *in = n->in[0], *out = n->out[0];
    helia_mean_params *p = HELIA_NEW(c->arena, helia_mean_params);
    int64_t count;
    set_args(c, n, p);
    const char *why = plan_loops(c, n, &p->loops, &count);
    if (why)
        return check_fail(c, n, "%s", why);
    double factor = (double)scale_of(in) / (double)scale_of(out);
    if (!check_multiplier(c, n, "the scales of input and output", factor, &p->multiplier, &p->exponent))
        return false;
    divide_multiplier(count, &p->multiplier, &p->exponent);
    type_range(out->type, &p->min, &p->max);
    p->offset = (int32_t)(zero_of(in) * count);
    p->zero_out = zero_of(out);
    if (count > INT32_MAX / (in->type == AIR_S8 ? 256 : 32768))
        helia_warn(c->diag, air_node_loc(c->graph, n),
                   "the sum of %lld elements can exceed 32 bits; it wraps as the reference's does", (long long)count);
    return true;
}

static bool prepare_f32(const HeliaOpContext *c, AirNode *n)
{
    helia_mean_f32_params *p = HELIA_NEW(c->arena, helia_mean_f32_params);
    int64_t count;
    set_args(c, n, p);
    const char *why = plan_loops(c, n, &p->loops, &count);
    if (why)
        return check_fail(c, n, "%s", why);
    p->count = (float)count;
    return true;
}

/* Height and width, say, or the time steps of a sequence: what is reduced lies together and before the last dimension. */
static const char *fits_dsp(const HeliaOpContext *c, const AirNode *n)
{
    helia_mean_loops loops;
    int64_t count;
    const char *why = fits_out_s8(c, n);
    why = why ? why : plan_loops(c, n, &loops, &count);
    if (why)
        return why;
    if (loops.reduced[0] != 1 || loops.reduced[1] != 1)
        return "the reduced dimensions are no neighbours";
    if (loops.kept[2] == 1 || loops.kept_stride[2] != 1)
        return "the last dimension is reduced";
    return count > HELIA_SUM_AREA ? helia_format(c->arena, "more than %d elements are reduced to one", HELIA_SUM_AREA)
                                  : NULL;
}

static const HeliaKernel kernels[] = {
    {"helia_mean_s8_dsp", "mean/helia_mean_s8_dsp.c", HELIA_ISA_DSP, "int8", fits_dsp, prepare_int, NULL, NULL,
     "mean/helia_mean_s8_dsp_body.h", NULL},
    {"helia_mean_s8_c", "mean/helia_mean_s8_c.c", HELIA_ISA_C, "int8", fits_out_s8, prepare_int, NULL},
    {"helia_mean_s16_c", "mean/helia_mean_s16_c.c", HELIA_ISA_C, "int16", fits_out_s16, prepare_int, NULL},
    {"helia_mean_f32_c", "mean/helia_mean_f32_c.c", HELIA_ISA_C, "float32", fits_out_f32, prepare_f32, NULL},
};

/* ---- emission and evaluation ------------------------------------------------------------------ */
static void print_loops(HeliaOut *o, const helia_mean_loops *l)
{
    helia_out_open(o, ".loops =");
    print_ints(o, "kept", l->kept, 3);
    print_ints(o, "kept_stride", l->kept_stride, 3);
    print_ints(o, "reduced", l->reduced, 3);
    print_ints(o, "reduced_stride", l->reduced_stride, 3);
    helia_out_close(o, ",");
}

static void print_int_params(HeliaOut *o, const void *params)
{
    const helia_mean_params *p = params;
    print_loops(o, &p->loops);
    PRINT_INT(o, p, offset);
    PRINT_INT(o, p, zero_out);
    PRINT_INT(o, p, multiplier);
    PRINT_INT(o, p, exponent);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

static void print_f32_params(HeliaOut *o, const void *params)
{
    const helia_mean_f32_params *p = params;
    print_loops(o, &p->loops);
    PRINT_FLOAT(o, p, count);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    if (n->out[0]->type == AIR_F32)
        return helia_emit_kernel_call(e, n, "helia_mean_f32_params", print_f32_params);
    return helia_emit_kernel_call(e, n, "helia_mean_params", print_int_params);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    const void *in = helia_eval_ptr(v, n->in[0]);
    void *out = helia_eval_ptr(v, n->out[0]);
    if (n->out[0]->type == AIR_F32)
        helia_mean_f32_c(n->params, in, out);
    else if (n->out[0]->type == AIR_S16)
        helia_mean_s16_c(n->params, in, out);
    else
        helia_mean_s8_c(n->params, in, out);
    return true;
}

static const HeliaOpClass mean_class = {
    .type = "MEAN",
    .doc = "mean over dimensions",
    .min_in = 2,
    .max_in = 2,
    .n_out = 1,
    .infer = infer,
    .on_resolve = resolve,
    .kernels = kernels,
    .n_kernels = FIELD_COUNT(kernels),
    .emit = emit,
    .eval = eval,
};

bool op_mean_register(HeliaRegistryContext *r)
{
    return helia_register_op(r, &mean_class, &parser, &options_class);
}
