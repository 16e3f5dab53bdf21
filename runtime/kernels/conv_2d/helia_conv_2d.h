/* CONV_2D: 2-D convolution, input NHWC, weights OHWI, optional bias, fused activation, groups. */
#ifndef HELIA_CONV_2D_H
#define HELIA_CONV_2D_H

#include "helia_conv_window.h"

/* int8: acc = sum w * (x - in_zero) + bias, out = clamp(requantize(acc, multiplier[c], shift[c]) + out_zero). */
typedef struct helia_conv_2d_s8_params {
    helia_conv_window window;
    int32_t filter_c;  /* input channels a group: in_c / groups */
    int32_t group_out; /* output channels a group: out_c / groups */
    int32_t in_zero, out_zero;
    int32_t min, max; /* the fused activation's range */
} helia_conv_2d_s8_params;

/* int16 data, int8 weights; zero points are 0. */
typedef struct helia_conv_2d_s16_params {
    helia_conv_window window;
    int32_t filter_c, group_out;
    int32_t min, max;
} helia_conv_2d_s16_params;

typedef struct helia_conv_2d_f32_params {
    helia_conv_window window;
    int32_t filter_c, group_out;
    float min, max;
} helia_conv_2d_f32_params;

/* weights [out_c][kernel_h][kernel_w][filter_c], bias [out_c] or NULL, multiplier and shift [out_c]. */
void helia_conv_2d_s8_c(const helia_conv_2d_s8_params *p, const int8_t *restrict in, const int8_t *restrict weights,
                        const int32_t *restrict bias, const int32_t *restrict multiplier, const int32_t *restrict shift,
                        int8_t *restrict out);
/* 64-bit sums, and multipliers reduced to 16 bits. */
void helia_conv_2d_s16_c(const helia_conv_2d_s16_params *p, const int16_t *restrict in, const int8_t *restrict weights,
                         const int64_t *restrict bias, const int32_t *restrict multiplier,
                         const int32_t *restrict shift, int16_t *restrict out);
void helia_conv_2d_s16_bias32_c(const helia_conv_2d_s16_params *p, const int16_t *restrict in,
                                const int8_t *restrict weights, const int32_t *restrict bias,
                                const int32_t *restrict multiplier, const int32_t *restrict shift,
                                int16_t *restrict out);
/* Accumulates in single precision in the order rows, columns, channels; the bias comes last. */
void helia_conv_2d_f32_c(const helia_conv_2d_f32_params *p, const float *restrict in, const float *restrict weights,
                         const float *restrict bias, float *restrict out);

#endif
