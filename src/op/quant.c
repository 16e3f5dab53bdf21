/* Quantisation arithmetic at compile time. */
#include "op/quant.h"

#include <float.h>
#include <math.h>
#include <string.h>

const char *const activation_names[] = {"NONE", "RELU", "RELU_N1_TO_1", "RELU6", "TANH", "SIGN_BIT", NULL};
const char *const padding_names[] = {"SAME", "VALID", NULL};

void quantize_multiplier(double d, int32_t *m, int32_t *e)
{
    *m = 0;
    *e = 0;
    if (d == 0.0)
        return;
    int exponent;
    double fraction = frexp(d, &exponent);
    int64_t q = (int64_t)round(fraction * 2147483648.0);
    if (q == INT64_C(2147483648)) {
        q /= 2;
        exponent++;
    }
    if (exponent < -31) /* underflow: the product rounds to 0 */
        return;
    *m = (int32_t)q;
    *e = exponent;
}

float scale_of(const AirTensor *t)
{
    return t->quant ? t->quant->scale[0] : 0.0f;
}

int32_t zero_of(const AirTensor *t)
{
    return t->quant ? t->quant->zero[0] : 0;
}

void type_range(AirType type, int32_t *lo, int32_t *hi)
{
    switch (type) {
    case AIR_S8:
        *lo = INT8_MIN, *hi = INT8_MAX;
        break;
    case AIR_U8:
        *lo = 0, *hi = UINT8_MAX;
        break;
    case AIR_S16:
        *lo = INT16_MIN, *hi = INT16_MAX;
        break;
    default:
        *lo = INT32_MIN, *hi = INT32_MAX;
        break;
    }
}

/* zero + round(v / scale), saturated to int32 where a tiny scale makes the quotient leave it. */
static int32_t quantized(float v, const AirTensor *t)
{
    double q = (double)roundf(v / scale_of(t)) + zero_of(t);
    return q >= 2147483647.0 ? INT32_MAX : q <= -2147483648.0 ? INT32_MIN : (int32_t)q;
}

void activation_range(Activation act, const AirTensor *out, int32_t *lo, int32_t *hi)
{
    type_range(out->type, lo, hi);
    if (!out->quant)
        return;
    if (act == ACT_RELU || act == ACT_RELU6 || act == ACT_RELU_N1_TO_1) {
        int32_t q = quantized(act == ACT_RELU_N1_TO_1 ? -1.0f : 0.0f, out);
        *lo = q > *lo ? q : *lo;
    }
    if (act == ACT_RELU6 || act == ACT_RELU_N1_TO_1) {
        int32_t q = quantized(act == ACT_RELU6 ? 6.0f : 1.0f, out);
        *hi = q < *hi ? q : *hi;
    }
}

void activation_range_float(Activation act, float *lo, float *hi)
{
    *lo = act == ACT_NONE ? -FLT_MAX : act == ACT_RELU_N1_TO_1 ? -1.0f : 0.0f;
    *hi = act == ACT_RELU6 ? 6.0f : act == ACT_RELU_N1_TO_1 ? 1.0f : FLT_MAX;
}

int32_t input_radius(int k, int e)
{
    double radius = floor(ldexp((double)((1 << k) - 1), 31 - k - e));
    return radius < (double)INT32_MAX ? (int32_t)radius : INT32_MAX; /* a tiny scale: no input is far enough */
}

void lut8(const AirTensor *in, const AirTensor *out, double (*f)(double x, const void *user), const void *user,
          int8_t table[256])
{
    float scale = scale_of(in), inverse = 1.0f / scale_of(out);
    for (int32_t q = -128; q <= 127; q++) {
        float x = scale * (float)(q - zero_of(in));
        float y = (float)f((double)x, user);
        float r = roundf(y * inverse) + (float)zero_of(out);
        table[q + 128] = (int8_t)(r >= 127.0f ? 127 : r <= -128.0f ? -128 : (int32_t)r);
    }
}

static int16_t saturated16(float x)
{
    return (int16_t)(x >= 32767.0f ? 32767 : x <= -32768.0f ? -32768 : (int32_t)x);
}

void lut16(Scale16 in, Scale16 out, float (*f)(float x), int16_t table[513])
{
    const float in_min = in.scale * (float)(-32768 - in.zero), in_max = in.scale * (float)(32767 - in.zero);
    const float out_min = out.scale * (float)(-32768 - out.zero), out_max = out.scale * (float)(32767 - out.zero);
    const float step = (in_max - in_min) / 512.0f, half = step / 2.0f, inverse = 65536.0f / (out_max - out_min);
    for (int i = 0; i < 512; i++) {
        const float x = in_min + (float)i * step;
        const float at = roundf(f(x) * inverse), middle = roundf(f(x + half) * inverse);
        const float next = f(in_min + (float)(i + 1) * step) * inverse;
        const float straight = roundf((next + at) / 2.0f);
        table[i] = saturated16(at - roundf((straight - middle) / 2.0f));
    }
    table[512] = saturated16(roundf(f(in_max) * inverse));
}

void channel_multipliers(const HeliaOpContext *c, const AirNode *node, const AirTensor *in, const AirTensor *weights,
                         const AirTensor *out, uint32_t n, AirTensor **multipliers, AirTensor **shifts)
{
    int32_t *m = HELIA_NEW_N(c->arena, int32_t, n), *e = HELIA_NEW_N(c->arena, int32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        float scale = weights->quant->scale[weights->quant->n > 1 ? i : 0];
        quantize_multiplier((double)scale_of(in) * (double)scale / (double)scale_of(out), &m[i], &e[i]);
    }
    const int32_t dim[1] = {(int32_t)n};
    *multipliers = air_constant_new(c->graph, helia_format(c->arena, "%s_multipliers", node->cname), AIR_S32, 1, dim,
                                    m);
    *shifts = air_constant_new(c->graph, helia_format(c->arena, "%s_shifts", node->cname), AIR_S32, 1, dim, e);
}

AirTensor *unpack_int4(const HeliaOpContext *c, const AirTensor *weights)
{
    size_t n = (size_t)air_count(weights);
    const uint8_t *packed = weights->data;
    int8_t *bytes = HELIA_NEW_N(c->arena, int8_t, n);
    for (size_t i = 0; i < n; i++) {
        int nibble = packed[i / 2] >> (i % 2 ? 4 : 0) & 15;
        bytes[i] = (int8_t)(nibble >= 8 ? nibble - 16 : nibble);
    }
    AirTensor *t = air_constant_new(c->graph, helia_format(c->arena, "%s_int8", weights->name), AIR_S8, weights->rank,
                                    weights->dim, bytes);
    t->quant = weights->quant;
    return t;
}
