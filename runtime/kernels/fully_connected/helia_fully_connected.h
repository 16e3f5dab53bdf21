/* FULLY_CONNECTED: out[r][n] = sum over k of weights[n][k] * in[r][k], plus bias, fused activation. */
#ifndef HELIA_FULLY_CONNECTED_H
#define HELIA_FULLY_CONNECTED_H

#include <stdint.h>

typedef struct helia_fully_connected_s8_params {
    int32_t rows, depth, units; /* in [rows][depth], out [rows][units] */
    int32_t in_zero, weights_zero, out_zero;
    int32_t multiplier, shift; /* per tensor; where the channels have their own these are not read */
    int32_t min, max;          /* the fused activation's range */
} helia_fully_connected_s8_params;

/* int16 data, int8 weights; the data's zero points are 0. */
typedef struct helia_fully_connected_s16_params {
    int32_t rows, depth, units;
    int32_t weights_zero;
    int32_t scale_step; /* 1: a multiplier and shift for each unit; 0: one for all */
    int32_t min, max;
} helia_fully_connected_s16_params;

typedef struct helia_fully_connected_f32_params {
    int32_t rows, depth, units;
    float min, max;
} helia_fully_connected_f32_params;

/* weights [units][depth], bias [units] or NULL. */
void helia_fully_connected_s8_c(const helia_fully_connected_s8_params *p, const int8_t *restrict in,
                                const int8_t *restrict weights, const int32_t *restrict bias, int8_t *restrict out);
/* multiplier and shift [units]. */
void helia_fully_connected_per_channel_s8_c(const helia_fully_connected_s8_params *p, const int8_t *restrict in,
                                            const int8_t *restrict weights, const int32_t *restrict bias,
                                            const int32_t *restrict multiplier, const int32_t *restrict shift,
                                            int8_t *restrict out);
/* 64-bit sums, and multipliers reduced to 16 bits. */
void helia_fully_connected_s16_c(const helia_fully_connected_s16_params *p, const int16_t *restrict in,
                                 const int8_t *restrict weights, const int64_t *restrict bias,
                                 const int32_t *restrict multiplier, const int32_t *restrict shift,
                                 int16_t *restrict out);
void helia_fully_connected_s16_bias32_c(const helia_fully_connected_s16_params *p, const int16_t *restrict in,
                                        const int8_t *restrict weights, const int32_t *restrict bias,
                                        const int32_t *restrict multiplier, const int32_t *restrict shift,
                                        int16_t *restrict out);
void helia_fully_connected_f32_c(const helia_fully_connected_f32_params *p, const float *restrict in,
                                 const float *restrict weights, const float *restrict bias, float *restrict out);

#endif
