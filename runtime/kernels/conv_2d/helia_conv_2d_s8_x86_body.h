/* The body of helia_conv_2d_s8_x86. Inline, so that an operator's constants can reach it. */
#ifndef HELIA_CONV_2D_S8_X86_BODY_H
#define HELIA_CONV_2D_S8_X86_BODY_H

#include "helia_conv_2d_s8_x86.h"
#include "helia_x86_tile.h"

/* The rows of one output row, inside their border, to the strip. */
HELIA_INLINE void helia_conv_2d_s8_x86_strip(const helia_conv_2d_s8_x86_params *p, const int8_t *image, int32_t out_y,
                                             uint8_t *strip)
{
    const helia_conv_window *w = &p->window;
    const int32_t seen = helia_conv_2d_s8_x86_columns(w), bytes = helia_min(w->in_w, seen - w->pad_left) * w->in_c;
    int32_t y = out_y * w->stride_h - w->pad_top;
    strip += w->pad_left * w->in_c;
    for (int32_t k = 0; k < w->kernel_h; k++, y += w->dilation_h, strip += seen * w->in_c) {
        if (y < 0 || y >= w->in_h)
            memset(strip, p->in_zero + 128, (size_t)bytes);
        else
            helia_x86_flip(strip, image + y * w->in_w * w->in_c, bytes);
    }
}

HELIA_INLINE void helia_conv_2d_s8_x86_body(const helia_conv_2d_s8_x86_params *p, const int8_t *in,
                                            const uint32_t *stream, int8_t *out, void *scratch)
{
    const helia_conv_window *w = &p->window;
    const int32_t pixels = w->batches * w->out_h * w->out_w, most = HELIA_CONV_2D_S8_X86_PIXELS;
    uint8_t *strip = scratch;
    helia_x86_product product = {{p->out_zero, p->relu, p->min, p->max}, w->out_c, w->kernel_h, 0, 0, 0};
    product.fours = helia_conv_2d_s8_x86_fours(w);
    product.line = helia_conv_2d_s8_x86_columns(w) * w->in_c;
    product.step = w->stride_w * w->in_c;
    if (helia_conv_2d_s8_x86_is_plain(w)) {
        memset(strip + helia_min(pixels, most) * w->in_c, 0, HELIA_CONV_2D_S8_X86_BEHIND);
        for (int32_t i = 0; i < pixels; i += most) {
            const int32_t n = helia_min(pixels - i, most);
            helia_x86_flip(strip, in + i * w->in_c, n * w->in_c);
            helia_x86_multiply(&product, strip, n, stream, out + i * w->out_c);
        }
        return;
    }
    memset(strip, p->in_zero + 128, (size_t)(w->kernel_h * product.line + HELIA_CONV_2D_S8_X86_BEHIND));
    for (int32_t n = 0; n < w->batches; n++, in += w->in_h * w->in_w * w->in_c)
        for (int32_t y = 0; y < w->out_h; y++, out += w->out_w * w->out_c) {
            helia_conv_2d_s8_x86_strip(p, in, y, strip);
            helia_x86_multiply(&product, strip, w->out_w, stream, out);
        }
}

#endif
