/* The body of helia_mean_s8_dsp, inline so that an operator's constants can reach it: sums of 16 channels at a time. */
#ifndef HELIA_MEAN_S8_DSP_BODY_H
#define HELIA_MEAN_S8_DSP_BODY_H

#include "helia_math.h"
#include "helia_mean.h"
#include "helia_sum_dsp.h"

HELIA_INLINE int8_t helia_mean_result(const helia_mean_params *p, int32_t sum)
{
    int32_t y = helia_requantize(sum - p->offset, p->multiplier, p->exponent);
    return (int8_t)helia_clamp(helia_wrap_add(y, p->zero_out), p->min, p->max);
}

HELIA_INLINE void helia_mean_group(const helia_mean_params *p, const helia_sum_area *area, const int8_t *in,
                                   int32_t words, int8_t *out)
{
    uint32_t sums[8];
    helia_sum_lanes(area, in, words, sums);
    HELIA_UNROLL(16)
    for (int32_t i = 0; i < 4 * words; i++)
        out[i] = helia_mean_result(p, helia_sum_of(sums, i));
}

HELIA_INLINE void helia_mean_s8_dsp_body(const helia_mean_params *p, const int8_t *in, int8_t *out)
{
    const helia_mean_loops *l = &p->loops;
    const int32_t channels = l->kept[2];
    const helia_sum_area area = {1, l->reduced[2], l->reduced_stride[2], 0};
    for (int32_t at = 0; at < l->kept[0] * l->kept[1]; at++, out += channels) {
        const int8_t *from = in + at / l->kept[1] * l->kept_stride[0] + at % l->kept[1] * l->kept_stride[1];
        int32_t c = 0;
        for (; c + 16 <= channels; c += 16)
            helia_mean_group(p, &area, from + c, 4, out + c);
        for (; c + 4 <= channels; c += 4)
            helia_mean_group(p, &area, from + c, 1, out + c);
        for (; c < channels; c++)
            out[c] = helia_mean_result(p, helia_sum_channel(&area, from + c));
    }
}

#endif
