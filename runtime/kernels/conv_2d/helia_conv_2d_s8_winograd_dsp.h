/* int8 CONV_2D 3x3, stride 1, for cores with the DSP extension, by exact integer Winograd F(2,3) along the columns: four
 * products for two outputs and three taps in place of six. Four tiles (eight pixels) and two output channels (A, B) at a time.
 *
 * With d0..d3 four neighbouring columns and g0..g2 the taps of a row, and everything modulo 2^32,
 *   2 * y0 = (d0 - d2) * 2 g0 + (d1 + d2) * (g0 + g1 + g2) + (d2 - d1) * (g0 - g1 + g2)
 *   2 * y1 = (d1 + d2) * (g0 + g1 + g2) - (d2 - d1) * (g0 - g1 + g2) + (d3 - d1) * 2 g2
 * Weights are times 2^(k-1), so the sums are 2^k times the accumulators, and the requantisation is that of
 * helia_conv_2d_s8_dsp.h with 2^k in place of 256: R = k - 1 + rs, c = 2^(k-2) + 2^(R-1) + zero * 2^R, n = 2^(k-1).
 *
 * Lines. An image row becomes words of two int16 channels, [component][group of 8 pixels][channel pair][tile]: the components
 * d0 - d2, d1 + d2, d2 - d1, d3 - d1. Of each four channels the pairs are (0, 2) and (1, 3). Three rows stand in scratch.
 *
 * Stream, 32-bit words for each pair of output channels: bias A, bias B (the input's zero point folded in, times 2^k), the
 * requantisation of A and of B (m, c, R and, unless relu, n), then for the components 1, 2, 0, 3, rows 0 to 2 and each channel
 * pair a word of A and one of B. */
#ifndef HELIA_CONV_2D_S8_WINOGRAD_DSP_H
#define HELIA_CONV_2D_S8_WINOGRAD_DSP_H

#include <stddef.h>

#include "helia_conv_window.h"

typedef struct helia_conv_2d_s8_winograd_dsp_params {
    helia_conv_window window; /* 3x3, stride and dilation 1, in_c % 16 = 0, out_c % 2 = 0, out_w % 8 = 0 */
    int32_t in_zero;
    int32_t relu;     /* the activation's lower bound is at or above the output's zero point */
    int32_t min, max; /* the fused activation's range */
} helia_conv_2d_s8_winograd_dsp_params;

/* Words of one component of a line. */
static inline int32_t helia_winograd_component(const helia_conv_window *w)
{
    return w->out_w / 2 * (w->in_c / 2);
}

/* Words of the stream for one pair of output channels. */
static inline int32_t helia_conv_2d_s8_winograd_dsp_words(const helia_conv_2d_s8_winograd_dsp_params *p)
{
    return 2 + (p->relu ? 6 : 8) + 12 * p->window.in_c;
}

static inline size_t helia_conv_2d_s8_winograd_dsp_scratch(const void *params)
{
    return (size_t)helia_winograd_component(&((const helia_conv_2d_s8_winograd_dsp_params *)params)->window) * 48u;
}

/* scratch is aligned to 4. */
void helia_conv_2d_s8_winograd_dsp(const helia_conv_2d_s8_winograd_dsp_params *p, const int8_t *in,
                                   const uint32_t *stream, int8_t *out, void *scratch);

/* ---- the inner loops --------------------------------------------------------------------------- */
typedef struct helia_winograd_loops {
    const uint32_t *row[3]; /* offset 0: of the group, component 0 */
    int32_t component;      /* 12: bytes from component to component */
    int32_t row_bytes;      /* 16: of a group in one component: 8 * in_c */
    int32_t channel_pairs;  /* 20: of output channels */
    int32_t tile_bytes;     /* 24: from tile to tile of the output: 2 * out_c */
} helia_winograd_loops;

/* Eight pixels at out, all channel pairs. */
typedef void helia_winograd_core(const uint32_t *stream, int8_t *out, const helia_winograd_loops *loops);
helia_winograd_core helia_winograd_core_relu, helia_winograd_core_linear;

#endif
