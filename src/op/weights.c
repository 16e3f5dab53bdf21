/* What the operators with constant weights share. */
#include "op/weights.h"

#include "helia_math.h"

AirTensor *weights_bias(const AirNode *n)
{
    return n->n_in > 2 ? n->in[2] : NULL;
}

static bool check_types(const HeliaOpContext *c, const AirNode *n)
{
    static const int data[] = {AIR_S8, AIR_S16, AIR_F32, -1};
    static const int quantized[] = {AIR_S8, AIR_S4, -1}, floating[] = {AIR_F32, -1};
    static const int bias_s8[] = {AIR_S32, -1}, bias_s16[] = {AIR_S32, AIR_S64, -1};
    if (!check_in_type(c, n, 0, "input", data))
        return false;
    bool is_float = n->in[0]->type == AIR_F32;
    bool ok = check_in_type(c, n, 1, "weights", is_float ? floating : quantized);
    if (weights_bias(n))
        ok = check_in_type(c, n, 2, "bias", is_float ? floating : n->in[0]->type == AIR_S16 ? bias_s16 : bias_s8) && ok;
    const int same[] = {(int)n->in[0]->type, -1};
    return check_out_type(c, n, 0, "output", same) && ok;
}

static bool check_weights_quant(const HeliaOpContext *c, const AirNode *n, int32_t axis, int32_t channels,
                                bool allow_zero_point)
{
    const AirTensor *w = n->in[1];
    if (!w->quant)
        return check_fail(c, n, "weights are %s without quantisation; they need a scale", air_type_doc(w->type));
    if (w->quant->n != 1 && (w->quant->axis != axis || w->quant->n != (uint32_t)channels))
        return check_fail(
            c, n, "weights are quantised along dimension %d with %u scales; supported: dimension %d with %d, or one",
            w->quant->axis, w->quant->n, axis, channels);
    bool ok = true;
    for (uint32_t i = 0; i < w->quant->n && ok; i++)
        if (w->quant->zero[i] != 0 && !(allow_zero_point && w->quant->n == 1))
            ok = check_fail(c, n, "weights have zero point %d for channel %u; they must be symmetric (0)",
                            w->quant->zero[i], i);
    return ok;
}

bool check_weights(const HeliaOpContext *c, const AirNode *n, int32_t axis, int32_t channels, bool allow_zero_point)
{
    if (!check_types(c, n))
        return false;
    const AirTensor *bias = weights_bias(n);
    bool ok = true;
    if (bias && air_count(bias) != channels)
        ok = check_fail(c, n, "bias %s has %lld elements; it needs %d", air_shape_text(c->arena, bias),
                        (long long)air_count(bias), channels);
    if (n->in[0]->type == AIR_F32)
        return ok;
    ok = check_constant(c, n, n->in[1], "weights") && ok;
    if (bias)
        ok = check_constant(c, n, bias, "bias") && ok;
    ok = check_per_tensor(c, n, n->in[0], "input") && ok;
    ok = check_per_tensor(c, n, n->out[0], "output") && ok;
    if (n->in[0]->type == AIR_S16 && (zero_of(n->in[0]) != 0 || zero_of(n->out[0]) != 0))
        ok = check_fail(c, n, "input and output are int16 with zero points %d and %d; they must be 0",
                        zero_of(n->in[0]), zero_of(n->out[0]));
    return check_weights_quant(c, n, axis, channels, allow_zero_point) && ok;
}

AirTensor *weights_as_int8(const HeliaOpContext *c, const AirNode *n)
{
    return n->in[1]->type == AIR_S4 ? unpack_int4(c, n->in[1]) : n->in[1];
}

void weights_args(const HeliaOpContext *c, AirNode *n, AirTensor *multipliers, AirTensor *shifts)
{
    air_arg(n, c->graph, n->in[0], false);
    air_arg(n, c->graph, weights_as_int8(c, n), false);
    air_arg(n, c->graph, weights_bias(n), false);
    air_arg(n, c->graph, multipliers, false);
    air_arg(n, c->graph, shifts, false);
    air_arg(n, c->graph, n->out[0], true);
}

bool weights_multipliers(const HeliaOpContext *c, const AirNode *n, uint32_t channels, AirTensor **multipliers,
                         AirTensor **shifts)
{
    const AirQuant *q = n->in[1]->quant;
    for (uint32_t i = 0; i < q->n; i++) {
        int32_t m, e;
        double d = (double)scale_of(n->in[0]) * (double)q->scale[i] / (double)scale_of(n->out[0]);
        if (!check_multiplier(c, n, q->n > 1 ? helia_format(c->arena, "channel %u", i) : "the weights", d, &m, &e))
            return false;
    }
    channel_multipliers(c, n, n->in[0], n->in[1], n->out[0], channels, multipliers, shifts);
    return true;
}

bool weights_sum_wide(const AirNode *n)
{
    return !weights_bias(n) || weights_bias(n)->type == AIR_S64;
}

bool weights_factors_s16(const HeliaOpContext *c, const AirNode *n, uint32_t count, const double *factor,
                         AirTensor **multipliers, AirTensor **shifts)
{
    int32_t *m = HELIA_NEW_N(c->arena, int32_t, count), *e = HELIA_NEW_N(c->arena, int32_t, count);
    const bool wide = weights_sum_wide(n);
    for (uint32_t i = 0; i < count; i++) {
        const char *what = count > 1 ? helia_format(c->arena, "channel %u", i) : "the weights";
        if (!check_multiplier(c, n, what, factor[i], &m[i], &e[i]))
            return false;
        if (wide && e[i] > 7)
            return check_fail(c, n, "%s give the factor %g; at most 2^7 can be represented with a 64-bit sum", what,
                              factor[i]);
        m[i] = wide ? helia_reduce_multiplier(m[i]) : m[i];
    }
    const int32_t dim[1] = {(int32_t)count};
    *multipliers = air_constant_new(c->graph, helia_format(c->arena, "%s_multipliers", n->cname), AIR_S32, 1, dim, m);
    *shifts = air_constant_new(c->graph, helia_format(c->arena, "%s_shifts", n->cname), AIR_S32, 1, dim, e);
    return true;
}

bool weights_multipliers_s16(const HeliaOpContext *c, const AirNode *n, uint32_t channels, AirTensor **multipliers,
                             AirTensor **shifts)
{
    const AirQuant *q = n->in[1]->quant;
    double *factor = HELIA_NEW_N(c->arena, double, channels);
    for (uint32_t i = 0; i < channels; i++)
        factor[i] = (double)scale_of(n->in[0]) * (double)q->scale[q->n > 1 ? i : 0] / (double)scale_of(n->out[0]);
    return weights_factors_s16(c, n, channels, factor, multipliers, shifts);
}

static const char *facts_misfit(const AirNode *n)
{
    return n->facts ? NULL : "the class has an on_resolve that does not call the built-in one";
}

const char *fits_weights_s8(const HeliaOpContext *c, const AirNode *n)
{
    const char *why = fits_out_s8(c, n);
    return why ? why : facts_misfit(n);
}

const char *fits_weights_f32(const HeliaOpContext *c, const AirNode *n)
{
    const char *why = fits_out_f32(c, n);
    return why ? why : facts_misfit(n);
}

static const char *fits_weights_s16(const HeliaOpContext *c, const AirNode *n)
{
    const char *why = fits_out_s16(c, n);
    return why ? why : facts_misfit(n);
}

const char *fits_s16_wide(const HeliaOpContext *c, const AirNode *n)
{
    const char *why = fits_weights_s16(c, n);
    return why ? why : weights_sum_wide(n) ? NULL : "the bias has 32 bits";
}

const char *fits_s16_narrow(const HeliaOpContext *c, const AirNode *n)
{
    const char *why = fits_weights_s16(c, n);
    return why ? why : weights_sum_wide(n) ? "the sum has 64 bits" : NULL;
}

bool check_window_options(const HeliaOpContext *c, const AirNode *n, int32_t padding, int32_t stride_h,
                          int32_t stride_w, int32_t dilation_h, int32_t dilation_w)
{
    const struct {
        const char *name;
        int32_t value;
    } rows[] = {{"stride_h", stride_h},
                {"stride_w", stride_w},
                {"dilation_h_factor", dilation_h},
                {"dilation_w_factor", dilation_w}};
    bool ok = true;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].value < 1 || rows[i].value > UINT16_MAX)
            ok = check_fail(c, n, "%s is %d; supported: 1 to %d", rows[i].name, rows[i].value, UINT16_MAX);
    if (padding != PADDING_SAME && padding != PADDING_VALID)
        ok = check_fail(c, n, "padding is %d; supported: SAME (0) or VALID (1)", padding);
    return ok;
}

/* Kernels compute positions in 32 bits: the image, and the dilated kernel before and behind it. */
static bool positions_fit(int32_t in, int32_t k, int32_t dilation)
{
    return in + 4 * ((int64_t)k * dilation) <= INT32_MAX;
}

bool place_conv_window(const HeliaOpContext *c, const AirNode *n, Padding padding,
                       const ExplicitPadding *explicit_padding, helia_conv_window *w)
{
    if (!check_explicit_padding(c, n, explicit_padding, ((int64_t)w->kernel_h - 1) * w->dilation_h,
                                ((int64_t)w->kernel_w - 1) * w->dilation_w))
        return false;
    const int32_t *at = explicit_padding->at; /* zeros where there is none */
    if (positions_fit(w->in_h, w->kernel_h, w->dilation_h) && positions_fit(w->in_w, w->kernel_w, w->dilation_w) &&
        window_extent(padding, w->in_h + at[0] + at[1], w->kernel_h, w->stride_h, w->dilation_h, &w->out_h,
                      &w->pad_top) &&
        window_extent(padding, w->in_w + at[2] + at[3], w->kernel_w, w->stride_w, w->dilation_w, &w->out_w,
                      &w->pad_left)) {
        w->pad_top += at[0];
        w->pad_left += at[2];
        return true;
    }
    return check_fail(c, n, "a kernel of %dx%d with dilation %dx%d does not fit into input %s", w->kernel_h,
                      w->kernel_w, w->dilation_h, w->dilation_w, air_shape_text(c->arena, n->in[0]));
}

void print_conv_window(HeliaOut *o, const helia_conv_window *w)
{
    helia_out_open(o, ".window =");
    PRINT_INT(o, w, batches);
    PRINT_INT(o, w, in_h);
    PRINT_INT(o, w, in_w);
    PRINT_INT(o, w, in_c);
    PRINT_INT(o, w, out_h);
    PRINT_INT(o, w, out_w);
    PRINT_INT(o, w, out_c);
    PRINT_INT(o, w, kernel_h);
    PRINT_INT(o, w, kernel_w);
    PRINT_INT(o, w, stride_h);
    PRINT_INT(o, w, stride_w);
    PRINT_INT(o, w, dilation_h);
    PRINT_INT(o, w, dilation_w);
    PRINT_INT(o, w, pad_top);
    PRINT_INT(o, w, pad_left);
    helia_out_close(o, ",");
}
