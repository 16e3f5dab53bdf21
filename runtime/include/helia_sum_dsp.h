/* Sums over an image area for several channels at a time, in lanes of 16 bits: what AVERAGE_POOL_2D and MEAN for DSP
 * cores share. NHWC; at most HELIA_SUM_AREA pixels, so that no lane overflows. */
#ifndef HELIA_SUM_DSP_H
#define HELIA_SUM_DSP_H

#include "helia_dsp.h"

enum { HELIA_SUM_AREA = 256 };

typedef struct helia_sum_area {
    int32_t rows, cols;
    int32_t channels, row_step; /* bytes from pixel to pixel and from row to row */
} helia_sum_area;

/* Adds up 4 * words channels from `in` on. sums[2 * w]: channels 4 * w and 4 * w + 2; sums[2 * w + 1]: the two between.
 */
HELIA_INLINE void helia_sum_lanes(const helia_sum_area *a, const int8_t *in, int32_t words, uint32_t *sums)
{
    HELIA_UNROLL(8)
    for (int32_t w = 0; w < 2 * words; w++)
        sums[w] = 0;
    for (int32_t y = 0; y < a->rows; y++, in += a->row_step) {
        const int8_t *p = in;
        HELIA_UNROLL(2)
        for (int32_t x = 0; x < a->cols; x++, p += a->channels) {
            HELIA_UNROLL(4)
            for (int32_t w = 0; w < words; w++) {
                uint32_t v = helia_load4(p + 4 * w);
                sums[2 * w] = helia_sxtab16(sums[2 * w], v);
                sums[2 * w + 1] = helia_sxtab16_high(sums[2 * w + 1], v);
            }
        }
    }
}

/* The sum of channel i of those. */
HELIA_INLINE int32_t helia_sum_of(const uint32_t *sums, int32_t i)
{
    uint32_t lanes = sums[i / 4 * 2 + i % 2];
    return i & 2 ? (int32_t)lanes >> 16 : (int16_t)(lanes & 0xffffu);
}

/* One channel. */
HELIA_INLINE int32_t helia_sum_channel(const helia_sum_area *a, const int8_t *in)
{
    int32_t sum = 0;
    for (int32_t y = 0; y < a->rows; y++, in += a->row_step)
        for (int32_t x = 0; x < a->cols; x++)
            sum += in[x * a->channels];
    return sum;
}

#endif
