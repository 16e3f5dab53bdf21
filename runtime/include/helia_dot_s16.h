/* Scalar products of int16 data and int8 weights, for cores with the DSP extension or MVE; on others the same in C. Sums are
 * of 64 bits: those of kernels with 32-bit sums, which wrap, are their lower halves. */
#ifndef HELIA_DOT_S16_H
#define HELIA_DOT_S16_H

#include "helia_dsp.h"

#if defined(__ARM_FEATURE_MVE)
#include <arm_mve.h>
#endif

/* The products of a's and b's halves are added. */
HELIA_INLINE int64_t helia_smlald(uint32_t a, uint32_t b, int64_t sum)
{
#if defined(__ARM_FEATURE_DSP)
    return __smlald((int16x2_t)a, (int16x2_t)b, sum);
#else
    return sum + (int16_t)(a & 0xffffu) * (int16_t)(b & 0xffffu) + (int64_t)((int32_t)a >> 16) * ((int32_t)b >> 16);
#endif
}

/* Two elements. */
HELIA_INLINE uint32_t helia_load2_s16(const int16_t *p)
{
    uint32_t v;
    memcpy(&v, p, 4);
    return v;
}

/* Adds the products of x with a to sum[0], those of x with b to sum[1]; n elements. */
HELIA_INLINE void helia_dot2_s16(const int16_t *x, const int8_t *a, const int8_t *b, int32_t n, int64_t sum[2])
{
    int64_t s = sum[0], t = sum[1];
#if defined(__ARM_FEATURE_MVE)
    for (; n >= 8; n -= 8, x += 8, a += 8, b += 8) {
        const int16x8_t v = vld1q_s16(x);
        s = vmlaldavaq_s16(s, v, vldrbq_s16(a));
        t = vmlaldavaq_s16(t, v, vldrbq_s16(b));
    }
    if (n > 0) {
        const mve_pred16_t some = vctp16q((uint32_t)n);
        const int16x8_t v = vldrhq_z_s16(x, some);
        s = vmlaldavaq_s16(s, v, vldrbq_z_s16(a, some));
        t = vmlaldavaq_s16(t, v, vldrbq_z_s16(b, some));
    }
#else
    for (int32_t k = n / 4; k > 0; k--, x += 4, a += 4, b += 4) {
        const uint32_t low = helia_load2_s16(x), high = helia_load2_s16(x + 2);
        const uint32_t even = helia_pack_low(low, high), odd = helia_pack_high(low, high);
        const uint32_t u = helia_load4(a), v = helia_load4(b);
        s = helia_smlald(odd, helia_sxtb16_high(u), helia_smlald(even, helia_sxtb16(u), s));
        t = helia_smlald(odd, helia_sxtb16_high(v), helia_smlald(even, helia_sxtb16(v), t));
    }
    for (int32_t k = 0; k < n % 4; k++) {
        s += x[k] * a[k];
        t += x[k] * b[k];
    }
#endif
    sum[0] = s;
    sum[1] = t;
}

#endif
