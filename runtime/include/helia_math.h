/* Exact integer arithmetic of quantised kernels: the fixed-point primitives that LiteRT's reference kernels use.
 * Everything is inline; nothing here depends on the target. */
#ifndef HELIA_MATH_H
#define HELIA_MATH_H

#include <stdint.h>

static inline int32_t helia_min(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int32_t helia_max(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static inline int32_t helia_clamp(int32_t x, int32_t lo, int32_t hi)
{
    return helia_min(helia_max(x, lo), hi);
}

/* Addition, multiplication and left shift that wrap as two's complement, where the reference's do. */
static inline int32_t helia_wrap_add(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

static inline int32_t helia_wrap_sub(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a - (uint32_t)b);
}

static inline int32_t helia_wrap_mul(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a * (uint32_t)b);
}

static inline int32_t helia_wrap_shl(int32_t a, int32_t n)
{
    return (int32_t)((uint32_t)a << n);
}

/* Saturating rounding doubling high multiply: round(a * b / 2^31), halves towards +infinity. */
static inline int32_t helia_srdhm(int32_t a, int32_t b)
{
    if (a == INT32_MIN && b == INT32_MIN)
        return INT32_MAX;
    return (int32_t)(((int64_t)a * b + (INT64_C(1) << 30)) >> 31);
}

/* round(x / 2^n), halves away from zero; 0 <= n <= 31. */
static inline int32_t helia_rdbp(int32_t x, int32_t n)
{
    int32_t mask = (int32_t)((UINT32_C(1) << n) - 1u);
    int32_t threshold = (mask >> 1) + (x < 0 ? 1 : 0);
    return (x >> n) + ((x & mask) > threshold ? 1 : 0);
}

/* x * m * 2^(e - 31) with two roundings, as gemmlowp does it; m and e from QuantizeMultiplier. */
static inline int32_t helia_requantize(int32_t x, int32_t m, int32_t e)
{
    int32_t left = e > 0 ? e : 0;
    int32_t right = e > 0 ? 0 : -e;
    return helia_rdbp(helia_srdhm(helia_wrap_shl(x, left), m), right);
}

/* The 64-bit form of int16 kernels: x * r * 2^(e - 15) with one rounding, r the multiplier reduced to 16 bits by
 * helia_reduce_multiplier; -2^47 <= x < 2^47, -31 <= e < 8. */
static inline int32_t helia_reduce_multiplier(int32_t m)
{
    return m < 0x7fff0000 ? (m + (1 << 15)) >> 16 : 0x7fff;
}

static inline int32_t helia_requantize64(int64_t x, int32_t r, int32_t e)
{
    return (int32_t)(((x * r >> (14 - e)) + 1) >> 1); /* one shift by a variable: they are dear in 64 bits */
}

/* Leading zeros; 32 for 0. */
static inline int32_t helia_clz(uint32_t x)
{
    int32_t n = 0;
    if (x == 0u)
        return 32;
#if defined(__GNUC__)
    n = (int32_t)__builtin_clz(x);
#else
    while (!(x & 0x80000000u)) {
        x <<= 1;
        n++;
    }
#endif
    return n;
}

#endif
