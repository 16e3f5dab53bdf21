/* The body of helia_average_pool_2d_s8_dsp, inline so that an operator's constants can reach it.
 *
 * The mean of n <= 256 values with sum s, |s| <= 2^15, halves rounded away from zero, is floor(u / n) with
 *   u = s + floor(n / 2) - [n even and s < 0].
 * With m = ceil(2^30 / n) this is floor((4 * u + 2) * m / 2^32): (u + 1/2) * m / 2^30 is u / n + 1 / (2 * n) plus an
 * error of at most (|u| + 1/2) * (m * n - 2^30) / (n * 2^30) < 2^16 * 2^8 / (n * 2^30) < 1 / (2 * n), and u / n is a
 * multiple of 1 / n. */
#ifndef HELIA_AVERAGE_POOL_2D_S8_DSP_BODY_H
#define HELIA_AVERAGE_POOL_2D_S8_DSP_BODY_H

#include "helia_math.h"
#include "helia_pool_2d_dsp.h"
#include "helia_sum_dsp.h"

typedef struct helia_average_of {
    int32_t m, add, even; /* ceil(2^30 / n), 4 * floor(n / 2) + 2, whether n is even */
    int32_t min, max;
} helia_average_of;

HELIA_INLINE int8_t helia_average_divide(const helia_average_of *d, int32_t sum)
{
    if (d->even)
        sum += sum >> 31;
    int32_t mean = helia_mul_high(sum * 4 + d->add, d->m);
    if (d->min > INT8_MIN || d->max < INT8_MAX)
        mean = helia_clamp(mean, d->min, d->max);
    return (int8_t)mean;
}

HELIA_INLINE void helia_average_group(const helia_sum_area *area, const helia_average_of *d, const int8_t *in,
                                      int32_t words, int8_t *out)
{
    uint32_t sums[8];
    helia_sum_lanes(area, in, words, sums);
    HELIA_UNROLL(16)
    for (int32_t i = 0; i < 4 * words; i++)
        out[i] = helia_average_divide(d, helia_sum_of(sums, i));
}

HELIA_INLINE void helia_average_pool_2d_s8_dsp_body(const helia_pool_2d_params *p, const int8_t *in, int8_t *out)
{
    const helia_pool_2d_window *w = &p->window;
    const int32_t channels = w->channels;
    for (int32_t at = 0; at < w->batches * w->out_h * w->out_w; at++, out += channels) {
        const int32_t batch = at / (w->out_h * w->out_w), y = at / w->out_w % w->out_h, x = at % w->out_w;
        const helia_pool_2d_area a = helia_pool_2d_place(w, y, x);
        const int32_t rows = a.y1 - a.y0, cols = a.x1 - a.x0, n = rows * cols;
        const int32_t whole = cols == w->in_w; /* the rows lie one behind the other */
        const helia_sum_area area = {whole ? 1 : rows, whole ? n : cols, channels, w->in_w * channels};
        const helia_average_of d = {((1 << 30) + n - 1) / n, n / 2 * 4 + 2, n % 2 == 0, p->min, p->max};
        const int8_t *from = in + ((batch * w->in_h + a.y0) * w->in_w + a.x0) * channels;
        int32_t c = 0;
        for (; c + 16 <= channels; c += 16)
            helia_average_group(&area, &d, from + c, 4, out + c);
        for (; c + 4 <= channels; c += 4)
            helia_average_group(&area, &d, from + c, 1, out + c);
        for (; c < channels; c++)
            out[c] = helia_average_divide(&d, helia_sum_channel(&area, from + c));
    }
}

#endif
