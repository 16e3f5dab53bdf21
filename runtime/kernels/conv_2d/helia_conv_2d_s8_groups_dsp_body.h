/* The body of helia_conv_2d_s8_groups_dsp. Inline, so that an operator's constants can reach it. */
#ifndef HELIA_CONV_2D_S8_GROUPS_DSP_BODY_H
#define HELIA_CONV_2D_S8_GROUPS_DSP_BODY_H

#include "helia_conv_2d_s8_groups_dsp.h"
#include "helia_conv_2d_s8_plain_dsp_body.h"

/* All groups of a pixel. */
HELIA_INLINE void helia_conv_2d_s8_groups_dsp_pixel(const helia_conv_2d_s8_groups_dsp_params *p, const int8_t *image,
                                                    int32_t y, int32_t x, const uint32_t *stream, int8_t *out,
                                                    int8_t *scratch)
{
    const helia_conv_window *w = &p->window;
    const helia_fully_connected_s8_plain_dsp_params row = {.rows = 1,
                                                           .depth = w->kernel_h * w->kernel_w * p->filter_c,
                                                           .units = p->group_out,
                                                           .out_zero = p->out_zero,
                                                           .per_channel = 1,
                                                           .min = p->min,
                                                           .max = p->max};
    const helia_conv_taps taps = helia_conv_taps_at(w, y, x);
    for (int32_t c = 0; c < w->in_c; c += p->filter_c, out += p->group_out) {
        const int8_t *window = scratch;
        if (helia_conv_2d_s8_plain_dsp_in_place(w))
            window = image + (taps.y * w->in_w + taps.x) * w->in_c + c;
        else
            helia_conv_2d_s8_plain_dsp_window(w, p->in_zero, p->filter_c, image + c, taps, scratch);
        helia_fully_connected_s8_plain_dsp_body(&row, window, stream, out);
        stream += helia_fully_connected_s8_plain_dsp_stream_words(&row);
    }
}

HELIA_INLINE void helia_conv_2d_s8_groups_dsp_body(const helia_conv_2d_s8_groups_dsp_params *p, const int8_t *in,
                                                   const uint32_t *stream, int8_t *out, void *scratch)
{
    const helia_conv_window *w = &p->window;
    for (int32_t n = 0; n < w->batches; n++, in += w->in_h * w->in_w * w->in_c)
        for (int32_t y = 0; y < w->out_h; y++)
            for (int32_t x = 0; x < w->out_w; x++, out += w->out_c)
                helia_conv_2d_s8_groups_dsp_pixel(p, in, y, x, stream, out, scratch);
}

#endif
