/* Checks and shape rules that operator classes share. */
#include "op/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool check_fail(const HeliaOpContext *c, const AirNode *n, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    const char *text = helia_vformat(c->arena, fmt, args);
    va_end(args);
    return helia_error(c->diag, air_node_loc(c->graph, n), "%s", text);
}

static const char *type_list(HeliaArena *arena, const int *types)
{
    const char *text = "";
    for (; *types >= 0; types++)
        text = helia_format(arena, "%s%s%s", text, *text ? types[1] < 0 ? " or " : ", " : "",
                            air_type_doc((AirType)*types));
    return text;
}

static bool check_type(const HeliaOpContext *c, const AirNode *n, const AirTensor *t, const char *what,
                       const int *types)
{
    if (!t)
        return check_fail(c, n, "%s is missing", what);
    for (const int *p = types; *p >= 0; p++)
        if ((int)t->type == *p)
            return true;
    return check_fail(c, n, "%s \"%s\" is %s; supported: %s", what, helia_printable(c->arena, t->name),
                      air_type_doc(t->type), type_list(c->arena, types));
}

bool check_in_type(const HeliaOpContext *c, const AirNode *n, uint32_t i, const char *what, const int *types)
{
    return check_type(c, n, i < n->n_in ? n->in[i] : NULL, what, types);
}

bool check_out_type(const HeliaOpContext *c, const AirNode *n, uint32_t i, const char *what, const int *types)
{
    return check_type(c, n, i < n->n_out ? n->out[i] : NULL, what, types);
}

bool check_rank(const HeliaOpContext *c, const AirNode *n, const AirTensor *t, const char *what, int32_t lo, int32_t hi)
{
    if (t->rank >= lo && t->rank <= hi)
        return true;
    if (lo == hi)
        return check_fail(c, n, "%s %s has rank %d; supported: %d", what, air_shape_text(c->arena, t), t->rank, lo);
    return check_fail(c, n, "%s %s has rank %d; supported: %d to %d", what, air_shape_text(c->arena, t), t->rank, lo,
                      hi);
}

bool check_constant(const HeliaOpContext *c, const AirNode *n, const AirTensor *t, const char *what)
{
    if (air_is_constant(t))
        return true;
    return check_fail(c, n, "%s \"%s\" is computed at run time; it must be a constant", what,
                      helia_printable(c->arena, t->name));
}

static bool is_quantized_type(AirType type)
{
    return type == AIR_S8 || type == AIR_U8 || type == AIR_S16;
}

bool check_per_tensor(const HeliaOpContext *c, const AirNode *n, const AirTensor *t, const char *what)
{
    if (!is_quantized_type(t->type))
        return true;
    if (!t->quant)
        return check_fail(c, n, "%s \"%s\" is %s without quantisation; it needs a scale and a zero point", what,
                          helia_printable(c->arena, t->name), air_type_doc(t->type));
    if (t->quant->n != 1)
        return check_fail(c, n, "%s \"%s\" is quantised per channel (%u scales); it must be per tensor", what,
                          helia_printable(c->arena, t->name), t->quant->n);
    return true;
}

bool check_same_quant(const HeliaOpContext *c, const AirNode *n, const AirTensor *a, const AirTensor *b,
                      const char *what)
{
    if (!is_quantized_type(a->type) || air_same_quant(a, b))
        return true;
    return check_fail(c, n,
                      "%s must have the same quantisation; found scale %g zero point %d and scale %g zero point %d",
                      what, (double)scale_of(a), zero_of(a), (double)scale_of(b), zero_of(b));
}

bool check_same_shape(const HeliaOpContext *c, const AirNode *n, const AirTensor *a, const AirTensor *b,
                      const char *what)
{
    if (air_same_shape(a, b))
        return true;
    return check_fail(c, n, "%s must have the same shape; found %s and %s", what, air_shape_text(c->arena, a),
                      air_shape_text(c->arena, b));
}

bool check_fixed_quant(const HeliaOpContext *c, const AirNode *n, const AirTensor *t, const char *what, float scale,
                       int32_t zero)
{
    if (!check_per_tensor(c, n, t, what))
        return false;
    if (scale_of(t) == scale && zero_of(t) == zero)
        return true;
    return check_fail(c, n, "%s has scale %g and zero point %d; the operator's result has scale %g and zero point %d",
                      what, (double)scale_of(t), zero_of(t), (double)scale, zero);
}

bool check_activation(const HeliaOpContext *c, const AirNode *n, int32_t activation)
{
    if (activation >= ACT_NONE && activation <= ACT_RELU6)
        return true;
    const char *name = activation == ACT_TANH       ? "TANH"
                       : activation == ACT_SIGN_BIT ? "SIGN_BIT"
                                                    : helia_format(c->arena, "%d (no such activation)", activation);
    return check_fail(c, n, "fused activation %s is not supported; supported: NONE, RELU, RELU_N1_TO_1, RELU6", name);
}

bool check_multiplier(const HeliaOpContext *c, const AirNode *n, const char *what, double d, int32_t *m, int32_t *e)
{
    *m = *e = 0;
    if (isfinite(d))
        quantize_multiplier(d, m, e);
    if (isfinite(d) && *e <= 30)
        return true;
    return check_fail(c, n, "%s give the factor %g; at most 2^30 can be represented", what, d);
}

static const char *fits_out(const AirNode *n, AirType type)
{
    return n->out[0]->type == type ? NULL : "another data type";
}

const char *fits_out_s8(const HeliaOpContext *c, const AirNode *n)
{
    (void)c;
    return fits_out(n, AIR_S8);
}

const char *fits_out_u8(const HeliaOpContext *c, const AirNode *n)
{
    (void)c;
    return fits_out(n, AIR_U8);
}

const char *fits_out_s16(const HeliaOpContext *c, const AirNode *n)
{
    (void)c;
    return fits_out(n, AIR_S16);
}

const char *fits_out_s32(const HeliaOpContext *c, const AirNode *n)
{
    (void)c;
    return fits_out(n, AIR_S32);
}

const char *fits_out_s64(const HeliaOpContext *c, const AirNode *n)
{
    (void)c;
    return fits_out(n, AIR_S64);
}

const char *fits_out_f32(const HeliaOpContext *c, const AirNode *n)
{
    (void)c;
    return fits_out(n, AIR_F32);
}

bool infer_output(const HeliaOpContext *c, AirNode *n, uint32_t i, int32_t rank, const int32_t *dim)
{
    AirTensor *t = n->out[i];
    AirTensor expected = *t;
    expected.rank = rank;
    memcpy(expected.dim, dim, (size_t)rank * sizeof(*dim));
    if (air_same_shape(t, &expected))
        return true;
    if (!t->shape_is_open)
        return check_fail(c, n, "output \"%s\" has shape %s; inputs and options give %s",
                          helia_printable(c->arena, t->name), air_shape_text(c->arena, t),
                          air_shape_text(c->arena, &expected));
    t->rank = rank;
    memcpy(t->dim, dim, (size_t)rank * sizeof(*dim));
    return true;
}

bool infer_broadcast(const HeliaOpContext *c, AirNode *n)
{
    const AirTensor *a = n->in[0], *b = n->in[1];
    int32_t rank = a->rank > b->rank ? a->rank : b->rank, dim[AIR_MAX_RANK];
    for (int32_t i = 0; i < rank; i++) {
        int32_t ia = i - (rank - a->rank), ib = i - (rank - b->rank);
        int32_t da = ia < 0 ? 1 : a->dim[ia], db = ib < 0 ? 1 : b->dim[ib];
        if (da != db && da != 1 && db != 1)
            return check_fail(c, n, "shapes %s and %s cannot be broadcast: dimension %d is %d and %d",
                              air_shape_text(c->arena, a), air_shape_text(c->arena, b), i, da, db);
        dim[i] = da == 1 ? db : da;
    }
    return infer_output(c, n, 0, rank, dim);
}

bool window_extent(Padding padding, int32_t in, int32_t k, int32_t stride, int32_t dilation, int32_t *out,
                   int32_t *pad_before)
{
    int64_t effective = ((int64_t)k - 1) * dilation + 1;
    int64_t extent = padding == PADDING_SAME ? ((int64_t)in + stride - 1) / stride
                                             : ((int64_t)in - effective + stride) / stride;
    if (extent <= 0)
        return false;
    int64_t total = (extent - 1) * stride + effective - in;
    *out = (int32_t)extent;
    *pad_before = padding == PADDING_SAME && total > 0 ? (int32_t)(total / 2) : 0;
    return true;
}

/* Zeros beyond a dilated kernel would give windows that see none of the image. */
bool check_explicit_padding(const HeliaOpContext *c, const AirNode *n, const ExplicitPadding *p, int64_t reach_h,
                            int64_t reach_w)
{
    const int64_t h = reach_h < UINT16_MAX ? reach_h : UINT16_MAX, w = reach_w < UINT16_MAX ? reach_w : UINT16_MAX;
    const int64_t most[4] = {h, h, w, w};
    if (p->n != 0 && p->n != 4)
        return check_fail(c, n, "explicit_padding has %u values; supported: top, bottom, left, right, or none", p->n);
    for (uint32_t i = 0; i < p->n; i++)
        if (p->at[i] < 0 || p->at[i] > most[i])
            return check_fail(c, n, "explicit_padding %u is %d; supported: 0 to %lld, the reach of the kernel", i,
                              p->at[i], (long long)most[i]);
    return true;
}

bool constant_ints(const HeliaOpContext *c, const AirNode *n, const AirTensor *t, const char *what, int64_t *values,
                   uint32_t max, uint32_t *count)
{
    if (!check_constant(c, n, t, what))
        return false;
    if (t->type != AIR_S32 && t->type != AIR_S64)
        return check_fail(c, n, "%s is %s; supported: int32 or int64", what, air_type_doc(t->type));
    if (air_count(t) > (int64_t)max)
        return check_fail(c, n, "%s has %lld elements; at most %u are supported", what, (long long)air_count(t), max);
    *count = (uint32_t)air_count(t);
    for (uint32_t i = 0; i < *count; i++) {
        if (t->type == AIR_S32) {
            int32_t v;
            memcpy(&v, (const uint8_t *)t->data + 4u * i, 4);
            values[i] = v;
        } else {
            memcpy(&values[i], (const uint8_t *)t->data + 8u * i, 8);
        }
    }
    return true;
}
