/* The body of helia_add_s8_dsp, inline so that an operator's constants can reach it. Four elements a step: the bytes of
 * a word, times 256, are the halves of two words, and SMLAWB and SMLAWT take them from there. */
#ifndef HELIA_ADD_S8_DSP_BODY_H
#define HELIA_ADD_S8_DSP_BODY_H

#include "helia_add_s8_dsp.h"
#include "helia_dsp.h"
#include "helia_math.h"

HELIA_INLINE int8_t helia_add_s8_dsp_result(const helia_add_s8_dsp_params *p, int32_t t)
{
    if (p->halves)
        t += (t >> 31) + p->bias;
    t = helia_ssat8(t >> p->shift);
    if (p->min > INT8_MIN || p->max < INT8_MAX)
        t = helia_clamp(t, p->min, p->max);
    return (int8_t)t;
}

/* n elements; an operand is walked or its first element repeated. */
HELIA_INLINE void helia_add_s8_dsp_row(const helia_add_s8_dsp_params *p, const int8_t *a, int32_t step_a,
                                       const int8_t *b, int32_t step_b, int8_t *out, int32_t n)
{
    const int32_t fa = p->factor_a, fb = p->factor_b, base = p->base;
    const uint32_t mask = UINT32_C(0xff00ff00);
    const uint32_t all_a = step_a ? 0 : helia_splat4(*a), all_b = step_b ? 0 : helia_splat4(*b);
    int32_t i = 0;
    HELIA_UNROLL(4)
    for (; i < n / 4 * 4; i += 4) {
        uint32_t x = step_a ? helia_load4(a + i) : all_a, y = step_b ? helia_load4(b + i) : all_b;
        uint32_t x02 = x << 8 & mask, x13 = x & mask, y02 = y << 8 & mask, y13 = y & mask;
        out[i] = helia_add_s8_dsp_result(p, helia_smlawb(fa, x02, helia_smlawb(fb, y02, base)));
        out[i + 1] = helia_add_s8_dsp_result(p, helia_smlawb(fa, x13, helia_smlawb(fb, y13, base)));
        out[i + 2] = helia_add_s8_dsp_result(p, helia_smlawt(fa, x02, helia_smlawt(fb, y02, base)));
        out[i + 3] = helia_add_s8_dsp_result(p, helia_smlawt(fa, x13, helia_smlawt(fb, y13, base)));
    }
    for (; i < n; i++) {
        uint32_t x = (uint32_t)(step_a ? a[i] : *a) << 8, y = (uint32_t)(step_b ? b[i] : *b) << 8;
        out[i] = helia_add_s8_dsp_result(p, helia_smlawb(fa, x, helia_smlawb(fb, y, base)));
    }
}

HELIA_INLINE void helia_add_s8_dsp_body(const helia_add_s8_dsp_params *p, const int8_t *a, const int8_t *b, int8_t *out)
{
    const int32_t last = p->shape.rank - 1, n = p->shape.dim[last];
    helia_broadcast_at at = {0};
    if (n == 0)
        return;
    do {
        helia_add_s8_dsp_row(p, a + at.a, p->shape.stride_a[last], b + at.b, p->shape.stride_b[last], out, n);
        out += n;
    } while (helia_broadcast_next(&p->shape, &at));
}

#endif
