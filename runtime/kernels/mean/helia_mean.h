/* MEAN over any dimensions. Neighbouring dimensions of one kind are merged, so that three loops over kept and three
 * over reduced ones are enough for six dimensions in any order. */
#ifndef HELIA_MEAN_H
#define HELIA_MEAN_H

#include <stdint.h>

/* Outermost first; unused loops have extent 1. Strides in elements of the input. */
typedef struct helia_mean_loops {
    int32_t kept[3], kept_stride[3];
    int32_t reduced[3], reduced_stride[3];
} helia_mean_loops;

typedef struct helia_mean_params {
    helia_mean_loops loops;
    int32_t offset; /* zero point of the input times the number of reduced elements */
    int32_t zero_out;
    int32_t multiplier, exponent; /* scale_in / scale_out / number of reduced elements */
    int32_t min, max;             /* range of the type */
} helia_mean_params;

typedef struct helia_mean_f32_params {
    helia_mean_loops loops;
    float count; /* of reduced elements */
} helia_mean_f32_params;

void helia_mean_s8_c(const helia_mean_params *p, const int8_t *restrict in, int8_t *restrict out);
/* Only reduced[2] is more than 1, it is at most 256, and kept_stride[2] is 1. */
void helia_mean_s8_dsp(const helia_mean_params *p, const int8_t *in, int8_t *out);
void helia_mean_s16_c(const helia_mean_params *p, const int16_t *restrict in, int16_t *restrict out);
void helia_mean_f32_c(const helia_mean_f32_params *p, const float *restrict in, float *restrict out);

#endif
