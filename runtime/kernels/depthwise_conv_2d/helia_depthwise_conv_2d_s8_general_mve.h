/* int8 DEPTHWISE_CONV_2D of any kernel, stride, dilation and multiplier, for cores with MVE: 16 output channels at a time,
 * pixel by pixel, on the model's own weights [kernel_h][kernel_w][out_c].
 *
 * A window within the image sums two taps at a time in 16 bits, |x| and |w| being at most 128 and the products of a
 * channel's two taps never both 2^14 (`pairs`: of two neighbours in a row, or in a column where that is all there is, not
 * both are -128); the input's zero point is in the bias. A window over the border takes the zero point away from each
 * element of the taps that lie in the image.
 *
 * A block of 16 channels in the records, 32-bit words:
 *   the first input channel, and 16 bytes      each channel's distance to it; only where the multiplier is not 1
 *   16 biases with the zero point folded in    vectors of every fourth channel: 0, 4, 8, 12; 1, 5, 9, 13; and so on
 *   16 biases, 16 multipliers, 16 shifts       in the same order, as helia_requantize takes them
 * Channels behind the last have zeros. `wide`: a shift is 0 or more. */
#ifndef HELIA_DEPTHWISE_CONV_2D_S8_GENERAL_MVE_H
#define HELIA_DEPTHWISE_CONV_2D_S8_GENERAL_MVE_H

#include "helia_conv_window.h"

typedef struct helia_depthwise_conv_2d_s8_general_mve_params {
    helia_conv_window window;
    int32_t depth_multiplier;
    int32_t in_zero, out_zero;
    int32_t pairs, wide;
    int32_t relu;     /* the activation's lower bound is at or above the output's zero point */
    int32_t min, max; /* the fused activation's range */
} helia_depthwise_conv_2d_s8_general_mve_params;

enum { HELIA_DEPTHWISE_GENERAL_MVE_SPREAD = 5 }; /* words that only layers with a multiplier have */

/* Words of one block. */
static inline int32_t helia_depthwise_general_mve_block(const helia_conv_window *w)
{
    return (w->out_c != w->in_c ? HELIA_DEPTHWISE_GENERAL_MVE_SPREAD : 0) + 64;
}

void helia_depthwise_conv_2d_s8_general_mve(const helia_depthwise_conv_2d_s8_general_mve_params *p, const int8_t *in,
                                            const int8_t *weights, const uint32_t *records, int8_t *out);

#endif
