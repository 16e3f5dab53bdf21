/* The body of helia_fully_connected_s8_plain_dsp. Inline, so that an operator's constants can reach it. */
#ifndef HELIA_FULLY_CONNECTED_S8_PLAIN_DSP_BODY_H
#define HELIA_FULLY_CONNECTED_S8_PLAIN_DSP_BODY_H

#include "helia_dsp.h"
#include "helia_fully_connected_s8_plain_dsp.h"
#include "helia_math.h"

/* A row's last one to three elements, then zeros. */
HELIA_INLINE uint32_t helia_fully_connected_plain_tail(const int8_t *in, int32_t n)
{
    uint32_t v = 0;
    while (n > 0)
        v = v << 8 | (uint8_t)in[--n];
    return v;
}

/* Of the units of a group; two of them where it is of two. No array: it would stay in memory where size is optimised. */
typedef struct helia_fully_connected_plain_sums {
    int32_t a, b, c, d;
} helia_fully_connected_plain_sums;

/* Adds four products: the row's elements 0 and 2, then 1 and 3. */
HELIA_INLINE int32_t helia_fully_connected_plain_dot(uint32_t w, uint32_t even, uint32_t odd, int32_t sum)
{
    return helia_smlad(helia_sxtb16_high(w), odd, helia_smlad(helia_sxtb16(w), even, sum));
}

/* Adds four elements of the row to the sums of n units. */
HELIA_INLINE void helia_fully_connected_plain_add(uint32_t x, const uint32_t *w, int32_t n,
                                                  helia_fully_connected_plain_sums *s)
{
    const uint32_t even = helia_sxtb16(x), odd = helia_sxtb16_high(x);
    s->a = helia_fully_connected_plain_dot(w[0], even, odd, s->a);
    s->b = helia_fully_connected_plain_dot(w[1], even, odd, s->b);
    if (n > 2) {
        s->c = helia_fully_connected_plain_dot(w[2], even, odd, s->c);
        s->d = helia_fully_connected_plain_dot(w[3], even, odd, s->d);
    }
}

/* The sum of a row, for weights with a zero point. */
HELIA_INLINE int32_t helia_fully_connected_plain_total(const int8_t *in, int32_t depth)
{
    int32_t total = 0;
    for (int32_t k = 0; k < depth; k++)
        total += in[k];
    return total;
}

/* n units, of which the first `results` are wanted. Behind the group's part of the stream. */
HELIA_INLINE const uint32_t *helia_fully_connected_plain_group(const helia_fully_connected_s8_plain_dsp_params *p,
                                                               const int8_t *in, int32_t correction,
                                                               const uint32_t *stream, int32_t n, int32_t results,
                                                               int8_t *out)
{
    helia_fully_connected_plain_sums s = {(int32_t)stream[0], (int32_t)stream[1], 0, 0};
    if (n > 2) {
        s.c = (int32_t)stream[2];
        s.d = (int32_t)stream[3];
    }
    stream += n;
    for (const int8_t *end = in + p->depth / 4 * 4; in != end; in += 4, stream += n)
        helia_fully_connected_plain_add(helia_load4(in), stream, n, &s);
    if (p->depth % 4) {
        helia_fully_connected_plain_add(helia_fully_connected_plain_tail(in, p->depth % 4), stream, n, &s);
        stream += n;
    }
    const int32_t sums[4] = {s.a, s.b, s.c, s.d};
    for (int32_t i = 0; i < n && i < results; i++) {
        const int32_t multiplier = p->per_channel ? (int32_t)stream[i] : p->multiplier;
        const int32_t shift = p->per_channel ? (int32_t)stream[n + i] : p->shift;
        const int32_t y = helia_requantize(helia_wrap_sub(sums[i], correction), multiplier, shift);
        out[i] = (int8_t)helia_clamp(helia_wrap_add(y, p->out_zero), p->min, p->max);
    }
    return stream + (p->per_channel ? 2 * n : 0);
}

HELIA_INLINE void helia_fully_connected_s8_plain_dsp_body(const helia_fully_connected_s8_plain_dsp_params *p,
                                                          const int8_t *in, const uint32_t *stream, int8_t *out)
{
    for (int32_t r = 0; r < p->rows; r++, in += p->depth) {
        const uint32_t *s = stream;
        const int32_t correction = p->weights_zero ? helia_wrap_mul(p->weights_zero,
                                                                    helia_fully_connected_plain_total(in, p->depth))
                                                   : 0;
        int32_t unit = 0;
        for (; unit + 4 <= p->units; unit += 4, out += 4)
            s = helia_fully_connected_plain_group(p, in, correction, s, 4, 4, out);
        for (; unit < p->units; unit += 2, out += 2) {
            const int32_t results = p->units - unit < 2 ? 1 : 2;
            s = helia_fully_connected_plain_group(p, in, correction, s, 2, results, out);
            out -= 2 - results;
        }
    }
}

#endif
