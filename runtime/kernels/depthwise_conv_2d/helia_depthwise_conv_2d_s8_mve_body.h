/* The body of helia_depthwise_conv_2d_s8_mve: bands into scratch, and the lists of blocks. Inline, so that an
 * operator's constants can reach it. */
#ifndef HELIA_DEPTHWISE_CONV_2D_S8_MVE_BODY_H
#define HELIA_DEPTHWISE_CONV_2D_S8_MVE_BODY_H

#include "helia_depthwise_conv_2d_s8_mve.h"
#include "helia_mve.h"

/* ---- what the core does in a visit of so many bands -------------------------------------------- */
/* Stride 1: blocks of four columns; then what is left of the columns: three of them overlapping in one block for each
 * band, or the last two of both bands in one block. */
HELIA_INLINE void helia_depthwise_mve_list_s1(const helia_conv_window *w, int32_t bands,
                                              helia_depthwise_mve_loops *loops, int32_t *list)
{
    const int32_t c = w->in_c, band = helia_depthwise_mve_band_words(w) * 4, row = w->out_w * c, rest = w->out_w % 4;
    for (int32_t b = 0; b < bands; b++) {
        for (int32_t x = 0; x < w->out_w / 4 * 4; x += 4, list += 3) {
            list[0] = b * band + 4 * x * c;
            list[1] = 2 * b * row + x * c;
            list[2] = list[0] + 8 * c;
        }
    }
    loops->phases[0].blocks = bands * (w->out_w / 4);
    loops->phases[1].blocks = rest == 3 ? bands : rest ? 1 : 0;
    for (int32_t i = 0; i < 8; i++) {
        int32_t column = i / 2, y = i % 2;
        loops->phases[0].offsets[i] = (uint16_t)(column * c + y * row);
        if (rest == 3)
            loops->phases[1].offsets[i] = (uint16_t)((column + 1) / 2 * c + y * row);
        else
            loops->phases[1].offsets[i] = (uint16_t)(column % 2 * c + (y + column / 2 * (bands - 1) * 2) * row);
    }
    for (int32_t b = 0; b < loops->phases[1].blocks; b++, list += 3) {
        int32_t x = w->out_w - (rest == 3 ? 3 : 2);
        list[0] = b * band + 4 * x * c;
        list[1] = 2 * b * row + x * c;
        list[2] = rest == 3 ? list[0] + 4 * c : (bands - 1) * band + 4 * x * c;
    }
    /* Without whole blocks the second phase is the first. */
    if (loops->phases[0].blocks == 0) {
        loops->phases[0] = loops->phases[1];
        loops->phases[1].blocks = 0;
    }
}

/* Stride 2: eight pixels, counted through the rows. */
HELIA_INLINE void helia_depthwise_mve_list_s2(const helia_conv_window *w, int32_t bands,
                                              helia_depthwise_mve_loops *loops, int32_t *list)
{
    const int32_t c = w->in_c, band = helia_depthwise_mve_band_words(w) * 4, pixels = bands * w->out_w;
    for (int32_t i = 0; i < 8; i++)
        loops->phases[0].offsets[i] = (uint16_t)(helia_min(i, pixels - 1) * c);
    loops->phases[0].blocks = (pixels + 7) / 8;
    loops->phases[1].blocks = 0;
    for (int32_t b = 0; b < (pixels + 7) / 8; b++, list += 9) {
        int32_t first = helia_max(helia_min(8 * b, pixels - 8), 0);
        for (int32_t i = 0; i < 8; i++) {
            int32_t pixel = helia_min(first + i, pixels - 1);
            list[i < 2 ? i : i + 1] = pixel / w->out_w * band + pixel % w->out_w * 8 * c;
        }
        list[2] = first * c;
    }
}

/* ---- bands ------------------------------------------------------------------------------------- */
/* Columns of the image that a band has. */
HELIA_INLINE int32_t helia_depthwise_mve_columns(const helia_conv_window *w)
{
    return helia_min(w->in_w, helia_depthwise_mve_line(w) - w->pad_left);
}

HELIA_INLINE void helia_depthwise_mve_border(const helia_depthwise_conv_2d_s8_mve_params *p, int8_t *band)
{
    const int32_t column = p->window.in_c * 4, left = p->window.pad_left;
    const int32_t right = left + helia_depthwise_mve_columns(&p->window);
    helia_fill_bytes(band, p->in_zero, left * column);
    helia_fill_bytes(band + right * column, p->in_zero, (helia_depthwise_mve_line(&p->window) - right) * column);
}

/* Four rows from image row y on; border: a row of the zero point. */
HELIA_INLINE void helia_depthwise_mve_band(const helia_depthwise_conv_2d_s8_mve_params *p, const int8_t *image,
                                           int32_t y, const int8_t *border, int8_t *band)
{
    const helia_conv_window *w = &p->window;
    const int32_t c = w->in_c, n = helia_depthwise_mve_columns(w) * c;
    const int8_t *row[4];
    for (int32_t i = 0; i < 4; i++)
        row[i] = y + i < 0 || y + i >= w->in_h ? border : image + (y + i) * w->in_w * c;
    helia_interleave4(band + w->pad_left * c * 4, row[0], row[1], row[2], row[3], n);
    if (n % 16) /* the last 16 bytes went into the border */
        helia_depthwise_mve_border(p, band);
}

HELIA_INLINE void helia_depthwise_mve_visits(const helia_depthwise_conv_2d_s8_mve_params *p, const int8_t *in,
                                             const uint32_t *records, helia_depthwise_mve_core *core, int8_t *out,
                                             void *scratch)
{
    const helia_conv_window *w = &p->window;
    const int32_t s1 = w->stride_w == 1, rows = s1 ? 2 : 1; /* output rows of a band */
    const int32_t most = helia_depthwise_mve_bands(w), band_bytes = helia_depthwise_mve_band_words(w) * 4;
    int8_t *bands = scratch, *behind = bands + most * band_bytes;
    int32_t *list = (int32_t *)(void *)behind;
    int8_t *border = behind + helia_depthwise_mve_list_words(w) * 4;
    helia_depthwise_mve_loops loops = {.channels = w->in_c, .out_zero = p->out_zero, .list = list};
    for (int32_t i = 0; i < 4; i++)
        loops.columns[i] = (uint32_t)(4 * w->in_c * i);
    for (int32_t b = 0; b < most; b++)
        helia_depthwise_mve_border(p, bands + b * band_bytes);
    helia_fill_bytes(border, p->in_zero, w->in_w * w->in_c);
    int32_t listed = 0; /* the list is for so many bands */
    for (int32_t n = 0; n < w->batches; n++, in += w->in_h * w->in_w * w->in_c, out += w->out_h * w->out_w * w->out_c) {
        for (int32_t y = 0; y < w->out_h;) {
            /* The last visit overlaps the one before it; at stride 1 it is of one band where that is enough. */
            const int32_t now = most == 2 && s1 && w->out_h - y < 3 ? 1 : most;
            y = helia_min(y, w->out_h - now * rows);
            if (now != listed) {
                listed = now;
                if (s1)
                    helia_depthwise_mve_list_s1(w, now, &loops, list);
                else
                    helia_depthwise_mve_list_s2(w, now, &loops, list);
            }
            for (int32_t b = 0; b < now; b++)
                helia_depthwise_mve_band(p, in, (y + b * rows) * w->stride_w - w->pad_top, border,
                                         bands + b * band_bytes);
            core(bands, records, out + y * w->out_w * w->out_c, &loops);
            y += now * rows;
        }
        helia_clamp_bytes(out, w->out_h * w->out_w * w->out_c, p->min, p->max);
    }
}

HELIA_INLINE void helia_depthwise_conv_2d_s8_mve_body(const helia_depthwise_conv_2d_s8_mve_params *p, const int8_t *in,
                                                      const uint32_t *records, int8_t *out, void *scratch)
{
    helia_depthwise_mve_core *core = p->window.stride_w == 1
                                         ? (p->relu ? helia_depthwise_mve_s1_relu : helia_depthwise_mve_s1_linear)
                                         : (p->relu ? helia_depthwise_mve_s2_relu : helia_depthwise_mve_s2_linear);
    helia_depthwise_mve_visits(p, in, records + HELIA_DEPTHWISE_MVE_LEAD + 4, core, out, scratch);
}

HELIA_INLINE void helia_depthwise_conv_2d_s8_compact_mve_body(const helia_depthwise_conv_2d_s8_mve_params *p,
                                                              const int8_t *in, const uint32_t *records, int8_t *out,
                                                              void *scratch)
{
    helia_depthwise_mve_core *core = p->window.stride_w == 1 ? (p->relu ? helia_depthwise_mve_s1_compact_relu
                                                                        : helia_depthwise_mve_s1_compact_linear)
                                                             : (p->relu ? helia_depthwise_mve_s2_compact_relu
                                                                        : helia_depthwise_mve_s2_compact_linear);
    helia_depthwise_mve_visits(p, in, records, core, out, scratch);
}

#endif
