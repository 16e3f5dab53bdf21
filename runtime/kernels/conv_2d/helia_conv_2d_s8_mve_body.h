/* The body of helia_conv_2d_s8_mve: windows or rows into scratch, four pixels at a time. Inline, so that an operator's
 * constants can reach it. */
#ifndef HELIA_CONV_2D_S8_MVE_BODY_H
#define HELIA_CONV_2D_S8_MVE_BODY_H

#include "helia_conv_2d_s8_mve.h"
#include "helia_mve.h"

/* For `group` pixels (the last one stands in for those missing of four) and all whole pairs of channels. */
HELIA_INLINE helia_conv_2d_s8_mve_loops helia_conv_2d_s8_mve_loops_of(const helia_conv_2d_s8_mve_params *p, int32_t group)
{
    const int32_t out_c = p->window.out_c, second = out_c > 1 ? 1 : 0;
    helia_conv_2d_s8_mve_loops loops;
    for (int32_t i = 0; i < 4; i++) {
        int32_t pixel = i < group ? i : group - 1;
        loops.offsets[2 * i] = (uint16_t)(pixel * out_c);
        loops.offsets[2 * i + 1] = (uint16_t)(pixel * out_c + second);
    }
    loops.pairs = out_c > 1 ? out_c / 2 : 1;
    loops.chunks = helia_conv_2d_s8_mve_chunks(&p->window) - 1;
    loops.out_zero = p->out_zero;
    loops.groups = 1;
    loops.step = 16;
    loops.in_advance = 4 * p->window.in_c;
    loops.out_advance = 4 * out_c - 2 * loops.pairs;
    return loops;
}

/* ---- groups ------------------------------------------------------------------------------------ */
/* `run` bytes of a window row from column x of an image row; row NULL: outside the image. */
HELIA_INLINE void helia_conv_2d_s8_mve_row(const helia_conv_2d_s8_mve_params *p, const int8_t *row, int32_t x, int8_t *dst)
{
    const int32_t c = p->window.in_c, columns = p->window.kernel_w;
    int32_t left = x < 0 ? helia_min(-x, columns) : 0;
    int32_t right = helia_clamp(x + columns - p->window.in_w, 0, columns - left);
    if (!row) {
        helia_fill_bytes(dst, p->in_zero, columns * c);
    } else if (left + right == 0) {
        helia_copy_bytes(dst, row + x * c, columns * c);
    } else {
        helia_fill_bytes(dst, p->in_zero, left * c);
        helia_copy_bytes(dst + left * c, row + (x + left) * c, (columns - left - right) * c);
        helia_fill_bytes(dst + (columns - right) * c, p->in_zero, right * c);
    }
}

/* Bytes in order to chunks of a window among four. */
HELIA_INLINE void helia_conv_2d_s8_mve_spread(int8_t *window, const int8_t *src, int32_t n)
{
    int32_t i = 0;
    HELIA_UNROLL(4)
    for (; i < n / 16; i++)
        helia_copy16(window + 64 * i, src + 16 * i);
    if (n % 16)
        helia_copy_padded(window + 64 * i, src + 16 * i, n % 16);
}

HELIA_INLINE void helia_conv_2d_s8_mve_window(const helia_conv_2d_s8_mve_params *p, const int8_t *image, int32_t out_y,
                                              int32_t out_x, int8_t *window, int8_t *in_order)
{
    const helia_conv_window *w = &p->window;
    const int32_t run = w->kernel_w * w->in_c, has_border = helia_conv_2d_s8_mve_has_border(w);
    int32_t y = out_y * w->stride_h - w->pad_top, x = out_x * w->stride_w - w->pad_left;
    if (w->kernel_h == 1 && !has_border) {
        helia_conv_2d_s8_mve_spread(window, image + (y * w->in_w + x) * w->in_c, run);
        return;
    }
    for (int32_t k = 0; k < w->kernel_h; k++, y += w->dilation_h) {
        const int8_t *row = has_border && (y < 0 || y >= w->in_h) ? NULL : image + y * w->in_w * w->in_c;
        if (run % 16 == 0 && row && (!has_border || (x >= 0 && x <= w->in_w - w->kernel_w))) {
            helia_conv_2d_s8_mve_spread(window + 4 * k * run, row + x * w->in_c, run);
        } else {
            helia_conv_2d_s8_mve_row(p, row, x, in_order + k * run);
            if (run % 16 == 0)
                helia_conv_2d_s8_mve_spread(window + 4 * k * run, in_order + k * run, run);
        }
    }
    if (run % 16 != 0)
        helia_conv_2d_s8_mve_spread(window, in_order, w->kernel_h * run);
}

/* Groups whose windows are the input itself. */
HELIA_INLINE int32_t helia_conv_2d_s8_mve_direct_groups(const helia_conv_window *w)
{
    int32_t pixels = w->batches * w->out_h * w->out_w, c = w->in_c;
    if (w->kernel_h * w->kernel_w > 1 || w->stride_h * w->stride_w > 1 || c > 16 || pixels * c < 16 + 3 * c)
        return 0;
    return (pixels * c - 16 - 3 * c) / (4 * c) + 1;
}

HELIA_INLINE void helia_conv_2d_s8_mve_groups(const helia_conv_2d_s8_mve_params *p, const int8_t *in,
                                              const uint32_t *stream, int8_t *out, void *scratch)
{
    const helia_conv_window *w = &p->window;
    helia_conv_2d_s8_mve_core *core = p->relu ? helia_conv_2d_s8_mve_core_relu : helia_conv_2d_s8_mve_core_linear;
    const int32_t per_image = w->out_h * w->out_w, pixels = w->batches * per_image, group = helia_min(pixels, 4);
    int8_t *windows = scratch, *in_order = windows + 64 * helia_conv_2d_s8_mve_chunks(w);
    helia_conv_2d_s8_mve_loops loops = helia_conv_2d_s8_mve_loops_of(p, group), last = loops;
    const uint32_t *tail = stream + loops.pairs * helia_conv_2d_s8_mve_words(w);
    const int32_t odd = w->out_c > 1 && w->out_c % 2;
    last.pairs = 1;
    last.out_advance = 4 * w->out_c - 2;
    int32_t m = 0;
    const int32_t direct = helia_conv_2d_s8_mve_direct_groups(w);
    if (direct > 0) {
        helia_conv_2d_s8_mve_loops all = loops, all_last = last;
        all.groups = all_last.groups = direct;
        all.step = all_last.step = w->in_c;
        core(in, stream, out, &all);
        if (odd)
            core(in, tail, out + w->out_c - 2, &all_last);
        m = 4 * direct;
    }
    const int8_t *image = in + m / per_image * (w->in_h * w->in_w * w->in_c);
    int32_t y = m % per_image / w->out_w, x = m % per_image % w->out_w;
    for (; m < pixels; m += 4) {
        if (m + 4 > pixels && pixels >= 4) { /* the last group overlaps the one before it */
            m = pixels - 4;
            image = in + m / per_image * (w->in_h * w->in_w * w->in_c);
            y = m % per_image / w->out_w;
            x = m % per_image % w->out_w;
        }
        for (int32_t j = 0; j < 4; j++) {
            helia_conv_2d_s8_mve_window(p, image, y, x, windows + 16 * j, in_order);
            if (m + j >= pixels - 1) /* no further pixel: the last one once more */
                continue;
            if (++x == w->out_w) {
                x = 0;
                if (++y == w->out_h) {
                    y = 0;
                    image += w->in_h * w->in_w * w->in_c;
                }
            }
        }
        core(windows, stream, out + m * w->out_c, &loops);
        if (odd)
            core(windows, tail, out + m * w->out_c + w->out_c - 2, &last);
    }
}

/* ---- shared columns ---------------------------------------------------------------------------- */
/* An image row, NULL outside the image, to [chunk][column][16] between its border columns. */
HELIA_INLINE void helia_conv_2d_s8_mve_ring_row(const helia_conv_2d_s8_mve_params *p, const int8_t *row, int8_t *dst)
{
    const helia_conv_window *w = &p->window;
    const int32_t next = (w->out_w + 2) * 16;
    dst += w->pad_left * 16;
    for (int32_t c = 0; c < w->in_c; c += 16, dst += next) {
        if (!row) {
            helia_fill_bytes(dst, p->in_zero, w->in_w * 16);
            continue;
        }
        HELIA_UNROLL(4)
        for (int32_t x = 0; x < w->in_w; x++)
            helia_copy16(dst + 16 * x, row + x * w->in_c + c);
    }
}

HELIA_INLINE void helia_conv_2d_s8_mve_shared(const helia_conv_2d_s8_mve_params *p, const int8_t *in,
                                              const uint32_t *stream, int8_t *out, void *scratch)
{
    const helia_conv_window *w = &p->window;
    helia_conv_2d_s8_mve_columns *core = p->relu ? helia_conv_2d_s8_mve_columns_relu : helia_conv_2d_s8_mve_columns_linear;
    const int32_t chunks = w->in_c / 16, row_bytes = (w->out_w + 2) * w->in_c;
    int8_t *ring = scratch;
    const int8_t **columns = (const int8_t **)(void *)(ring + 3 * row_bytes);
    helia_conv_2d_s8_mve_loops loops = helia_conv_2d_s8_mve_loops_of(p, 4), last;
    loops.chunks = 3 * chunks - 1;
    last = loops;
    last.pairs = 1;
    const uint32_t *tail = stream + loops.pairs * helia_conv_2d_s8_mve_words(w);
    helia_fill_bytes(ring, p->in_zero, 3 * row_bytes);
    for (int32_t n = 0; n < w->batches; n++, in += w->in_h * w->in_w * w->in_c) {
        for (int32_t i = 0; i < w->out_h + 2; i++) { /* the i-th row that windows see */
            int32_t y = i - w->pad_top;
            helia_conv_2d_s8_mve_ring_row(p, y < 0 || y >= w->in_h ? NULL : in + y * w->in_w * w->in_c,
                                          ring + i % 3 * row_bytes);
            for (int32_t x = 0; i >= 2 && x < w->out_w; x += 4) {
                x = helia_min(x, w->out_w - 4); /* the last group overlaps the one before it */
                for (int32_t k = 0; k < 3; k++)
                    for (int32_t c = 0; c < chunks; c++)
                        columns[k * chunks + c] = ring + (i + 1 + k) % 3 * row_bytes + (c * (w->out_w + 2) + x) * 16;
                core(columns, stream, out + x * w->out_c, &loops);
                if (w->out_c > 1 && w->out_c % 2)
                    core(columns, tail, out + (x + 1) * w->out_c - 2, &last);
            }
            if (i >= 2)
                out += w->out_w * w->out_c;
        }
    }
}

HELIA_INLINE void helia_conv_2d_s8_mve_body(const helia_conv_2d_s8_mve_params *p, const int8_t *in,
                                            const uint32_t *stream, int8_t *out, void *scratch)
{
    const helia_conv_window *w = &p->window;
    if (helia_conv_2d_s8_mve_shares_columns(w))
        helia_conv_2d_s8_mve_shared(p, in, stream, out, scratch);
    else
        helia_conv_2d_s8_mve_groups(p, in, stream, out, scratch);
    helia_clamp_bytes(out, w->batches * w->out_h * w->out_w * w->out_c, p->min, p->max);
}

#endif
