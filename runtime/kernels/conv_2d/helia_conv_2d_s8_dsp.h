/* int8 CONV_2D for cores with the DSP extension (Armv7E-M, Armv8-M with DSP): three output pixels and two output channels
 * (A, B) at a time.
 *
 * Windows. The three windows stand in scratch as int16, interleaved by pixel: word 3 * i + j is the i-th pair of pixel j. A
 * window row of run = kernel_w * in_c bytes gives run / 4 words of four bytes as the pairs (0, 2) and (1, 3); the run % 4
 * bytes left over follow behind all rows, one after the other. The number of pairs is even. The input's zero point stands
 * for what lies outside the image, so no border needs code of its own.
 *
 * Stream, 32-bit words for each pair of channels:
 *   256 * bias A + bias B, bias B         the input's zero point is folded in
 *   256 * weight A + weight B, two int16  for each pair of the window
 *   the requantisation of A, then of B    m, c, R and, unless relu, n
 * SMLAD with a word sums 256 * accA + accB; with the word's low bytes (SXTB16), accB. The difference is 256 * accA, exactly,
 * where |accA| < 2^23. For an odd number of channels the last pair is the last two channels.
 *
 * Requantisation. With m the multiplier, rs the right shift, a the accumulator, p = a * m, the reference is
 *   floor((floor(p / 2^31 + 1/2) + half - nudge) / 2^rs) + zero,  half = 2^(rs-1), nudge = [a < 0]   (both 0 for rs = 0).
 * Nested floors collapse, so with a' = 256 * a (|a| < 2^23) and R = rs + 7 it is
 *   (floor(a' * m / 2^32) + c - n * [a < 0]) >> R,  c = 64 + half * 128 + zero * 2^R,  n = 128 * nudge:
 * SMMLA, AND with the sign, SUB, ASR, SSAT. The sign of a may stand for that of the rounded product: they differ only where
 * the product rounds to 0, and there both give `zero`. Where the activation's lower bound is at or above `zero` (relu) the
 * nudge cannot be seen. */
#ifndef HELIA_CONV_2D_S8_DSP_H
#define HELIA_CONV_2D_S8_DSP_H

#include <stddef.h>

#include "helia_conv_window.h"

typedef struct helia_conv_2d_s8_dsp_params {
    helia_conv_window window; /* dilation_w is 1 */
    int32_t in_zero;
    int32_t relu;     /* the activation's lower bound is at or above the output's zero point */
    int32_t min, max; /* the fused activation's range */
} helia_conv_2d_s8_dsp_params;

static inline int32_t helia_conv_2d_s8_dsp_pairs(const helia_conv_window *w)
{
    int32_t run = w->kernel_w * w->in_c;
    int32_t pairs = w->kernel_h * (run / 4) * 2 + (w->kernel_h * (run % 4) + 1) / 2;
    return (pairs + 1) / 2 * 2;
}

/* Words of the stream for one pair of channels. */
static inline int32_t helia_conv_2d_s8_dsp_words(const helia_conv_2d_s8_dsp_params *p)
{
    return 2 + helia_conv_2d_s8_dsp_pairs(&p->window) + (p->relu ? 6 : 8);
}

/* Whether a window reaches out of the image. */
static inline int32_t helia_conv_2d_s8_dsp_has_border(const helia_conv_window *w)
{
    return w->pad_top > 0 || w->pad_left > 0 ||
           (w->out_h - 1) * w->stride_h + (w->kernel_h - 1) * w->dilation_h >= w->in_h ||
           (w->out_w - 1) * w->stride_w + w->kernel_w > w->in_w;
}

/* Three windows, and one row of a window where there is a border. */
static inline size_t helia_conv_2d_s8_dsp_scratch(const void *params)
{
    const helia_conv_window *w = &((const helia_conv_2d_s8_dsp_params *)params)->window;
    size_t row = helia_conv_2d_s8_dsp_has_border(w) ? (size_t)(w->kernel_w * w->in_c) : 0u;
    return (size_t)helia_conv_2d_s8_dsp_pairs(w) * 12u + row;
}

/* batches * out_h * out_w >= 3, out_c >= 2; scratch is aligned to 4. */
void helia_conv_2d_s8_dsp(const helia_conv_2d_s8_dsp_params *p, const int8_t *in, const uint32_t *stream, int8_t *out,
                          void *scratch);

/* ---- the inner loops --------------------------------------------------------------------------- */
typedef struct helia_conv_2d_s8_dsp_loops {
    int32_t channel_pairs; /* offset 0 */
    int32_t out_c;         /* 4: bytes from pixel to pixel */
    int32_t first;         /* 8: groups of two pairs in the first turn, 0 to 4; the very first group is apart */
    int32_t turns;         /* 12: of four groups, the first one entered late; at least 1 */
    int32_t window_bytes;  /* 16 */
} helia_conv_2d_s8_dsp_loops;

/* Three pixels at out, out + out_c and out + 2 * out_c, all channel pairs. */
typedef void helia_conv_2d_s8_dsp_core(const uint32_t *windows, const uint32_t *stream, int8_t *out,
                                       const helia_conv_2d_s8_dsp_loops *loops);
helia_conv_2d_s8_dsp_core helia_conv_2d_s8_dsp_core_relu, helia_conv_2d_s8_dsp_core_linear;

#endif
