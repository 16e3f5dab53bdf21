/* int8 DEPTHWISE_CONV_2D 3x3, stride 1 or 2, multiplier 1, for cores with the DSP extension.
 *
 * Four channels at a time, over the whole image. Two image rows are packed into words (upper row, lower row) of int16, a line
 * for each channel, and each packed pair serves twice: with weights (w0, w1) of a column as the upper rows of a window, with
 * (w1, w2) as its lowest row. So a tap costs two thirds of a multiplication, at stride 1 two output rows and four columns at a
 * time:
 *   row y     += SMLAD(pair, (w0, w1)) + SMLABT(next pair, (w1, w2))
 *   row y + 1 += SMLATB(pair, (w0, w1)) + SMLAD(next pair, (w1, w2))
 * The border is the input's zero point in the lines. For a number of channels that is no multiple of four the last four come
 * once more.
 *
 * A channel's record, 32-bit words: bias with the input's zero point folded in, (w0, w1) of the three columns, (w1, w2) of the
 * three columns, R, m, c, n. Bias and weights are times 2^k, 2 <= k <= 8; the requantisation is that of
 * helia_conv_2d_s8_dsp.h with 2^k in place of 256, so R = k - 1 + rs, c = 2^(k-2) + 2^(R-1) + zero * 2^R, n = 2^(k-1); where
 * rs is 0 c lacks 2^(R-1), and n is 0.
 *
 * A compact record has the same in fewer words, from which the body makes records of four channels at a time: bias and m as
 * words, the weights row by row, k and R as bytes; the bias and the weights are not yet times 2^k. */
#ifndef HELIA_DEPTHWISE_CONV_2D_S8_DSP_H
#define HELIA_DEPTHWISE_CONV_2D_S8_DSP_H

#include <stddef.h>

#include "helia_conv_window.h"

enum { HELIA_DEPTHWISE_DSP_RECORD = 11, HELIA_DEPTHWISE_DSP_COMPACT = 5 }; /* words */

typedef struct helia_depthwise_conv_2d_s8_dsp_params {
    helia_conv_window window; /* 3x3, not dilated, both strides alike, in_c = out_c >= 4 */
    int32_t in_zero, out_zero;
    int32_t compact;  /* the kind of records */
    int32_t relu;     /* the activation's lower bound is at or above the output's zero point */
    int32_t min, max; /* the fused activation's range */
} helia_depthwise_conv_2d_s8_dsp_params;

/* Words of one line: the columns of a row's windows. */
static inline int32_t helia_depthwise_dsp_line(const helia_conv_window *w)
{
    return (w->out_w - 1) * w->stride_w + 3;
}

/* Words that the last block may read behind the lines. */
static inline int32_t helia_depthwise_dsp_behind(const helia_conv_window *w)
{
    const int32_t rest = w->out_w % 4;
    return w->stride_w == 2 ? (rest ? 2 * (4 - rest) : 0) : rest == 3;
}

static inline int32_t helia_depthwise_dsp_lines_words(const helia_conv_window *w)
{
    return 8 * helia_depthwise_dsp_line(w) + helia_depthwise_dsp_behind(w);
}

/* Two lines for each of four channels, and their records where they are compact. */
static inline size_t helia_depthwise_conv_2d_s8_dsp_scratch(const void *params)
{
    const helia_depthwise_conv_2d_s8_dsp_params *p = params;
    return (size_t)(helia_depthwise_dsp_lines_words(&p->window) + (p->compact ? 4 * HELIA_DEPTHWISE_DSP_RECORD : 0)) *
           4u;
}

/* scratch is aligned to 4. */
void helia_depthwise_conv_2d_s8_dsp(const helia_depthwise_conv_2d_s8_dsp_params *p, const int8_t *in,
                                    const uint32_t *records, int8_t *out, void *scratch);

/* ---- the inner loops --------------------------------------------------------------------------- */
typedef struct helia_depthwise_dsp_loops {
    int32_t columns;      /* offset 0: of blocks of four; the last one may be of three, at stride 2 of fewer too */
    int32_t twos;         /* 4: stride 1: 1 where a block of two columns follows */
    int32_t ones;         /* 8: stride 1: 1 where a single column follows */
    int32_t channels;     /* 12: bytes from column to column */
    int32_t row_bytes;    /* 16: to the second row; 0: one row only */
    int32_t line_advance; /* 20: bytes to the next channel's line from where blocks and twos end */
    int32_t out_advance;  /* 24: to its first result */
} helia_depthwise_dsp_loops;

/* One row (stride 1: two) of four channels. */
typedef void helia_depthwise_dsp_core(const uint32_t *upper, const uint32_t *lower, const uint32_t *records,
                                      int8_t *out, const helia_depthwise_dsp_loops *loops);
helia_depthwise_dsp_core helia_depthwise_dsp_s1_relu, helia_depthwise_dsp_s1_linear, helia_depthwise_dsp_s2_relu,
    helia_depthwise_dsp_s2_linear;

#endif
