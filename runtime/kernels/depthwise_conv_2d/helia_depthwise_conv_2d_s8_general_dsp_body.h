/* The body of helia_depthwise_conv_2d_s8_general_dsp, inline so that a layer's constants can reach it. */
#ifndef HELIA_DEPTHWISE_CONV_2D_S8_GENERAL_DSP_BODY_H
#define HELIA_DEPTHWISE_CONV_2D_S8_GENERAL_DSP_BODY_H

#include "helia_depthwise_conv_2d_s8_general_dsp.h"
#include "helia_dsp.h"
#include "helia_math.h"

/* The taps of a window that lie in the image. */
typedef struct helia_depthwise_general_dsp_taps {
    int32_t rows, cols;
    int32_t row_step, col_step; /* bytes of the input; a column's weights are 2 words */
    int32_t weights_row;        /* words */
} helia_depthwise_general_dsp_taps;

/* A tap of four channels: its products are added to the accumulators. */
HELIA_INLINE void helia_depthwise_general_dsp_tap(const int8_t *x, const uint32_t *w, uint32_t minus_zero,
                                                  int32_t acc[4])
{
    const uint32_t v = helia_load4(x);
    const uint32_t even = helia_sxtab16(minus_zero, v), odd = helia_sxtab16_high(minus_zero, v);
    acc[0] = helia_smlabb(even, w[0], acc[0]);
    acc[2] = helia_smlatt(even, w[0], acc[2]);
    acc[1] = helia_smlabb(odd, w[1], acc[1]);
    acc[3] = helia_smlatt(odd, w[1], acc[3]);
}

/* The same where the four outputs have input channels of their own: from[0] to from[3], all alike with `shared`. */
HELIA_INLINE void helia_depthwise_general_dsp_spread(const int8_t *x, const uint32_t *from, int32_t shared,
                                                     const uint32_t *w, int32_t in_zero, int32_t acc[4])
{
    const int32_t v = x[from[0]] - in_zero;
    acc[0] = helia_smlabb((uint32_t)v, w[0], acc[0]);
    acc[1] = helia_smlabb((uint32_t)(shared ? v : x[from[1]] - in_zero), w[1], acc[1]);
    acc[2] = helia_smlabt((uint32_t)(shared ? v : x[from[2]] - in_zero), w[0], acc[2]);
    acc[3] = helia_smlabt((uint32_t)(shared ? v : x[from[3]] - in_zero), w[1], acc[3]);
}

/* All taps; x: of the first one. Whole windows are unrolled where their extent is known. */
HELIA_INLINE void helia_depthwise_general_dsp_sum(const helia_depthwise_conv_2d_s8_general_dsp_params *p,
                                                  const helia_depthwise_general_dsp_taps *t, int32_t whole,
                                                  const int8_t *x, const uint32_t *from, const uint32_t *weights,
                                                  int32_t acc[4])
{
    const uint32_t minus_zero = helia_pair(-p->in_zero, -p->in_zero);
    for (int32_t i = 0; i < t->rows; i++, x += t->row_step, weights += t->weights_row) {
        const int8_t *at = x;
        const uint32_t *w = weights;
        if (p->depth_multiplier != 1) {
            for (int32_t k = t->cols; k > 0; k--, at += t->col_step, w += 2)
                helia_depthwise_general_dsp_spread(at, from, p->depth_multiplier % 4 == 0, w, p->in_zero, acc);
        } else if (whole) {
            HELIA_UNROLL(8)
            for (int32_t k = t->cols; k > 0; k--, at += t->col_step, w += 2)
                helia_depthwise_general_dsp_tap(at, w, minus_zero, acc);
        } else {
            for (int32_t k = t->cols; k > 0; k--, at += t->col_step, w += 2)
                helia_depthwise_general_dsp_tap(at, w, minus_zero, acc);
        }
    }
}

/* Requantisation without proof. */
static inline int32_t helia_depthwise_general_dsp_exact(int32_t acc, const uint32_t *record, int32_t out_zero)
{
    return helia_wrap_add(helia_requantize(acc, (int32_t)record[0], (int32_t)record[1]), out_zero);
}

HELIA_INLINE int8_t helia_depthwise_general_dsp_result(const helia_depthwise_conv_2d_s8_general_dsp_params *p,
                                                       int32_t acc, const uint32_t *record)
{
    int32_t y;
    if (p->proven) {
        y = helia_wrap_add(helia_mul_high(acc, (int32_t)record[0]), (int32_t)record[1]);
        if (!p->relu)
            y -= (acc >> 31) & (int32_t)record[3];
        y = helia_ssat8(y >> record[2]);
        if (p->min <= INT8_MIN && p->max >= INT8_MAX)
            return (int8_t)y;
    } else {
        y = helia_depthwise_general_dsp_exact(acc, record, p->out_zero);
    }
    return (int8_t)helia_clamp(y, p->min, p->max);
}

/* One output pixel; x and tap: of the first tap in the image. */
HELIA_INLINE void helia_depthwise_general_dsp_pixel(const helia_depthwise_conv_2d_s8_general_dsp_params *p,
                                                    const helia_depthwise_general_dsp_taps *t, int32_t whole,
                                                    const int8_t *x, int32_t tap, const uint32_t *stream, int8_t *out)
{
    const helia_conv_window *w = &p->window;
    for (int32_t o = 0; o < w->out_c; o += 4) {
        const int32_t first = helia_min(o, w->out_c - 4);
        const uint32_t *from = stream, *bias = p->depth_multiplier == 1 ? stream : stream + 4;
        const uint32_t *weights = bias + 4, *record = weights + 2 * w->kernel_h * w->kernel_w;
        int32_t acc[4] = {(int32_t)bias[0], (int32_t)bias[1], (int32_t)bias[2], (int32_t)bias[3]};
        helia_depthwise_general_dsp_sum(p, t, whole, p->depth_multiplier == 1 ? x + first : x, from, weights + 2 * tap,
                                        acc);
        HELIA_UNROLL(4)
        for (int32_t i = 0; i < 4; i++, record += 4)
            out[first + i] = helia_depthwise_general_dsp_result(p, acc[i], record);
        stream = record;
    }
}

HELIA_INLINE void helia_depthwise_conv_2d_s8_general_dsp_body(const helia_depthwise_conv_2d_s8_general_dsp_params *p,
                                                              const int8_t *in, const uint32_t *stream, int8_t *out)
{
    const helia_conv_window *w = &p->window;
    const int32_t row_step = w->dilation_h * w->in_w * w->in_c, col_step = w->dilation_w * w->in_c;
    const int32_t column = w->kernel_w == 1; /* a kernel of one column is walked as a row */
    const helia_depthwise_general_dsp_taps whole = {column ? 1 : w->kernel_h, column ? w->kernel_h : w->kernel_w,
                                                    row_step, column ? row_step : col_step, 2 * w->kernel_w};
    for (int32_t n = 0; n < w->batches; n++, in += w->in_h * w->in_w * w->in_c) {
        for (int32_t y = 0; y < w->out_h; y++) {
            for (int32_t x = 0; x < w->out_w; x++, out += w->out_c) {
                const helia_conv_taps t = helia_conv_taps_at(w, y, x);
                const int32_t rows = t.y1 - t.y0, cols = t.x1 - t.x0;
                const int8_t *at = in + (t.y * w->in_w + t.x) * w->in_c + t.y0 * row_step + t.x0 * col_step;
                if (rows == w->kernel_h && cols == w->kernel_w) {
                    helia_depthwise_general_dsp_pixel(p, &whole, 1, at, 0, stream, out);
                } else {
                    helia_depthwise_general_dsp_taps some = whole;
                    some.rows = column ? cols : rows;
                    some.cols = column ? rows : cols;
                    helia_depthwise_general_dsp_pixel(p, &some, 0, at, t.y0 * w->kernel_w + t.x0, stream, out);
                }
            }
        }
    }
}

#endif
