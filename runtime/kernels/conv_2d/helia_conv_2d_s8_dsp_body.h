/* The body of helia_conv_2d_s8_dsp: windows into scratch, three at a time. Inline, so that an operator's constants can
 * reach it. */
#ifndef HELIA_CONV_2D_S8_DSP_BODY_H
#define HELIA_CONV_2D_S8_DSP_BODY_H

#include "helia_conv_2d_s8_dsp.h"
#include "helia_dsp.h"

/* One row of a window: its words of four bytes, and the bytes left over at int16 number rest_at of `rest`. */
HELIA_INLINE void helia_conv_2d_s8_dsp_expand(const int8_t *src, int32_t run, uint32_t *words, uint32_t *rest,
                                              int32_t rest_at)
{
    HELIA_UNROLL(16)
    for (int32_t i = 0; i < run / 4; i++) {
        uint32_t v = helia_load4(src + 4 * i);
        words[6 * i] = helia_sxtb16(v);
        words[6 * i + 3] = helia_sxtb16_high(v);
    }
    for (int32_t i = run / 4 * 4; i < run; i++, rest_at++) {
        int16_t value = src[i];
        memcpy((int16_t *)(void *)(rest + rest_at / 2 * 3) + rest_at % 2, &value, 2);
    }
}

/* A window row of which a part lies outside the image. row: the image row, NULL above and below the image. */
static inline void helia_conv_2d_s8_dsp_border(const helia_conv_2d_s8_dsp_params *p, const int8_t *row, int32_t x,
                                               int8_t *dst)
{
    for (int32_t k = 0; k < p->window.kernel_w; k++, x++) {
        for (int32_t c = 0; c < p->window.in_c; c++)
            *dst++ = row && x >= 0 && x < p->window.in_w ? row[x * p->window.in_c + c] : (int8_t)p->in_zero;
    }
}

HELIA_INLINE void helia_conv_2d_s8_dsp_window(const helia_conv_2d_s8_dsp_params *p, const int8_t *image, int32_t out_y,
                                              int32_t out_x, uint32_t *dst, int8_t *row_buffer)
{
    const helia_conv_window *w = &p->window;
    const int32_t run = w->kernel_w * w->in_c;
    int32_t y = out_y * w->stride_h - w->pad_top, x = out_x * w->stride_w - w->pad_left;
    uint32_t *rest = dst + w->kernel_h * (run / 4) * 6;
    for (int32_t k = 0; k < w->kernel_h; k++, y += w->dilation_h, dst += run / 4 * 6) {
        const int8_t *src = image + (y * w->in_w + x) * w->in_c;
        if (helia_conv_2d_s8_dsp_has_border(w) && (y < 0 || y >= w->in_h || x < 0 || x > w->in_w - w->kernel_w)) {
            helia_conv_2d_s8_dsp_border(p, y < 0 || y >= w->in_h ? NULL : image + y * w->in_w * w->in_c, x, row_buffer);
            src = row_buffer;
        }
        helia_conv_2d_s8_dsp_expand(src, run, dst, rest, k * (run % 4));
    }
}

HELIA_INLINE void helia_conv_2d_s8_dsp_body(const helia_conv_2d_s8_dsp_params *p, const int8_t *in,
                                            const uint32_t *stream, int8_t *out, void *scratch)
{
    const helia_conv_window *w = &p->window;
    helia_conv_2d_s8_dsp_core *core = p->relu ? helia_conv_2d_s8_dsp_core_relu : helia_conv_2d_s8_dsp_core_linear;
    const int32_t pairs = helia_conv_2d_s8_dsp_pairs(w), per_image = w->out_h * w->out_w,
                  pixels = w->batches * per_image;
    uint32_t *windows = scratch;
    int8_t *row_buffer = (int8_t *)(windows + 3 * pairs);
    const int32_t groups = pairs / 2 - 1, first = groups ? (groups - 1) % 4 + 1 : 0;
    const helia_conv_2d_s8_dsp_loops loops = {w->out_c / 2, w->out_c, first, groups ? (groups + 3) / 4 : 1, pairs * 12};
    helia_conv_2d_s8_dsp_loops last = loops; /* an odd number of channels: the last two once more */
    last.channel_pairs = 1;
    const uint32_t *tail = stream + w->out_c / 2 * helia_conv_2d_s8_dsp_words(p);
    const int8_t *image = in;
    int32_t y = 0, x = 0;
    for (int32_t j = 0; j < 6; j++) /* the pad of an odd number of elements */
        windows[3 * pairs - 6 + j] = 0;
    for (int32_t m = 0; m < pixels; m += 3) {
        if (m > pixels - 3) { /* the last group overlaps the one before it */
            m = pixels - 3;
            image = in + m / per_image * (w->in_h * w->in_w * w->in_c);
            y = m % per_image / w->out_w;
            x = m % per_image % w->out_w;
        }
        for (int32_t j = 0; j < 3; j++) {
            helia_conv_2d_s8_dsp_window(p, image, y, x, windows + j, row_buffer);
            if (++x == w->out_w) {
                x = 0;
                if (++y == w->out_h) {
                    y = 0;
                    image += w->in_h * w->in_w * w->in_c;
                }
            }
        }
        core(windows, stream, out + m * w->out_c, &loops);
        if (w->out_c % 2)
            core(windows, tail, out + m * w->out_c + w->out_c - 2, &last);
    }
    if (p->min > INT8_MIN || p->max < INT8_MAX)
        for (int32_t i = 0; i < pixels * w->out_c; i++)
            out[i] = (int8_t)(out[i] < p->min ? p->min : out[i] > p->max ? p->max : out[i]);
}

#endif
