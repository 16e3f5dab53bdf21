/* The body of helia_mul_s8_mve, inline so that an operator's constants can reach it. Products of 32 bits in four vectors
 * of every fourth element; VQRDMULH and VRSHL are the reference's two roundings, the second but for negative halves. */
#ifndef HELIA_MUL_S8_MVE_BODY_H
#define HELIA_MUL_S8_MVE_BODY_H

#include "helia_mul_s8_dsp_body.h"
#include "helia_mul_s8_mve.h"
#include "helia_mve.h"

#if defined(__ARM_FEATURE_MVE)
HELIA_INLINE int32x4_t helia_mul_s8_mve_quarter(const helia_mul_params *p, int32x4_t product)
{
    int32x4_t y = vqrdmulhq_n_s32(product, p->multiplier);
    if (p->exponent < 0 && p->min < p->zero_out)
        y = vaddq_s32(y, vshrq_n_s32(product, 31));
    return vrshlq_n_s32(y, p->exponent);
}

HELIA_INLINE int8x16_t helia_mul_s8_mve_products(const helia_mul_params *p, int8x16_t a, int8x16_t b)
{
    const int16_t zero_a = (int16_t)p->zero_a, zero_b = (int16_t)p->zero_b;
    int16x8_t x = vsubq_n_s16(vmovlbq_s8(a), zero_a), y = vsubq_n_s16(vmovlbq_s8(b), zero_b);
    int32x4_t r0 = helia_mul_s8_mve_quarter(p, vmullbq_int_s16(x, y));
    int32x4_t r2 = helia_mul_s8_mve_quarter(p, vmulltq_int_s16(x, y));
    x = vsubq_n_s16(vmovltq_s8(a), zero_a), y = vsubq_n_s16(vmovltq_s8(b), zero_b);
    int32x4_t r1 = helia_mul_s8_mve_quarter(p, vmullbq_int_s16(x, y));
    int32x4_t r3 = helia_mul_s8_mve_quarter(p, vmulltq_int_s16(x, y));
    return helia_mve_clamp(helia_mve_narrow(r0, r1, r2, r3, p->zero_out), p->min, p->max);
}
#endif

/* n elements; an operand is walked or its first element repeated. */
HELIA_INLINE void helia_mul_s8_mve_row(const helia_mul_params *p, const int8_t *a, int32_t step_a, const int8_t *b,
                                       int32_t step_b, int8_t *out, int32_t n)
{
#if defined(__ARM_FEATURE_MVE)
    const int8x16_t all_a = vdupq_n_s8(*a), all_b = vdupq_n_s8(*b);
    for (; n >= 16; n -= 16, a += 16 * step_a, b += 16 * step_b, out += 16)
        vst1q_s8(out, helia_mul_s8_mve_products(p, step_a ? vld1q_s8(a) : all_a, step_b ? vld1q_s8(b) : all_b));
    if (n > 0) {
        const mve_pred16_t some = vctp8q((uint32_t)n);
        int8x16_t x = step_a ? vldrbq_z_s8(a, some) : all_a, y = step_b ? vldrbq_z_s8(b, some) : all_b;
        vstrbq_p_s8(out, helia_mul_s8_mve_products(p, x, y), some);
    }
#else
    helia_mul_s8_dsp_row(p, a, step_a, b, step_b, out, n);
#endif
}

HELIA_INLINE void helia_mul_s8_mve_body(const helia_mul_params *p, const int8_t *a, const int8_t *b, int8_t *out)
{
    const int32_t last = p->shape.rank - 1, n = p->shape.dim[last];
    helia_broadcast_at at = {0};
    if (n == 0)
        return;
    do {
        helia_mul_s8_mve_row(p, a + at.a, p->shape.stride_a[last], b + at.b, p->shape.stride_b[last], out, n);
        out += n;
    } while (helia_broadcast_next(&p->shape, &at));
}

#endif
