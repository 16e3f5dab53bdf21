/* Weighted operators as AIR text with random constants, and their requantisation by its definition. */
#ifndef WEIGHTS_FIXTURE_H
#define WEIGHTS_FIXTURE_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "op_fixture.h"

typedef struct Text {
    char at[1 << 16];
    size_t n;
} Text;

static inline HELIA_PRINTF(2, 3) void put(Text *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    t->n += (size_t)vsnprintf(t->at + t->n, sizeof(t->at) - t->n, fmt, args);
    va_end(args);
    assert_true(t->n < sizeof(t->at));
}

enum { MAX_WEIGHTS = 4096, MAX_CHANNELS = 64 };

/* The constants of one operator, as its definition reads them. */
typedef struct Weights {
    bool is_float, int4, per_channel, bias;
    int32_t n, channels, zero;
    int8_t q[MAX_WEIGHTS];
    float f[MAX_WEIGHTS];
    int32_t bias_q[MAX_CHANNELS];
    float bias_f[MAX_CHANNELS];
    float scale[MAX_CHANNELS];
} Weights;

static inline float random_float(uint32_t *seed)
{
    return (float)random_between(seed, -1000, 1000) / 512.0f;
}

/* Scales from 2^-40 to 2^3: multipliers that vanish, that shift right and that shift left. Biases over all of int32, so
 * that accumulators wrap. */
static inline void random_weights(Weights *w, uint32_t *seed)
{
    assert_true(w->n <= MAX_WEIGHTS && w->channels <= MAX_CHANNELS);
    for (int32_t i = 0; i < w->n; i++) {
        w->q[i] = (int8_t)(w->int4 ? random_between(seed, -8, 7) : random_between(seed, -128, 127));
        w->f[i] = random_float(seed);
    }
    for (int32_t i = 0; i < w->channels; i++) {
        bool wild = random_u32(seed) % 4 == 0;
        int32_t exponent = wild ? random_between(seed, -40, 3) : random_between(seed, -13, -8);
        w->scale[i] = i && !w->per_channel ? w->scale[0]
                                           : ldexpf((float)random_between(seed, 1000, 1999), exponent - 10);
        w->bias_q[i] = wild ? (int32_t)(random_u32(seed) << 8) : random_between(seed, -20000, 20000);
        w->bias_f[i] = random_float(seed);
        if (!w->bias)
            w->bias_q[i] = 0, w->bias_f[i] = 0.0f;
    }
}

static inline void put_bytes(Text *t, const void *bytes, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        put(t, "%02x", ((const uint8_t *)bytes)[i]);
    put(t, "\n");
}

/* Tensor 1, the weights, and tensor 2, the bias if there is one. */
static inline void put_weight_tensors(Text *t, const Weights *w, const char *shape, int32_t axis)
{
    int32_t size = w->is_float ? 4 * w->n : w->int4 ? (w->n + 1) / 2 : w->n;
    put(t, "tensor %%1 %s%s \"w\"", w->is_float ? "f32" : w->int4 ? "s4" : "s8", shape);
    if (!w->is_float && w->per_channel && w->channels > 1)
        put(t, " q axis %d", axis);
    else if (!w->is_float)
        put(t, " q");
    for (int32_t i = 0; !w->is_float && i < (w->per_channel ? w->channels : 1); i++)
        put(t, " %.9g:%d", (double)w->scale[i], w->zero);
    put(t, " const %d\n", size);
    if (w->bias)
        put(t, "tensor %%2 %s[%d] \"b\" const %d\n", w->is_float ? "f32" : "s32", w->channels, 4 * w->channels);
}

static inline void put_weight_data(Text *t, const Weights *w)
{
    put(t, "data %%1 ");
    if (w->int4) {
        for (int32_t i = 0; i < w->n; i += 2) /* the unused half of the last byte is not zero */
            put(t, "%x%x", i + 1 < w->n ? w->q[i + 1] & 15 : 9, w->q[i] & 15);
        put(t, "\n");
    } else {
        put_bytes(t, w->is_float ? (const void *)w->f : w->q, w->is_float ? 4 * w->n : w->n);
    }
    if (w->bias) {
        put(t, "data %%2 ");
        put_bytes(t, w->is_float ? (const void *)w->bias_f : w->bias_q, 4 * w->channels);
    }
}

/* acc * d rounded twice: to 2^31 times the mantissa's fixed-point product, then to the integer, as LiteRT does it. */
static inline int32_t scaled(int32_t acc, double d)
{
    int exponent;
    int64_t mantissa = llround(frexp(d, &exponent) * 2147483648.0);
    if (mantissa == INT64_C(1) << 31) {
        mantissa /= 2;
        exponent++;
    }
    if (exponent < -31)
        return 0;
    int64_t x = (int32_t)((uint32_t)acc << (exponent > 0 ? exponent : 0));
    int64_t product = x * mantissa + (INT64_C(1) << 30), one = INT64_C(1) << 31;
    x = product / one - (product % one < 0); /* rounded down */
    return exponent < 0 ? (int32_t)round(ldexp((double)x, exponent)) : (int32_t)x;
}

static inline int8_t saturated(int32_t x, int32_t zero, int32_t lo, int32_t hi)
{
    x = (int32_t)((uint32_t)x + (uint32_t)zero);
    return (int8_t)(x < lo ? lo : x > hi ? hi : x);
}

#endif
