/* The body of helia_depthwise_conv_2d_s8_general_mve, inline so that a layer's constants can reach it. */
#ifndef HELIA_DEPTHWISE_CONV_2D_S8_GENERAL_MVE_BODY_H
#define HELIA_DEPTHWISE_CONV_2D_S8_GENERAL_MVE_BODY_H

#include "helia_depthwise_conv_2d_s8_general_mve.h"
#include "helia_mve.h"

/* The taps of a window that lie in the image, from the first one on. */
typedef struct helia_depthwise_general_mve_taps {
    int32_t rows, cols;
    int32_t row_step, col_step;       /* bytes of the input */
    int32_t weights_row, weights_col; /* bytes of the weights */
} helia_depthwise_general_mve_taps;

#if defined(__ARM_FEATURE_MVE)
/* Where a block's channels come from and which of 16 there are. */
typedef struct helia_depthwise_general_mve_lanes {
    uint8x16_t from;
    mve_pred16_t some;
    int32_t spread, full;
} helia_depthwise_general_mve_lanes;

HELIA_INLINE int8x16_t helia_depthwise_general_mve_load(const int8_t *p, const helia_depthwise_general_mve_lanes *l)
{
    return l->full ? vld1q_s8(p) : vldrbq_z_s8(p, l->some);
}

HELIA_INLINE int8x16_t helia_depthwise_general_mve_input(const int8_t *p, const helia_depthwise_general_mve_lanes *l)
{
    if (!l->spread)
        return helia_depthwise_general_mve_load(p, l);
    return l->full ? vldrbq_gather_offset_s8(p, l->from) : vldrbq_gather_offset_z_s8(p, l->from, l->some);
}

/* Sums of even and of odd channels, 16 bits, are added to those of every fourth channel. */
HELIA_INLINE void helia_depthwise_general_mve_widen(int16x8_t even, int16x8_t odd, int32x4_t acc[4])
{
    acc[0] = vaddq_s32(acc[0], vmovlbq_s16(even));
    acc[1] = vaddq_s32(acc[1], vmovlbq_s16(odd));
    acc[2] = vaddq_s32(acc[2], vmovltq_s16(even));
    acc[3] = vaddq_s32(acc[3], vmovltq_s16(odd));
}

/* A window within the image. */
HELIA_INLINE void helia_depthwise_general_mve_whole(const helia_depthwise_general_mve_taps *t, const int8_t *x,
                                                    const int8_t *weights, const helia_depthwise_general_mve_lanes *l,
                                                    int32x4_t acc[4])
{
    for (int32_t i = 0; i < t->rows; i++, x += t->row_step, weights += t->weights_row) {
        const int8_t *at = x, *w = weights;
        for (int32_t k = t->cols / 2; k > 0; k--) {
            int8x16_t v = helia_depthwise_general_mve_input(at, l), u = helia_depthwise_general_mve_load(w, l);
            int16x8_t even = vmullbq_int_s8(v, u), odd = vmulltq_int_s8(v, u);
            v = helia_depthwise_general_mve_input(at + t->col_step, l);
            u = helia_depthwise_general_mve_load(w + t->weights_col, l);
            at += 2 * t->col_step;
            w += 2 * t->weights_col;
            even = vaddq_s16(even, vmullbq_int_s8(v, u));
            odd = vaddq_s16(odd, vmulltq_int_s8(v, u));
            helia_depthwise_general_mve_widen(even, odd, acc);
        }
        if (t->cols % 2) {
            int8x16_t v = helia_depthwise_general_mve_input(at, l), u = helia_depthwise_general_mve_load(w, l);
            helia_depthwise_general_mve_widen(vmullbq_int_s8(v, u), vmulltq_int_s8(v, u), acc);
        }
    }
}

/* Any window. */
HELIA_INLINE void helia_depthwise_general_mve_some(const helia_depthwise_general_mve_taps *t, const int8_t *x,
                                                   const int8_t *weights, const helia_depthwise_general_mve_lanes *l,
                                                   int32_t in_zero, int32x4_t acc[4])
{
    for (int32_t i = 0; i < t->rows; i++, x += t->row_step, weights += t->weights_row) {
        const int8_t *at = x, *w = weights;
        for (int32_t k = t->cols; k > 0; k--, at += t->col_step, w += t->weights_col) {
            int8x16_t v = helia_depthwise_general_mve_input(at, l), u = helia_depthwise_general_mve_load(w, l);
            int16x8_t even = vsubq_n_s16(vmovlbq_s8(v), (int16_t)in_zero), even_w = vmovlbq_s8(u);
            int16x8_t odd = vsubq_n_s16(vmovltq_s8(v), (int16_t)in_zero), odd_w = vmovltq_s8(u);
            acc[0] = vaddq_s32(acc[0], vmullbq_int_s16(even, even_w));
            acc[1] = vaddq_s32(acc[1], vmullbq_int_s16(odd, odd_w));
            acc[2] = vaddq_s32(acc[2], vmulltq_int_s16(even, even_w));
            acc[3] = vaddq_s32(acc[3], vmulltq_int_s16(odd, odd_w));
        }
    }
}

HELIA_INLINE int32x4_t helia_depthwise_general_mve_scale(const helia_depthwise_conv_2d_s8_general_mve_params *p,
                                                         int32x4_t acc, const int32_t *multiplier)
{
    const int32x4_t shift = vld1q_s32(multiplier + 16), zero = vdupq_n_s32(0);
    if (p->wide)
        acc = vshlq_s32(acc, vmaxq_s32(shift, zero));
    acc = vqrdmulhq_s32(acc, vld1q_s32(multiplier));
    if (p->wide) {
        acc = vaddq_s32(acc, vandq_s32(vshrq_n_s32(acc, 31), vshrq_n_s32(shift, 31)));
        return vaddq_n_s32(vrshlq_s32(acc, vminq_s32(shift, zero)), p->out_zero);
    }
    if (!p->relu)
        acc = vaddq_s32(acc, vshrq_n_s32(acc, 31));
    return vrshlq_s32(acc, shift);
}

/* n channels of one pixel, 16 where `full`; x, weights: of the window's first tap in the image, of the block. */
HELIA_INLINE void helia_depthwise_general_mve_channels(const helia_depthwise_conv_2d_s8_general_mve_params *p,
                                                       const helia_depthwise_general_mve_taps *t, int32_t whole,
                                                       int32_t full, int32_t n, const int8_t *x, const int8_t *weights,
                                                       const uint32_t *record, int8_t *out)
{
    helia_depthwise_general_mve_lanes l = {vdupq_n_u8(0), vctp8q((uint32_t)n), p->depth_multiplier != 1, full};
    if (l.spread) {
        x += record[0];
        l.from = vld1q_u8((const uint8_t *)(record + 1));
        record += HELIA_DEPTHWISE_GENERAL_MVE_SPREAD;
    }
    const int32_t *bias = (const int32_t *)record + (whole ? 0 : 16), *scale = (const int32_t *)record + 32;
    int32x4_t acc[4] = {vld1q_s32(bias), vld1q_s32(bias + 4), vld1q_s32(bias + 8), vld1q_s32(bias + 12)};
    if (whole)
        helia_depthwise_general_mve_whole(t, x, weights, &l, acc);
    else
        helia_depthwise_general_mve_some(t, x, weights, &l, p->in_zero, acc);
    HELIA_UNROLL(4)
    for (int32_t q = 0; q < 4; q++)
        acc[q] = helia_depthwise_general_mve_scale(p, acc[q], scale + 4 * q);
    int8x16_t y = helia_mve_narrow(acc[0], acc[1], acc[2], acc[3], p->wide ? 0 : p->out_zero);
    y = helia_mve_clamp(y, p->min, p->max);
    if (full)
        vst1q_s8(out, y);
    else
        vstrbq_p_s8(out, y, l.some);
}

/* One output pixel; x, weights: of the window's first tap in the image. */
HELIA_INLINE void helia_depthwise_general_mve_pixel(const helia_depthwise_conv_2d_s8_general_mve_params *p,
                                                    const helia_depthwise_general_mve_taps *t, int32_t whole,
                                                    const int8_t *x, const int8_t *weights, const uint32_t *record,
                                                    int8_t *out)
{
    const helia_conv_window *w = &p->window;
    const int32_t block = helia_depthwise_general_mve_block(w), step = p->depth_multiplier == 1 ? 16 : 0;
    int32_t o = 0;
    for (; o < w->out_c / 16 * 16; o += 16, record += block, x += step)
        helia_depthwise_general_mve_channels(p, t, whole, 1, 16, x, weights + o, record, out + o);
    if (o < w->out_c)
        helia_depthwise_general_mve_channels(p, t, whole, 0, w->out_c - o, x, weights + o, record, out + o);
}
#else
/* The same on any machine. */
HELIA_INLINE void helia_depthwise_general_mve_pixel(const helia_depthwise_conv_2d_s8_general_mve_params *p,
                                                    const helia_depthwise_general_mve_taps *t, int32_t whole,
                                                    const int8_t *x, const int8_t *weights, const uint32_t *record,
                                                    int8_t *out)
{
    const helia_conv_window *w = &p->window;
    for (int32_t o = 0; o < w->out_c; o++) {
        const uint32_t *block = record + o / 16 * helia_depthwise_general_mve_block(w);
        int32_t from = o;
        if (p->depth_multiplier != 1) {
            from = (int32_t)block[0] + ((const uint8_t *)(block + 1))[o % 16];
            block += HELIA_DEPTHWISE_GENERAL_MVE_SPREAD;
        }
        const int32_t *facts = (const int32_t *)block + o % 4 * 4 + o % 16 / 4;
        const int32_t zero = whole ? 0 : p->in_zero;
        int32_t acc = facts[whole ? 0 : 16];
        for (int32_t i = 0; i < t->rows; i++)
            for (int32_t k = 0; k < t->cols; k++)
                acc = helia_wrap_add(acc, (x[from + i * t->row_step + k * t->col_step] - zero) *
                                              weights[o + i * t->weights_row + k * t->weights_col]);
        acc = helia_wrap_add(helia_requantize(acc, facts[32], facts[48]), p->out_zero);
        out[o] = (int8_t)helia_clamp(acc, p->min, p->max);
    }
}
#endif

HELIA_INLINE void helia_depthwise_conv_2d_s8_general_mve_body(const helia_depthwise_conv_2d_s8_general_mve_params *p,
                                                              const int8_t *in, const int8_t *weights,
                                                              const uint32_t *records, int8_t *out)
{
    const helia_conv_window *w = &p->window;
    const int32_t row_step = w->dilation_h * w->in_w * w->in_c, col_step = w->dilation_w * w->in_c;
    const int32_t weights_row = w->kernel_w * w->out_c;
    const int32_t column = w->kernel_w == 1; /* a kernel of one column is walked as a row */
    const helia_depthwise_general_mve_taps whole = {column ? 1 : w->kernel_h,
                                                    column ? w->kernel_h : w->kernel_w,
                                                    row_step,
                                                    column ? row_step : col_step,
                                                    weights_row,
                                                    w->out_c};
    for (int32_t n = 0; n < w->batches; n++, in += w->in_h * w->in_w * w->in_c) {
        for (int32_t y = 0; y < w->out_h; y++) {
            for (int32_t x = 0; x < w->out_w; x++, out += w->out_c) {
                const helia_conv_taps t = helia_conv_taps_at(w, y, x);
                const int32_t rows = t.y1 - t.y0, cols = t.x1 - t.x0;
                const int8_t *at = in + (t.y * w->in_w + t.x) * w->in_c + t.y0 * row_step + t.x0 * col_step;
                if (p->pairs && rows == w->kernel_h && cols == w->kernel_w) {
                    helia_depthwise_general_mve_pixel(p, &whole, 1, at, weights, records, out);
                } else {
                    helia_depthwise_general_mve_taps some = whole;
                    some.rows = column ? cols : rows;
                    some.cols = column ? rows : cols;
                    helia_depthwise_general_mve_pixel(p, &some, 0, at, weights + t.y0 * weights_row + t.x0 * w->out_c,
                                                      records, out);
                }
            }
        }
    }
}

#endif
