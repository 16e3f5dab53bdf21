/* int8 CONV_2D for cores with MVE: four output pixels and two output channels (A, B) at a time, VMLADAV over 16
 * elements.
 *
 * Groups of pixels. The four windows stand in scratch in chunks of 16 bytes, [chunk][pixel][16]; a window is its
 * elements in the order of the weights, with anything behind them up to a whole chunk. Where a window is one pixel of
 * at most 16 channels, the input itself is read in steps of in_c bytes, wherever 16 bytes from there are within the
 * tensor.
 *
 * Shared columns, for 3x3 kernels of stride 1 and in_c % 16 == 0. Three input rows stand in scratch,
 * [chunk][column][16], with the border around them; where in_c is 16 the image itself is that, and only columns at the
 * border are in scratch. Six neighbouring column vectors serve four pixels and the three columns of the kernel.
 *
 * Stream, 32-bit words for each pair of channels:
 *   16 weights of A, 16 weights of B    for each chunk; elements behind the window's end are 0
 *   bias A, bias B                      the input's zero point is folded in
 *   multiplier A, B; shift A, B         shift is at most -1
 * Chunks follow the order of the weights; with shared columns they are [kernel row][16 channels][kernel column]. For an
 * odd number of channels the last pair is the last two channels.
 *
 * Requantisation, lanes being pixels: VQRDMULH is the reference's first rounding, VRSHL rounds halves up where the
 * reference rounds them away from zero: adding -1 to negative values first makes it the same. Where the activation's
 * lower bound is at or above the output's zero point (relu) those values are clamped anyway. Accumulators wrap as the
 * reference's do; no bound on them is needed. With shift <= -1 a value plus the zero point stays within 32 bits, so
 * that saturating to 16 bits on the way to 8 changes nothing. */
#ifndef HELIA_CONV_2D_S8_MVE_H
#define HELIA_CONV_2D_S8_MVE_H

#include <stddef.h>

#include "helia_conv_window.h"

typedef struct helia_conv_2d_s8_mve_params {
    helia_conv_window window; /* dilation_w is 1 */
    int32_t in_zero, out_zero;
    int32_t relu;     /* the activation's lower bound is at or above the output's zero point */
    int32_t min, max; /* the fused activation's range */
} helia_conv_2d_s8_mve_params;

/* Of 16 elements. */
static inline int32_t helia_conv_2d_s8_mve_chunks(const helia_conv_window *w)
{
    return (w->kernel_h * w->kernel_w * w->in_c + 15) / 16;
}

/* Words of the stream for one pair of channels. */
static inline int32_t helia_conv_2d_s8_mve_words(const helia_conv_window *w)
{
    return 8 * helia_conv_2d_s8_mve_chunks(w) + 6;
}

static inline int32_t helia_conv_2d_s8_mve_shares_columns(const helia_conv_window *w)
{
    return w->kernel_h == 3 && w->kernel_w == 3 && w->stride_h == 1 && w->stride_w == 1 && w->dilation_h == 1 &&
           w->in_c % 16 == 0 && w->out_w >= 4;
}

/* Bytes of six columns of one chunk. */
enum { HELIA_CONV_2D_S8_MVE_SIX = 96 };

/* Whether shared columns are read from the image. */
static inline int32_t helia_conv_2d_s8_mve_columns_in_place(const helia_conv_window *w)
{
    return w->in_c == 16;
}

/* Whether a window reaches out of the image. */
static inline int32_t helia_conv_2d_s8_mve_has_border(const helia_conv_window *w)
{
    return w->pad_top > 0 || w->pad_left > 0 ||
           (w->out_h - 1) * w->stride_h + (w->kernel_h - 1) * w->dilation_h >= w->in_h ||
           (w->out_w - 1) * w->stride_w + w->kernel_w > w->in_w;
}

/* Whether windows are taken from a strip, the rows that an output row sees with the border around them. In place are
 * 1x1 kernels, and those that have no border and rows of whole chunks. */
static inline int32_t helia_conv_2d_s8_mve_has_strip(const helia_conv_window *w)
{
    return w->kernel_h * w->kernel_w > 1 && (w->kernel_w * w->in_c % 16 != 0 || helia_conv_2d_s8_mve_has_border(w));
}

static inline int32_t helia_conv_2d_s8_mve_columns_seen(const helia_conv_window *w)
{
    return (w->out_w - 1) * w->stride_w + w->kernel_w;
}

/* Bytes of a row of the strip: windows are read 16 bytes at a time. */
static inline int32_t helia_conv_2d_s8_mve_strip_row(const helia_conv_window *w)
{
    return helia_conv_2d_s8_mve_columns_seen(w) * w->in_c + 16;
}

/* Shared columns: three rows, or six columns outside the image and six at either end of three rows; and the addresses of their chunks (8
 * bytes for each, whatever the machine). Groups: four windows in chunks, one in order, and the strip. */
static inline size_t helia_conv_2d_s8_mve_scratch(const void *params)
{
    const helia_conv_window *w = &((const helia_conv_2d_s8_mve_params *)params)->window;
    if (helia_conv_2d_s8_mve_shares_columns(w))
        return (size_t)((helia_conv_2d_s8_mve_columns_in_place(w) ? 7 * HELIA_CONV_2D_S8_MVE_SIX
                                                                  : 3 * (w->out_w + 2) * w->in_c) +
                        3 * w->in_c / 16 * 8);
    size_t windows = (size_t)helia_conv_2d_s8_mve_chunks(w) * 64u;
    if (helia_conv_2d_s8_mve_has_strip(w))
        windows += (size_t)(helia_conv_2d_s8_mve_chunks(w) + 1) * 16u +
                   (size_t)w->kernel_h * (size_t)helia_conv_2d_s8_mve_strip_row(w);
    return windows;
}

/* scratch is aligned to 8. */
void helia_conv_2d_s8_mve(const helia_conv_2d_s8_mve_params *p, const int8_t *in, const uint32_t *stream, int8_t *out,
                          void *scratch);

/* ---- the inner loops --------------------------------------------------------------------------- */
typedef struct helia_conv_2d_s8_mve_loops {
    uint16_t offsets[8]; /* 0: of the eight results from out: pixel 0 A, pixel 0 B, pixel 1 A ... */
    int32_t pairs;       /* 16: of channels */
    int32_t chunks;      /* 20: behind the first one; shared columns: triples of chunks */
    int32_t out_zero;    /* 24 */
    int32_t groups;      /* 28: of pixels; the rest is for these only */
    int32_t step;        /* 32: bytes from pixel to pixel in the first chunk */
    int32_t in_advance;  /* 36: bytes from group to group */
    int32_t out_advance; /* 40: from a group's last pair on to the next group */
} helia_conv_2d_s8_mve_loops;

/* Groups: the windows of the first one at `windows`. */
typedef void helia_conv_2d_s8_mve_core(const int8_t *windows, const uint32_t *stream, int8_t *out,
                                       const helia_conv_2d_s8_mve_loops *loops);
helia_conv_2d_s8_mve_core helia_conv_2d_s8_mve_core_relu, helia_conv_2d_s8_mve_core_linear;

/* Shared columns: four pixels; for each kernel row and 16 channels the address of the first column. */
typedef void helia_conv_2d_s8_mve_columns(const int8_t *const *columns, const uint32_t *stream, int8_t *out,
                                          const helia_conv_2d_s8_mve_loops *loops);
helia_conv_2d_s8_mve_columns helia_conv_2d_s8_mve_columns_relu, helia_conv_2d_s8_mve_columns_linear;

#endif
