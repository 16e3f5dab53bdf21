/* int8 DEPTHWISE_CONV_2D 3x3, stride 1 or 2, multiplier 1, for cores with MVE: lanes are taps, a channel at a time.
 *
 * Four image rows stand in scratch interleaved by byte, [column][channel][4 rows], the border being the input's zero
 * point: a band, which serves two output rows at stride 1 and one at stride 2. A gather of four columns is a patch of
 * 4x4 bytes of one channel; VMLADAV with the 3x3 weights at one place in the patch is one output. stride 1: two patches
 * of four outputs each, the weights in four places; eight results stride 2: eight patches, a result each A visit
 * prepares one or two bands and runs through all channels; two where blocks of eight results then cover the columns
 * with less waste. Where sizes are no multiples, the last columns and rows come twice.
 *
 * Records, 32-bit words: two of 0, then for each channel
 *   w(row 0), w(row 1), w(row 2), 0 as bytes, for each of three columns; 0
 *   bias with the input's zero point folded in, multiplier, shift modulo 256 (at most -1), 0
 * Loads 1, 4 and 5 bytes before the weights give their other places; the zeros around are what they need.
 *
 * Compact records, five words for each channel, from which gathers of bytes bring the weights to their places:
 *   bias, multiplier; as bytes the shift, the nine weights row by row, two zeros
 *
 * Requantisation as in helia_conv_2d_s8_mve.h. */
#ifndef HELIA_DEPTHWISE_CONV_2D_S8_MVE_H
#define HELIA_DEPTHWISE_CONV_2D_S8_MVE_H

#include <stddef.h>

#include "helia_conv_window.h"

enum { HELIA_DEPTHWISE_MVE_LEAD = 2, HELIA_DEPTHWISE_MVE_RECORD = 8, HELIA_DEPTHWISE_MVE_COMPACT = 5 }; /* words */

typedef struct helia_depthwise_conv_2d_s8_mve_params {
    /* 3x3, not dilated, both strides alike and at most 2, in_c = out_c; at stride 1 out_h and out_w are at least 2 */
    helia_conv_window window;
    int32_t in_zero, out_zero;
    int32_t relu;     /* the activation's lower bound is at or above the output's zero point */
    int32_t min, max; /* the fused activation's range */
} helia_depthwise_conv_2d_s8_mve_params;

/* Columns of a band. */
static inline int32_t helia_depthwise_mve_line(const helia_conv_window *w)
{
    return w->stride_w == 1 ? w->out_w + 2 : 2 * w->out_w + 2;
}

/* Words of a band: rows are written 16 bytes at a time. */
static inline int32_t helia_depthwise_mve_band_words(const helia_conv_window *w)
{
    return helia_depthwise_mve_line(w) * w->in_c + 16;
}

/* Of a visit. */
static inline int32_t helia_depthwise_mve_bands(const helia_conv_window *w)
{
    if (w->stride_w == 1)
        return w->out_h >= 4 && w->out_w < 12 && (w->out_w % 4 == 1 || w->out_w % 4 == 2) ? 2 : 1;
    return w->out_h >= 2 && (2 * w->out_w + 7) / 8 < 2 * ((w->out_w + 7) / 8) ? 2 : 1;
}

/* The largest distance of a block's results in bytes. */
static inline int64_t helia_depthwise_mve_reach(const helia_conv_window *w)
{
    return w->stride_w == 1 ? ((int64_t)w->out_w * (helia_depthwise_mve_bands(w) * 2 - 1) + 3) * w->in_c
                            : (int64_t)7 * w->in_c;
}

/* Words of the blocks' list. */
static inline int32_t helia_depthwise_mve_list_words(const helia_conv_window *w)
{
    int32_t bands = helia_depthwise_mve_bands(w);
    return w->stride_w == 1 ? 3 * (bands * (w->out_w / 4) + 1) : 9 * ((bands * w->out_w + 7) / 8);
}

/* The bands, the list, and a row of the border. */
static inline size_t helia_depthwise_conv_2d_s8_mve_scratch(const void *params)
{
    const helia_conv_window *w = &((const helia_depthwise_conv_2d_s8_mve_params *)params)->window;
    return (size_t)(helia_depthwise_mve_bands(w) * helia_depthwise_mve_band_words(w) +
                    helia_depthwise_mve_list_words(w)) *
               4u +
           (size_t)(w->in_w * w->in_c);
}

/* scratch is aligned to 4. */
void helia_depthwise_conv_2d_s8_mve(const helia_depthwise_conv_2d_s8_mve_params *p, const int8_t *in,
                                    const uint32_t *records, int8_t *out, void *scratch);
void helia_depthwise_conv_2d_s8_compact_mve(const helia_depthwise_conv_2d_s8_mve_params *p, const int8_t *in,
                                            const uint32_t *records, int8_t *out, void *scratch);

/* ---- the inner loops --------------------------------------------------------------------------- */
/* Blocks whose results lie alike. */
typedef struct helia_depthwise_mve_phase {
    uint16_t
        offsets[8]; /* 0: of the results from the block's place. Stride 1: row by row of the first column, and so on */
    int32_t blocks; /* 16: 0 ends the phases */
    int32_t unused[3];
} helia_depthwise_mve_phase;

typedef struct helia_depthwise_mve_loops {
    helia_depthwise_mve_phase phases[3]; /* 0 */
    uint32_t columns[4];                 /* 96: bytes from the first column of a patch */
    int32_t channels;                    /* 112 */
    int32_t out_zero;                    /* 116 */
    /* 120: of all blocks. Stride 1: first patch's offset in the bands, offset from out, second patch's offset; stride
     * 2: offsets of patches 0 and 1, offset from out, patches 2 to 7. */
    const int32_t *list;
} helia_depthwise_mve_loops;

/* One visit. records: the bias of the first channel. */
typedef void helia_depthwise_mve_core(const int8_t *bands, const uint32_t *records, int8_t *out,
                                      const helia_depthwise_mve_loops *loops);
helia_depthwise_mve_core helia_depthwise_mve_s1_relu, helia_depthwise_mve_s1_linear;
helia_depthwise_mve_core helia_depthwise_mve_s2_relu, helia_depthwise_mve_s2_linear;
helia_depthwise_mve_core helia_depthwise_mve_s1_compact_relu, helia_depthwise_mve_s1_compact_linear;
helia_depthwise_mve_core helia_depthwise_mve_s2_compact_relu, helia_depthwise_mve_s2_compact_linear;

#endif
