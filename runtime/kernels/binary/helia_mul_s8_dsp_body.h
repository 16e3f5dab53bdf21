/* The body of helia_mul_s8_dsp, inline so that an operator's constants can reach it. Four elements a step: SXTAB16 takes
 * bytes to int16 and their zero point away. */
#ifndef HELIA_MUL_S8_DSP_BODY_H
#define HELIA_MUL_S8_DSP_BODY_H

#include "helia_dsp.h"
#include "helia_math.h"
#include "helia_mul_s8_dsp.h"

HELIA_INLINE int8_t helia_mul_s8_dsp_result(const helia_mul_params *p, int32_t product)
{
    const int32_t shift = 1 - p->exponent;
    const int32_t c = 1 + (p->exponent < 0 ? 1 << (shift - 1) : 0) + p->zero_out * (1 << shift);
    int32_t y = helia_mul_high(product * 4, p->multiplier) + c;
    if (p->exponent < 0 && p->min < p->zero_out)
        y += (product >> 31) * 2;
    y = helia_ssat8(y >> shift);
    if (p->min > INT8_MIN || p->max < INT8_MAX)
        y = helia_clamp(y, p->min, p->max);
    return (int8_t)y;
}

/* n elements; an operand is walked or its first element repeated. */
HELIA_INLINE void helia_mul_s8_dsp_row(const helia_mul_params *params, const int8_t *a, int32_t step_a, const int8_t *b,
                                       int32_t step_b, int8_t *out, int32_t n)
{
    const helia_mul_params copy = *params, *p = &copy; /* stores to out may be stores to *params */
    const uint32_t zero_a = helia_pair(-p->zero_a, -p->zero_a), zero_b = helia_pair(-p->zero_b, -p->zero_b);
    const uint32_t all_a = step_a ? 0 : helia_splat4(*a), all_b = step_b ? 0 : helia_splat4(*b);
    int32_t i = 0;
    HELIA_UNROLL(2)
    for (; i < n / 4 * 4; i += 4) {
        const uint32_t x = step_a ? helia_load4(a + i) : all_a, y = step_b ? helia_load4(b + i) : all_b;
        const uint32_t x02 = helia_sxtab16(zero_a, x), x13 = helia_sxtab16_high(zero_a, x);
        const uint32_t y02 = helia_sxtab16(zero_b, y), y13 = helia_sxtab16_high(zero_b, y);
        out[i] = helia_mul_s8_dsp_result(p, helia_smlabb(x02, y02, 0));
        out[i + 1] = helia_mul_s8_dsp_result(p, helia_smlabb(x13, y13, 0));
        out[i + 2] = helia_mul_s8_dsp_result(p, helia_smlatt(x02, y02, 0));
        out[i + 3] = helia_mul_s8_dsp_result(p, helia_smlatt(x13, y13, 0));
    }
    for (; i < n; i++)
        out[i] = helia_mul_s8_dsp_result(p, (a[i * step_a] - p->zero_a) * (b[i * step_b] - p->zero_b));
}

HELIA_INLINE void helia_mul_s8_dsp_body(const helia_mul_params *p, const int8_t *a, const int8_t *b, int8_t *out)
{
    const int32_t last = p->shape.rank - 1, n = p->shape.dim[last];
    helia_broadcast_at at = {0};
    if (n == 0)
        return;
    do {
        helia_mul_s8_dsp_row(p, a + at.a, p->shape.stride_a[last], b + at.b, p->shape.stride_b[last], out, n);
        out += n;
    } while (helia_broadcast_next(&p->shape, &at));
}

#endif
