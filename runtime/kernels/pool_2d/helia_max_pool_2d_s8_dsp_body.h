/* The body of helia_max_pool_2d_s8_dsp, inline so that an operator's constants can reach it: four channels in a word.
 */
#ifndef HELIA_MAX_POOL_2D_S8_DSP_BODY_H
#define HELIA_MAX_POOL_2D_S8_DSP_BODY_H

#include "helia_math.h"
#include "helia_pool_2d_dsp.h"

/* 4 * words channels from `in` on; steps in bytes. */
HELIA_INLINE void helia_max_group(const helia_pool_2d_params *p, const helia_pool_2d_area *a, const int8_t *in,
                                  int32_t words, int8_t *out)
{
    const int32_t channels = p->window.channels, row_step = p->window.in_w * channels;
    uint32_t most[4];
    HELIA_UNROLL(4)
    for (int32_t w = 0; w < words; w++)
        most[w] = helia_splat4((int8_t)p->min);
    for (int32_t y = a->y0; y < a->y1; y++, in += row_step) {
        const int8_t *from = in;
        for (int32_t x = a->x0; x < a->x1; x++, from += channels) {
            HELIA_UNROLL(4)
            for (int32_t w = 0; w < words; w++)
                most[w] = helia_max4(most[w], helia_load4(from + 4 * w));
        }
    }
    HELIA_UNROLL(4)
    for (int32_t w = 0; w < words; w++) {
        if (p->max < INT8_MAX) /* the smaller one: complements reverse the order */
            most[w] = ~helia_max4(~most[w], ~helia_splat4((int8_t)p->max));
        helia_store4(out + 4 * w, most[w]);
    }
}

HELIA_INLINE int8_t helia_max_channel(const helia_pool_2d_params *p, const helia_pool_2d_area *a, const int8_t *in)
{
    const int32_t channels = p->window.channels, row_step = p->window.in_w * channels;
    int32_t most = p->min;
    for (int32_t y = a->y0; y < a->y1; y++, in += row_step)
        for (int32_t x = 0; x < a->x1 - a->x0; x++)
            most = helia_max(most, in[x * channels]);
    return (int8_t)helia_min(most, p->max);
}

HELIA_INLINE void helia_max_pool_2d_s8_dsp_body(const helia_pool_2d_params *p, const int8_t *in, int8_t *out)
{
    const helia_pool_2d_window *w = &p->window;
    const int32_t channels = w->channels;
    for (int32_t at = 0; at < w->batches * w->out_h * w->out_w; at++, out += channels) {
        const int32_t batch = at / (w->out_h * w->out_w), y = at / w->out_w % w->out_h, x = at % w->out_w;
        const helia_pool_2d_area a = helia_pool_2d_place(w, y, x);
        const int8_t *from = in + ((batch * w->in_h + a.y0) * w->in_w + a.x0) * channels;
        int32_t c = 0;
        for (; c + 16 <= channels; c += 16)
            helia_max_group(p, &a, from + c, 4, out + c);
        for (; c + 4 <= channels; c += 4)
            helia_max_group(p, &a, from + c, 1, out + c);
        for (; c < channels; c++)
            out[c] = helia_max_channel(p, &a, from + c);
    }
}

#endif
