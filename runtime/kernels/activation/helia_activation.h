/* Activations, element by element. The output may be the input's storage. */
#ifndef HELIA_ACTIVATION_H
#define HELIA_ACTIVATION_H

#include "helia_math.h"

typedef struct helia_activation_params {
    int32_t count; /* elements */
} helia_activation_params;

typedef struct helia_clamp_params {
    int32_t count; /* elements */
    float min, max;
} helia_clamp_params;

/* Quantised: x - zero_in by one of two factors, the one below 0 with its sign apart. */
typedef struct helia_leaky_relu_params {
    int32_t count; /* elements */
    int32_t zero_in, zero_out;
    int32_t multiplier, exponent;             /* scale_in / scale_out */
    int32_t alpha_multiplier, alpha_exponent; /* |alpha| * scale_in / scale_out */
    int32_t alpha_sign;                       /* 1 or -1 */
} helia_leaky_relu_params;

typedef struct helia_leaky_relu_f32_params {
    int32_t count; /* elements */
    float alpha;
} helia_leaky_relu_f32_params;

/* One element, before it is clamped. */
static inline int32_t helia_leaky_relu(const helia_leaky_relu_params *p, int32_t q)
{
    int32_t x = q - p->zero_in;
    int32_t y = x < 0 ? p->alpha_sign * helia_requantize(x, p->alpha_multiplier, p->alpha_exponent)
                      : helia_requantize(x, p->multiplier, p->exponent);
    return helia_wrap_add(y, p->zero_out);
}

void helia_tanh_f32_c(const helia_activation_params *p, const float *in, float *out);
void helia_elu_f32_c(const helia_activation_params *p, const float *in, float *out); /* x, or exp(x) - 1 below 0 */
void helia_hard_swish_f32_c(const helia_activation_params *p, const float *in,
                            float *out); /* x * min(max(x + 3, 0), 6) / 6 */
void helia_leaky_relu_s16_c(const helia_leaky_relu_params *p, const int16_t *in, int16_t *out);
void helia_leaky_relu_f32_c(const helia_leaky_relu_f32_params *p, const float *in,
                            float *out);                                                  /* x, or alpha * x below 0 */
void helia_logistic_f32_c(const helia_activation_params *p, const float *in, float *out); /* 1 / (1 + exp(-x)) */
void helia_relu_f32_c(const helia_activation_params *p, const float *in, float *out);     /* max(x, 0) */
void helia_clamp_f32_c(const helia_clamp_params *p, const float *in, float *out);         /* min(max(x, min), max) */

#endif
