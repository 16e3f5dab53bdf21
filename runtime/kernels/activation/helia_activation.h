/* Activations of float32, element by element. The output may be the input's storage. */
#ifndef HELIA_ACTIVATION_H
#define HELIA_ACTIVATION_H

#include <stdint.h>

typedef struct helia_activation_params {
    int32_t count; /* elements */
} helia_activation_params;

typedef struct helia_clamp_params {
    int32_t count; /* elements */
    float min, max;
} helia_clamp_params;

void helia_logistic_f32_c(const helia_activation_params *p, const float *in, float *out); /* 1 / (1 + exp(-x)) */
void helia_relu_f32_c(const helia_activation_params *p, const float *in, float *out);     /* max(x, 0) */
void helia_clamp_f32_c(const helia_clamp_params *p, const float *in, float *out);         /* min(max(x, min), max) */

#endif
