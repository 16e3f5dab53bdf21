/* Fixed-point exponential, reciprocal, logistic and tanh of LiteRT's reference kernels, bit for bit.
 * "Qk" is an int32 with k integer bits and 31 - k fraction bits; one in Q0 is 2^31 - 1. */
#ifndef HELIA_FIXED_POINT_H
#define HELIA_FIXED_POINT_H

#include "helia_math.h"

/* x * 2^n, saturated; n >= 0. */
static inline int32_t helia_shl_sat(int32_t x, int32_t n)
{
    int32_t limit = (int32_t)(INT32_MAX >> n);
    return x > limit ? INT32_MAX : x < -limit ? INT32_MIN : helia_wrap_shl(x, n);
}

/* (a + b) / 2, halves away from zero. */
static inline int32_t helia_rounding_half_sum(int32_t a, int32_t b)
{
    int64_t sum = (int64_t)a + b;
    return (int32_t)((sum + (sum >= 0 ? 1 : -1)) / 2);
}

/* exp(a), -1/4 <= a < 0, Q0: a fourth-order Taylor polynomial around -1/8 (the constants are exp(-1/8) and 1/3). */
static inline int32_t helia_exp_interval(int32_t a)
{
    int32_t x = helia_wrap_add(a, 1 << 28);
    int32_t x2 = helia_srdhm(x, x), x3 = helia_srdhm(x2, x), x4 = helia_srdhm(x2, x2);
    int32_t y = helia_rdbp(helia_wrap_add(helia_srdhm(helia_wrap_add(helia_rdbp(x4, 2), x3), 715827883), x2), 1);
    return helia_wrap_add(1895147668, helia_srdhm(1895147668, helia_wrap_add(x, y)));
}

/* exp(a), a <= 0 in Qk, as Q0: the remainder modulo 1/4, then a factor exp(-2^e) for each bit of the multiple. */
static inline int32_t helia_exp_negative(int32_t a, int32_t k)
{
    static const int32_t factor[7] = {1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
    int32_t quarter = 1 << (29 - k);
    int32_t m = (a & (quarter - 1)) - quarter;
    int32_t r = helia_exp_interval(helia_shl_sat(m, k));
    int32_t rest = helia_wrap_sub(m, a);
    for (int32_t e = -2; e <= 4; e++)
        if (k > e && ((uint32_t)rest >> (31 - k + e) & 1u))
            r = helia_srdhm(r, factor[e + 2]);
    if (k > 5 && a < -(int32_t)(UINT32_C(1) << (36 - k)))
        r = 0;
    return a == 0 ? INT32_MAX : r;
}

/* Newton-Raphson for 2 / (1 + a), a in [0, 1] Q0; the result in Q2. */
static inline int32_t helia_newton_half(int32_t a)
{
    int32_t half = helia_rounding_half_sum(a, INT32_MAX);
    int32_t x = helia_wrap_add(1515870810, helia_srdhm(half, -1010580540));
    for (int i = 0; i < 3; i++) {
        int32_t error = helia_wrap_sub(1 << 29, helia_srdhm(half, x));
        x = helia_wrap_add(x, helia_shl_sat(helia_srdhm(x, error), 2));
    }
    return x;
}

/* 1 / (1 + a) and (1 - a) / (1 + a), a in [0, 1] Q0. */
static inline int32_t helia_one_over_one_plus(int32_t a)
{
    return helia_shl_sat(helia_newton_half(a), 1);
}

static inline int32_t helia_one_minus_over_one_plus(int32_t a)
{
    return helia_shl_sat(helia_wrap_sub(helia_newton_half(a), 1 << 29), 2);
}

/* 1 / (1 + exp(-a)), a in Qk, as Q0. */
static inline int32_t helia_logistic(int32_t a, int32_t k)
{
    if (a == 0)
        return 1 << 30;
    int32_t p = helia_one_over_one_plus(helia_exp_negative(a > 0 ? -a : a, k));
    return a > 0 ? p : helia_wrap_sub(INT32_MAX, p);
}

/* tanh(a), a in Qk, as Q0: -|a| is read with one more integer bit, that is doubled. */
static inline int32_t helia_tanh(int32_t a, int32_t k)
{
    if (a == 0)
        return 0;
    int32_t t = helia_one_minus_over_one_plus(helia_exp_negative(a > 0 ? -a : a, k + 1));
    return a > 0 ? t : -t;
}

/* 1 / x for x > 0 in Qk: the result in Q0, to be divided by 2^*over. */
static inline int32_t helia_reciprocal(int32_t x, int32_t k, int32_t *over)
{
    int32_t headroom = helia_clz((uint32_t)x);
    *over = k - headroom;
    return helia_one_over_one_plus((int32_t)(((uint32_t)x << headroom) - UINT32_C(0x80000000)));
}

#endif
