/* The body of helia_add_s8_mve, inline so that an operator's constants can reach it. Sixteen elements a step, as four
 * vectors of every fourth element: a byte at the top of its lane is 2^24 times its value, and VMULH by a factor gives
 * floor(factor * value / 2^8). */
#ifndef HELIA_ADD_S8_MVE_BODY_H
#define HELIA_ADD_S8_MVE_BODY_H

#include "helia_add_s8_dsp_body.h"
#include "helia_add_s8_mve.h"
#include "helia_mve.h"

#if defined(__ARM_FEATURE_MVE)
/* Every fourth element of the sums of x and y, times 2^-shift; left brings these bytes to the top. */
HELIA_INLINE int32x4_t helia_add_s8_mve_quarter(const helia_add_s8_dsp_params *p, int32x4_t x, int32x4_t y)
{
    int32x4_t t = vaddq_s32(vmulhq_s32(x, vdupq_n_s32(p->factor_a)), vmulhq_s32(y, vdupq_n_s32(p->factor_b)));
    t = vaddq_n_s32(t, p->base);
    if (p->halves)
        t = vaddq_n_s32(vaddq_s32(t, vshrq_n_s32(t, 31)), p->bias);
    return vshlq_r_s32(t, -p->shift);
}

HELIA_INLINE int8x16_t helia_add_s8_mve_sum(const helia_add_s8_dsp_params *p, int8x16_t a, int8x16_t b)
{
    const int32x4_t top = vdupq_n_s32((int32_t)UINT32_C(0xff000000));
    int32x4_t x = vreinterpretq_s32_s8(a), y = vreinterpretq_s32_s8(b);
    int32x4_t r0 = helia_add_s8_mve_quarter(p, vshlq_n_s32(x, 24), vshlq_n_s32(y, 24));
    int32x4_t r1 = helia_add_s8_mve_quarter(p, vandq_s32(vshlq_n_s32(x, 16), top), vandq_s32(vshlq_n_s32(y, 16), top));
    int32x4_t r2 = helia_add_s8_mve_quarter(p, vandq_s32(vshlq_n_s32(x, 8), top), vandq_s32(vshlq_n_s32(y, 8), top));
    int32x4_t r3 = helia_add_s8_mve_quarter(p, vandq_s32(x, top), vandq_s32(y, top));
    int16x8_t even = vqmovntq_s32(vqmovnbq_s32(vreinterpretq_s16_s32(r0), r0), r2);
    int16x8_t odd = vqmovntq_s32(vqmovnbq_s32(vreinterpretq_s16_s32(r1), r1), r3);
    int8x16_t sum = vqmovntq_s16(vqmovnbq_s16(vreinterpretq_s8_s16(even), even), odd);
    if (p->min > INT8_MIN)
        sum = vmaxq_s8(sum, vdupq_n_s8((int8_t)p->min));
    if (p->max < INT8_MAX)
        sum = vminq_s8(sum, vdupq_n_s8((int8_t)p->max));
    return sum;
}
#endif

/* n elements; an operand is walked or its first element repeated. */
HELIA_INLINE void helia_add_s8_mve_row(const helia_add_s8_dsp_params *p, const int8_t *a, int32_t step_a,
                                       const int8_t *b, int32_t step_b, int8_t *out, int32_t n)
{
#if defined(__ARM_FEATURE_MVE)
    const int32_t has_tail = n % 16 != 0;
    int8_t tail[3][16]; /* of a, of b and of the sum */
    for (; n > 0; n -= 16, a += 16 * step_a, b += 16 * step_b, out += 16) {
        int8_t *to = out;
        if (has_tail && n < 16) {
            helia_copy_padded(tail[0], a, step_a ? n : 1);
            helia_copy_padded(tail[1], b, step_b ? n : 1);
            a = tail[0];
            b = tail[1];
            to = tail[2];
        }
        int8x16_t x = step_a ? vld1q_s8(a) : vdupq_n_s8(*a), y = step_b ? vld1q_s8(b) : vdupq_n_s8(*b);
        vst1q_s8(to, helia_add_s8_mve_sum(p, x, y));
        if (has_tail && n < 16)
            helia_copy_bytes(out, to, n);
    }
#else
    helia_add_s8_dsp_row(p, a, step_a, b, step_b, out, n);
#endif
}

HELIA_INLINE void helia_add_s8_mve_body(const helia_add_s8_dsp_params *p, const int8_t *a, const int8_t *b, int8_t *out)
{
    const int32_t last = p->shape.rank - 1, n = p->shape.dim[last];
    helia_broadcast_at at = {0};
    if (n == 0)
        return;
    do {
        helia_add_s8_mve_row(p, a + at.a, p->shape.stride_a[last], b + at.b, p->shape.stride_b[last], out, n);
        out += n;
    } while (helia_broadcast_next(&p->shape, &at));
}

#endif
