/* The body of helia_conv_2d_s8_plain_dsp. Inline, so that an operator's constants can reach it. */
#ifndef HELIA_CONV_2D_S8_PLAIN_DSP_BODY_H
#define HELIA_CONV_2D_S8_PLAIN_DSP_BODY_H

#include "helia_conv_2d_s8_plain_dsp.h"
#include "helia_fully_connected_s8_plain_dsp_body.h"

/* The first `channels` of a window, with the input's zero point for what lies outside the image. */
HELIA_INLINE void helia_conv_2d_s8_plain_dsp_window(const helia_conv_window *w, int32_t in_zero, int32_t channels,
                                                    const int8_t *image, helia_conv_taps t, int8_t *dst)
{
    if (t.y0 > 0 || t.y1 < w->kernel_h || t.x0 > 0 || t.x1 < w->kernel_w)
        memset(dst, in_zero, (size_t)(w->kernel_h * w->kernel_w * channels));
    for (int32_t i = t.y0; i < t.y1; i++) {
        const int8_t *row = image + (t.y + i * w->dilation_h) * w->in_w * w->in_c;
        int8_t *to = dst + i * w->kernel_w * channels;
        for (int32_t k = t.x0; k < t.x1; k++)
            memcpy(to + k * channels, row + (t.x + k * w->dilation_w) * w->in_c, (size_t)channels);
    }
}

HELIA_INLINE void helia_conv_2d_s8_plain_dsp_body(const helia_conv_2d_s8_plain_dsp_params *p, const int8_t *in,
                                                  const uint32_t *stream, int8_t *out, void *scratch)
{
    const helia_conv_window *w = &p->window;
    const helia_fully_connected_s8_plain_dsp_params row = {.rows = 1,
                                                           .depth = w->kernel_h * w->kernel_w * w->in_c,
                                                           .units = w->out_c,
                                                           .out_zero = p->out_zero,
                                                           .per_channel = 1,
                                                           .min = p->min,
                                                           .max = p->max};
    for (int32_t n = 0; n < w->batches; n++, in += w->in_h * w->in_w * w->in_c) {
        for (int32_t y = 0; y < w->out_h; y++) {
            for (int32_t x = 0; x < w->out_w; x++, out += w->out_c) {
                const int8_t *window = scratch;
                if (helia_conv_2d_s8_plain_dsp_in_place(w))
                    window = in + (y * w->stride_h * w->in_w + x * w->stride_w) * w->in_c;
                else
                    helia_conv_2d_s8_plain_dsp_window(w, p->in_zero, w->in_c, in, helia_conv_taps_at(w, y, x), scratch);
                helia_fully_connected_s8_plain_dsp_body(&row, window, stream, out);
            }
        }
    }
}

#endif
