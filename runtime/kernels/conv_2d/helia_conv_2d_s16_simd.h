/* int16 CONV_2D for cores with the DSP extension or MVE: operands and arithmetic of helia_conv_2d_s16_c and
 * helia_conv_2d_s16_bias32_c. */
#ifndef HELIA_CONV_2D_S16_SIMD_H
#define HELIA_CONV_2D_S16_SIMD_H

#include "helia_conv_2d.h"

void helia_conv_2d_s16_simd(const helia_conv_2d_s16_params *p, const int16_t *restrict in,
                            const int8_t *restrict weights, const int64_t *restrict bias,
                            const int32_t *restrict multiplier, const int32_t *restrict shift, int16_t *restrict out);
void helia_conv_2d_s16_bias32_simd(const helia_conv_2d_s16_params *p, const int16_t *restrict in,
                                   const int8_t *restrict weights, const int32_t *restrict bias,
                                   const int32_t *restrict multiplier, const int32_t *restrict shift,
                                   int16_t *restrict out);

#endif
