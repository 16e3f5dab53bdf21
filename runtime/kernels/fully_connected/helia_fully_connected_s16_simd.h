/* int16 FULLY_CONNECTED for cores with the DSP extension or MVE: operands and arithmetic of helia_fully_connected_s16_c and
 * helia_fully_connected_s16_bias32_c; weights_zero is 0. */
#ifndef HELIA_FULLY_CONNECTED_S16_SIMD_H
#define HELIA_FULLY_CONNECTED_S16_SIMD_H

#include "helia_fully_connected.h"

void helia_fully_connected_s16_simd(const helia_fully_connected_s16_params *p, const int16_t *restrict in,
                                    const int8_t *restrict weights, const int64_t *restrict bias,
                                    const int32_t *restrict multiplier, const int32_t *restrict shift,
                                    int16_t *restrict out);
void helia_fully_connected_s16_bias32_simd(const helia_fully_connected_s16_params *p, const int16_t *restrict in,
                                           const int8_t *restrict weights, const int32_t *restrict bias,
                                           const int32_t *restrict multiplier, const int32_t *restrict shift,
                                           int16_t *restrict out);

#endif
