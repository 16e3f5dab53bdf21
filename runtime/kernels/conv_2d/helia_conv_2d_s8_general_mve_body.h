/* The body of helia_conv_2d_s8_general_mve: windows into scratch, four pixels and one group of channels at a time. Inline,
 * so that an operator's constants can reach it. */
#ifndef HELIA_CONV_2D_S8_GENERAL_MVE_BODY_H
#define HELIA_CONV_2D_S8_GENERAL_MVE_BODY_H

#include "helia_conv_2d_s8_general_mve.h"
#include "helia_conv_2d_s8_mve_body.h"

/* Where a pixel's window begins, which may be outside the image. */
typedef struct helia_conv_2d_s8_general_mve_corner {
    const int8_t *image;
    int32_t y, x;
} helia_conv_2d_s8_general_mve_corner;

HELIA_INLINE helia_conv_2d_s8_general_mve_corner helia_conv_2d_s8_general_mve_corner_at(const helia_conv_window *w,
                                                                                        const int8_t *in, int32_t pixel)
{
    const int32_t row = pixel / w->out_w;
    helia_conv_2d_s8_general_mve_corner corner;
    corner.image = in + row / w->out_h * w->in_h * w->in_w * w->in_c;
    corner.y = row % w->out_h * w->stride_h - w->pad_top;
    corner.x = pixel % w->out_w * w->stride_w - w->pad_left;
    return corner;
}

/* The channels from c on of a window to its chunks. `in_order`: room for them; `outside`: a tap outside the image. */
HELIA_INLINE void helia_conv_2d_s8_general_mve_window(const helia_conv_2d_s8_general_mve_params *p,
                                                      const helia_conv_2d_s8_general_mve_corner *corner, int32_t c,
                                                      int8_t *window, int8_t *in_order, const int8_t *outside)
{
    const helia_conv_window *w = &p->window;
    int32_t at = 0;
    for (int32_t i = 0; i < w->kernel_h; i++) {
        const int32_t y = corner->y + i * w->dilation_h, is_row = y >= 0 && y < w->in_h;
        for (int32_t k = 0; k < w->kernel_w; k++, at += p->filter_c) {
            const int32_t x = corner->x + k * w->dilation_w;
            const int8_t *tap = is_row && x >= 0 && x < w->in_w ? corner->image + (y * w->in_w + x) * w->in_c + c
                                                                : outside;
            if (p->filter_c % 16)
                helia_copy_bytes(in_order + at, tap, p->filter_c);
            else
                for (int32_t b = 0; b < p->filter_c; b += 16)
                    helia_copy16(window + 4 * (at + b), tap + b);
        }
    }
    if (p->filter_c % 16)
        for (int32_t b = 0; b < at; b += 16) /* what is behind the window's end, weights of 0 cover */
            helia_copy16(window + 4 * b, in_order + b);
}

HELIA_INLINE void helia_conv_2d_s8_general_mve_body(const helia_conv_2d_s8_general_mve_params *p, const int8_t *in,
                                                    const uint32_t *stream, int8_t *out, void *scratch)
{
    const helia_conv_window *w = &p->window;
    const helia_conv_2d_s8_mve_params group = {
        helia_conv_2d_s8_general_mve_group(p), p->in_zero, p->out_zero, p->relu, p->min, p->max};
    const int32_t chunks = helia_conv_2d_s8_mve_chunks(&group.window), pixels = w->batches * w->out_h * w->out_w,
                  words = (p->group_out + 1) / 2 * helia_conv_2d_s8_mve_words(&group.window);
    int8_t *windows = scratch, *in_order = windows + 64 * chunks, *outside = in_order + 16 * chunks;
    helia_fill_bytes(outside, p->in_zero, p->filter_c);
    for (int32_t m = 0; m < pixels; m += 4) {
        helia_conv_2d_s8_general_mve_corner corners[4];
        for (int32_t i = 0; i < 4; i++) /* the last pixel stands in for those missing */
            corners[i] = helia_conv_2d_s8_general_mve_corner_at(w, in, helia_min(m + i, pixels - 1));
        const uint32_t *s = stream;
        int8_t *to = out + m * w->out_c;
        for (int32_t c = 0; c < w->in_c; c += p->filter_c, s += words, to += p->group_out) {
            for (int32_t i = 0; i < 4; i++)
                helia_conv_2d_s8_general_mve_window(p, &corners[i], c, windows + 16 * i, in_order, outside);
            helia_conv_2d_s8_mve_run(&group, windows, 16, s, to, w->out_c, helia_min(4, pixels - m), 1);
        }
    }
    helia_clamp_bytes(out, pixels * w->out_c, p->min, p->max);
}

#endif
