/* The body of helia_conv_2d_s8_mve: windows or rows into scratch, four pixels at a time. Inline, so that an operator's
 * constants can reach it. */
#ifndef HELIA_CONV_2D_S8_MVE_BODY_H
#define HELIA_CONV_2D_S8_MVE_BODY_H

#include "helia_conv_2d_s8_mve.h"
#include "helia_mve.h"

/* For `group` pixels (the last one stands in for those missing of four), out_step bytes apart, and all whole pairs of
 * channels. */
HELIA_INLINE helia_conv_2d_s8_mve_loops helia_conv_2d_s8_mve_loops_of(const helia_conv_2d_s8_mve_params *p,
                                                                      int32_t out_step, int32_t group)
{
    const int32_t out_c = p->window.out_c, second = out_c > 1 ? 1 : 0;
    helia_conv_2d_s8_mve_loops loops;
    for (int32_t i = 0; i < 4; i++) {
        int32_t pixel = i < group ? i : group - 1;
        loops.offsets[2 * i] = (uint16_t)(pixel * out_step);
        loops.offsets[2 * i + 1] = (uint16_t)(pixel * out_step + second);
    }
    loops.pairs = out_c > 1 ? out_c / 2 : 1;
    loops.chunks = helia_conv_2d_s8_mve_chunks(&p->window) - 1;
    loops.out_zero = p->out_zero;
    loops.groups = 1;
    loops.step = 16;
    loops.in_advance = 4 * p->window.in_c;
    loops.out_advance = 4 * out_step - 2 * loops.pairs;
    return loops;
}

/* ---- groups ------------------------------------------------------------------------------------ */
/* The image rows of one output row, with the border around them, to the strip. */
HELIA_INLINE void helia_conv_2d_s8_mve_strip(const helia_conv_2d_s8_mve_params *p, const int8_t *image, int32_t out_y,
                                             int8_t *strip)
{
    const helia_conv_window *w = &p->window;
    const int32_t line = helia_conv_2d_s8_mve_strip_row(w),
                  columns = helia_min(w->in_w, helia_conv_2d_s8_mve_columns_seen(w) - w->pad_left);
    int32_t y = out_y * w->stride_h - w->pad_top;
    strip += w->pad_left * w->in_c;
    for (int32_t k = 0; k < w->kernel_h; k++, y += w->dilation_h, strip += line) {
        if (y < 0 || y >= w->in_h)
            helia_fill_bytes(strip, p->in_zero, columns * w->in_c);
        else
            helia_copy_bytes(strip, image + y * w->in_w * w->in_c, columns * w->in_c);
    }
}

/* A window to its chunks; rows of it are `line` bytes apart. in_order: room for a window and 16 bytes. */
HELIA_INLINE void helia_conv_2d_s8_mve_window(const helia_conv_window *w, const int8_t *src, int32_t line,
                                              int8_t *window, int8_t *in_order)
{
    const int32_t run = w->kernel_w * w->in_c, chunks = helia_conv_2d_s8_mve_chunks(w);
    if (run % 16 == 0) {
        for (int32_t k = 0; k < w->kernel_h; k++, src += line) {
            HELIA_UNROLL(8)
            for (int32_t i = 0; i < run; i += 16, window += 64)
                helia_copy16(window, src + i);
        }
        return;
    }
    if (helia_conv_2d_s8_mve_has_strip(
            w)) { /* 16 bytes at a time: what is too much, the next row or a weight of 0 covers */
        HELIA_UNROLL(16)
        for (int32_t k = 0; k < w->kernel_h; k++)
            for (int32_t i = 0; i < run; i += 16)
                helia_copy16(in_order + k * run + i, src + k * line + i);
        src = in_order;
    }
    int32_t whole = helia_conv_2d_s8_mve_has_strip(w) ? chunks : run / 16;
    HELIA_UNROLL(4)
    for (int32_t i = 0; i < whole; i++)
        helia_copy16(window + 64 * i, src + 16 * i);
    if (whole < chunks)
        helia_copy_padded(window + 64 * whole, src + 16 * whole, run % 16);
}

/* Groups whose windows are the input itself. */
HELIA_INLINE int32_t helia_conv_2d_s8_mve_direct_groups(const helia_conv_window *w)
{
    int32_t pixels = w->batches * w->out_h * w->out_w, c = w->in_c;
    if (w->kernel_h * w->kernel_w > 1 || w->stride_h * w->stride_w > 1 || c > 16 || pixels * c < 16 + 3 * c)
        return 0;
    return (pixels * c - 16 - 3 * c) / (4 * c) + 1;
}

/* `groups` groups of `group` pixels: the pairs of channels, and for an odd number of them the last two. */
HELIA_INLINE void helia_conv_2d_s8_mve_run(const helia_conv_2d_s8_mve_params *p, const int8_t *windows, int32_t step,
                                           const uint32_t *stream, int8_t *out, int32_t out_step, int32_t group,
                                           int32_t groups)
{
    const int32_t out_c = p->window.out_c;
    helia_conv_2d_s8_mve_core *core = p->relu ? helia_conv_2d_s8_mve_core_relu : helia_conv_2d_s8_mve_core_linear;
    helia_conv_2d_s8_mve_loops loops = helia_conv_2d_s8_mve_loops_of(p, out_step, group);
    loops.groups = groups;
    loops.step = step;
    core(windows, stream, out, &loops);
    if (out_c > 1 && out_c % 2) {
        stream += loops.pairs * helia_conv_2d_s8_mve_words(&p->window);
        loops.pairs = 1;
        loops.out_advance = 4 * out_step - 2;
        core(windows, stream, out + out_c - 2, &loops);
    }
}

HELIA_INLINE void helia_conv_2d_s8_mve_groups(const helia_conv_2d_s8_mve_params *p, const int8_t *in,
                                              const uint32_t *stream, int8_t *out, void *scratch)
{
    const helia_conv_window *w = &p->window;
    const int32_t chunks = helia_conv_2d_s8_mve_chunks(w), has_strip = helia_conv_2d_s8_mve_has_strip(w);
    const int32_t pixels = w->batches * w->out_h * w->out_w, direct = helia_conv_2d_s8_mve_direct_groups(w);
    int8_t *windows = scratch, *in_order = windows + 64 * chunks, *strip = in_order + 16 * (chunks + 1);
    const int32_t line = has_strip ? helia_conv_2d_s8_mve_strip_row(w) : w->in_w * w->in_c * w->dilation_h;
    int32_t m = 4 * direct, slot = 0;
    if (direct)
        helia_conv_2d_s8_mve_run(p, in, w->in_c, stream, out, w->out_c, 4, direct);
    if (has_strip)
        helia_fill_bytes(strip, p->in_zero, w->kernel_h * line);
    int32_t n = m / (w->out_h * w->out_w), y = m / w->out_w % w->out_h, x = m % w->out_w;
    for (; n < w->batches; n++, y = 0) {
        const int8_t *image = in + n * w->in_h * w->in_w * w->in_c;
        for (; y < w->out_h; y++, x = 0) {
            if (has_strip)
                helia_conv_2d_s8_mve_strip(p, image, y, strip);
            const int8_t *rows = has_strip ? strip : image + y * w->stride_h * w->in_w * w->in_c;
            for (; x < w->out_w; x++, m++) {
                helia_conv_2d_s8_mve_window(w, rows + x * w->stride_w * w->in_c, line, windows + 16 * slot, in_order);
                if (++slot == 4) {
                    slot = 0;
                    helia_conv_2d_s8_mve_run(p, windows, 16, stream, out + (m - 3) * w->out_c, w->out_c, 4, 1);
                }
            }
        }
    }
    if (slot) { /* the last pixel stands in for those missing */
        for (int32_t i = slot; i < 4; i++)
            for (int32_t c = 0; c < chunks; c++)
                helia_copy16(windows + 64 * c + 16 * i, windows + 64 * c + 16 * (slot - 1));
        helia_conv_2d_s8_mve_run(p, windows, 16, stream, out + (pixels - slot) * w->out_c, w->out_c, slot, 1);
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

typedef struct helia_conv_2d_s8_mve_four {
    helia_conv_2d_s8_mve_columns *core;
    helia_conv_2d_s8_mve_loops loops, last; /* last: for an odd number of channels the last two */
    const uint32_t *stream, *tail;
} helia_conv_2d_s8_mve_four;

HELIA_INLINE helia_conv_2d_s8_mve_four helia_conv_2d_s8_mve_four_of(const helia_conv_2d_s8_mve_params *p,
                                                                    const uint32_t *stream)
{
    helia_conv_2d_s8_mve_four four;
    four.core = p->relu ? helia_conv_2d_s8_mve_columns_relu : helia_conv_2d_s8_mve_columns_linear;
    four.loops = helia_conv_2d_s8_mve_loops_of(p, p->window.out_c, 4);
    four.loops.chunks = 3 * p->window.in_c / 16 - 1;
    four.last = four.loops;
    four.last.pairs = 1;
    four.stream = stream;
    four.tail = stream + four.loops.pairs * helia_conv_2d_s8_mve_words(&p->window);
    return four;
}

/* Four pixels from out on. */
HELIA_INLINE void helia_conv_2d_s8_mve_run_four(const helia_conv_2d_s8_mve_four *four, int32_t out_c,
                                                const int8_t *const *columns, int8_t *out)
{
    four->core(columns, four->stream, out, &four->loops);
    if (out_c > 1 && out_c % 2)
        four->core(columns, four->tail, out + out_c - 2, &four->last);
}

HELIA_INLINE void helia_conv_2d_s8_mve_shared(const helia_conv_2d_s8_mve_params *p, const int8_t *in,
                                              const uint32_t *stream, int8_t *out, void *scratch)
{
    const helia_conv_window *w = &p->window;
    const int32_t chunks = w->in_c / 16, row_bytes = (w->out_w + 2) * w->in_c;
    int8_t *ring = scratch;
    const int8_t **columns = (const int8_t **)(void *)(ring + 3 * row_bytes);
    const helia_conv_2d_s8_mve_four four = helia_conv_2d_s8_mve_four_of(p, stream);
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
                helia_conv_2d_s8_mve_run_four(&four, w->out_c, columns, out + x * w->out_c);
            }
            if (i >= 2)
                out += w->out_w * w->out_c;
        }
    }
}

/* Six columns from x on of image row y, either of which may lie outside. */
HELIA_INLINE void helia_conv_2d_s8_mve_edge(const helia_conv_2d_s8_mve_params *p, const int8_t *image, int32_t y,
                                            int32_t x, int8_t *dst)
{
    const helia_conv_window *w = &p->window;
    const int32_t first = helia_max(-x, 0), end = helia_min(w->in_w - x, 6);
    helia_fill_bytes(dst, p->in_zero, HELIA_CONV_2D_S8_MVE_SIX);
    if (y >= 0 && y < w->in_h)
        helia_copy_bytes(dst + 16 * first, image + (y * w->in_w + x + first) * 16, 16 * (end - first));
}

/* in_c is 16. An output row's first and last four pixels take their columns from copies, those between from the image. */
HELIA_INLINE void helia_conv_2d_s8_mve_in_place(const helia_conv_2d_s8_mve_params *p, const int8_t *in,
                                                const uint32_t *stream, int8_t *out, void *scratch)
{
    const helia_conv_window *w = &p->window;
    const int32_t six = HELIA_CONV_2D_S8_MVE_SIX, last = w->out_w - 4;
    int8_t *outside = scratch, *edges = outside + six; /* of three rows, the first and the last one of each */
    const int8_t **columns = (const int8_t **)(void *)(edges + 6 * six);
    const helia_conv_2d_s8_mve_four four = helia_conv_2d_s8_mve_four_of(p, stream);
    helia_fill_bytes(outside, p->in_zero, six);
    for (int32_t n = 0; n < w->batches; n++, in += w->in_h * w->in_w * 16) {
        for (int32_t i = 0; i < w->out_h + 2; i++) { /* the i-th row that windows see */
            int8_t *edge = edges + i % 3 * 2 * six;
            helia_conv_2d_s8_mve_edge(p, in, i - w->pad_top, -w->pad_left, edge);
            helia_conv_2d_s8_mve_edge(p, in, i - w->pad_top, last - w->pad_left, edge + six);
            if (i < 2)
                continue;
            const int8_t *rows[3], *edge_of[3];
            int32_t step[3];
            for (int32_t k = 0; k < 3; k++) {
                const int32_t y = i - 2 + k - w->pad_top, is_inside = y >= 0 && y < w->in_h;
                rows[k] = is_inside ? in + y * w->in_w * 16 : outside;
                step[k] = is_inside ? 16 : 0;
                edge_of[k] = edges + (i + 1 + k) % 3 * 2 * six;
            }
            for (int32_t x = 0; x < w->out_w; x += 4) {
                x = helia_min(x, last); /* the last group overlaps the one before it */
                for (int32_t k = 0; k < 3; k++)
                    columns[k] = x == 0      ? edge_of[k]
                                 : x == last ? edge_of[k] + six
                                             : rows[k] + step[k] * (x - w->pad_left);
                helia_conv_2d_s8_mve_run_four(&four, w->out_c, columns, out + x * w->out_c);
            }
            out += w->out_w * w->out_c;
        }
    }
}

HELIA_INLINE void helia_conv_2d_s8_mve_body(const helia_conv_2d_s8_mve_params *p, const int8_t *in,
                                            const uint32_t *stream, int8_t *out, void *scratch)
{
    const helia_conv_window *w = &p->window;
    if (helia_conv_2d_s8_mve_shares_columns(w) && helia_conv_2d_s8_mve_columns_in_place(w))
        helia_conv_2d_s8_mve_in_place(p, in, stream, out, scratch);
    else if (helia_conv_2d_s8_mve_shares_columns(w))
        helia_conv_2d_s8_mve_shared(p, in, stream, out, scratch);
    else
        helia_conv_2d_s8_mve_groups(p, in, stream, out, scratch);
    helia_clamp_bytes(out, w->batches * w->out_h * w->out_w * w->out_c, p->min, p->max);
}

#endif
