/* DEPTHWISE_CONV_2D: each input channel has its own filters; NHWC, weights [1][kernel_h][kernel_w][out_c], output channel
 * c * multiplier + m from input channel c. window.out_c is in_c * multiplier. */
#ifndef HELIA_DEPTHWISE_CONV_2D_H
#define HELIA_DEPTHWISE_CONV_2D_H

#include "helia_conv_window.h"

typedef struct helia_depthwise_conv_2d_s8_params {
    helia_conv_window window;
    int32_t depth_multiplier;
    int32_t in_zero, out_zero;
    int32_t min, max; /* the fused activation's range */
} helia_depthwise_conv_2d_s8_params;

/* int16 data, int8 weights; zero points are 0. */
typedef struct helia_depthwise_conv_2d_s16_params {
    helia_conv_window window;
    int32_t depth_multiplier;
    int32_t min, max;
} helia_depthwise_conv_2d_s16_params;

typedef struct helia_depthwise_conv_2d_f32_params {
    helia_conv_window window;
    int32_t depth_multiplier;
    float min, max;
} helia_depthwise_conv_2d_f32_params;

/* bias [out_c] or NULL, multiplier and shift [out_c]; arithmetic as helia_conv_2d_s8_c. */
void helia_depthwise_conv_2d_s8_c(const helia_depthwise_conv_2d_s8_params *p, const int8_t *restrict in,
                                  const int8_t *restrict weights, const int32_t *restrict bias,
                                  const int32_t *restrict multiplier, const int32_t *restrict shift,
                                  int8_t *restrict out);
/* Arithmetic as helia_conv_2d_s16_c and helia_conv_2d_s16_bias32_c. */
void helia_depthwise_conv_2d_s16_c(const helia_depthwise_conv_2d_s16_params *p, const int16_t *restrict in,
                                   const int8_t *restrict weights, const int64_t *restrict bias,
                                   const int32_t *restrict multiplier, const int32_t *restrict shift,
                                   int16_t *restrict out);
void helia_depthwise_conv_2d_s16_bias32_c(const helia_depthwise_conv_2d_s16_params *p, const int16_t *restrict in,
                                          const int8_t *restrict weights, const int32_t *restrict bias,
                                          const int32_t *restrict multiplier, const int32_t *restrict shift,
                                          int16_t *restrict out);
void helia_depthwise_conv_2d_f32_c(const helia_depthwise_conv_2d_f32_params *p, const float *restrict in,
                                   const float *restrict weights, const float *restrict bias, float *restrict out);

#endif
