/* PRELU: x, or x times its alpha below 0; alpha is broadcast. The output may be the input's storage where the shapes are
 * equal. */
#ifndef HELIA_PRELU_H
#define HELIA_PRELU_H

#include "helia_broadcast.h"

typedef struct helia_prelu_params {
    helia_broadcast shape;
    int32_t zero_in, zero_alpha, zero_out;
    int32_t multiplier, exponent;             /* scale_in / scale_out */
    int32_t alpha_multiplier, alpha_exponent; /* scale_in * scale_alpha / scale_out */
    int32_t min, max;                         /* of the type */
} helia_prelu_params;

typedef struct helia_prelu_f32_params {
    helia_broadcast shape;
} helia_prelu_f32_params;

void helia_prelu_s8_c(const helia_prelu_params *p, const int8_t *in, const int8_t *alpha, int8_t *out);
void helia_prelu_u8_c(const helia_prelu_params *p, const uint8_t *in, const uint8_t *alpha, uint8_t *out);
void helia_prelu_s16_c(const helia_prelu_params *p, const int16_t *in, const int8_t *alpha, int16_t *out);
void helia_prelu_f32_c(const helia_prelu_f32_params *p, const float *in, const float *alpha, float *out);

#endif
