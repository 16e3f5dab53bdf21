/* The body of helia_conv_2d_s8_general_mve: windows into scratch, four pixels and one group of channels at a time. Inline,
 * so that an operator's constants can reach it. */
#ifndef HELIA_CONV_2D_S8_GENERAL_MVE_BODY_H
#define HELIA_CONV_2D_S8_GENERAL_MVE_BODY_H

#include "helia_conv_2d_s8_general_mve.h"
#include "helia_conv_2d_s8_mve_body.h"

/* The addresses of a pixel's taps; `outside` stands for those outside the image. */
HELIA_INLINE void helia_conv_2d_s8_general_mve_taps(const helia_conv_window *w, const int8_t *in, int32_t pixel,
                                                    const int8_t *outside, const int8_t **taps)
{
    const int32_t row = pixel / w->out_w;
    const int8_t *image = in + row / w->out_h * w->in_h * w->in_w * w->in_c;
    int32_t y = row % w->out_h * w->stride_h - w->pad_top;
    for (int32_t i = 0; i < w->kernel_h; i++, y += w->dilation_h) {
        int32_t x = pixel % w->out_w * w->stride_w - w->pad_left;
        for (int32_t k = 0; k < w->kernel_w; k++, x += w->dilation_w) {
            const int32_t is_inside = y >= 0 && y < w->in_h && x >= 0 && x < w->in_w;
            *taps++ = is_inside ? image + (y * w->in_w + x) * w->in_c : outside;
        }
    }
}

/* The channels from c on of a window to its chunks. in_order: room for them. */
HELIA_INLINE void helia_conv_2d_s8_general_mve_window(const helia_conv_2d_s8_general_mve_params *p,
                                                      const int8_t *const *taps, int32_t c, int8_t *window,
                                                      int8_t *in_order)
{
    const int32_t depth = p->window.kernel_h * p->window.kernel_w * p->filter_c;
    if (p->filter_c % 16 == 0) {
        for (int32_t at = 0; at < depth; at += p->filter_c, taps++)
            for (int32_t b = 0; b < p->filter_c; b += 16)
                helia_copy16(window + 4 * (at + b), *taps + c + b);
        return;
    }
    for (int32_t at = 0; at < depth; at += p->filter_c)
        helia_copy_bytes(in_order + at, *taps++ + c, p->filter_c);
    for (int32_t b = 0; b < depth; b += 16) /* what is behind the window's end, weights of 0 cover */
        helia_copy16(window + 4 * b, in_order + b);
}

HELIA_INLINE void helia_conv_2d_s8_general_mve_body(const helia_conv_2d_s8_general_mve_params *p, const int8_t *in,
                                                    const uint32_t *stream, int8_t *out, void *scratch)
{
    const helia_conv_window *w = &p->window;
    const helia_conv_2d_s8_mve_params group = {
        helia_conv_2d_s8_general_mve_group(p), p->in_zero, p->out_zero, p->relu, p->min, p->max};
    const int32_t chunks = helia_conv_2d_s8_mve_chunks(&group.window), n_taps = w->kernel_h * w->kernel_w,
                  pixels = w->batches * w->out_h * w->out_w,
                  words = (p->group_out + 1) / 2 * helia_conv_2d_s8_mve_words(&group.window);
    int8_t *windows = scratch, *in_order = windows + 64 * chunks, *outside = in_order + 16 * chunks + 32 * n_taps;
    const int8_t **taps = (const int8_t **)(void *)(in_order + 16 * chunks);
    helia_fill_bytes(outside, p->in_zero, w->in_c);
    for (int32_t m = 0; m < pixels; m += 4) {
        for (int32_t i = 0; i < 4; i++) /* the last pixel stands in for those missing */
            helia_conv_2d_s8_general_mve_taps(w, in, helia_min(m + i, pixels - 1), outside, taps + i * n_taps);
        const uint32_t *s = stream;
        int8_t *to = out + m * w->out_c;
        for (int32_t c = 0; c < w->in_c; c += p->filter_c, s += words, to += p->group_out) {
            for (int32_t i = 0; i < 4; i++)
                helia_conv_2d_s8_general_mve_window(p, taps + i * n_taps, c, windows + 16 * i, in_order);
            helia_conv_2d_s8_mve_run(&group, windows, 16, s, to, w->out_c, helia_min(4, pixels - m), 1);
        }
    }
    helia_clamp_bytes(out, pixels * w->out_c, p->min, p->max);
}

#endif
