/* int8 DEPTHWISE_CONV_2D of any kernel, stride, dilation and multiplier, for cores with the DSP extension: four output
 * channels at a time, pixel by pixel, over the taps that lie in the image.
 *
 * A block of four channels in the stream, 32-bit words:
 *   the four input channels               only where the multiplier is not 1
 *   the four biases, times 2^k
 *   two for each tap                      weights of channels 0 and 2, then 1 and 3, times 2^k, two int16 each
 *   for each channel m, c, R, n           requantisation of accumulators times 2^k as in
 *                                         helia_depthwise_conv_2d_s8_dsp.h
 * Where the proof that this needs fails, the layer is not `proven`: k is 0, and a channel has m, e, 0, 0 as
 * helia_requantize takes them. For a number of channels that is no multiple of four the last block is the last four. */
#ifndef HELIA_DEPTHWISE_CONV_2D_S8_GENERAL_DSP_H
#define HELIA_DEPTHWISE_CONV_2D_S8_GENERAL_DSP_H

#include "helia_conv_window.h"

typedef struct helia_depthwise_conv_2d_s8_general_dsp_params {
    helia_conv_window window; /* out_c >= 4 */
    int32_t depth_multiplier;
    int32_t in_zero, out_zero;
    int32_t proven;
    int32_t relu;     /* the activation's lower bound is at or above the output's zero point */
    int32_t min, max; /* the fused activation's range */
} helia_depthwise_conv_2d_s8_general_dsp_params;

/* Words of one block. */
static inline int32_t helia_depthwise_general_dsp_block(const helia_conv_window *w)
{
    return (w->out_c != w->in_c ? 4 : 0) + 4 + 2 * w->kernel_h * w->kernel_w + 16;
}

void helia_depthwise_conv_2d_s8_general_dsp(const helia_depthwise_conv_2d_s8_general_dsp_params *p, const int8_t *in,
                                            const uint32_t *stream, int8_t *out);

#endif
