/* SOFTMAX over the last dimension. */
#ifndef HELIA_SOFTMAX_H
#define HELIA_SOFTMAX_H

#include <stdint.h>

/* int8 -> int8, output scale 1/256 and zero point -128. The difference to the row's maximum, times the input scale and
 * beta, becomes Q5 by multiplier and a left shift; differences below diff_min count as 0. */
typedef struct helia_softmax_s8_params {
    int32_t rows, depth;
    int32_t multiplier, shift;
    int32_t diff_min;
} helia_softmax_s8_params;

typedef struct helia_softmax_f32_params {
    int32_t rows, depth;
    float beta;
} helia_softmax_f32_params;

void helia_softmax_s8_c(const helia_softmax_s8_params *p, const int8_t *restrict in, int8_t *restrict out);
void helia_softmax_f32_c(const helia_softmax_f32_params *p, const float *restrict in, float *restrict out);

#endif
