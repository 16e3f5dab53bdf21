/* Operators of two operands with broadcasting: ADD, SUB, MUL and DIV with a fused activation, MAXIMUM and MINIMUM. The output
 * may be the storage of an operand of its own shape. */
#ifndef HELIA_BINARY_H
#define HELIA_BINARY_H

#include "helia_broadcast.h"

/* Quantised ADD and SUB: both operands are brought to the scale 2 * max(scale_a, scale_b) / 2^shift, combined, and brought to
 * the output's scale. Multipliers and exponents as helia_requantize() takes them. */
typedef struct helia_add_params {
    helia_broadcast shape;
    int32_t zero_a, zero_b, zero_out;
    int32_t shift;                        /* 20 for 8-bit operands, 15 for 16-bit ones */
    int32_t multiplier_a, exponent_a;     /* scale_a / (2 * max(scale_a, scale_b)) */
    int32_t multiplier_b, exponent_b;     /* scale_b / (2 * max(scale_a, scale_b)) */
    int32_t multiplier_out, exponent_out; /* 2 * max(scale_a, scale_b) / (2^shift * scale_out) */
    int32_t min, max;                     /* the fused activation's range */
} helia_add_params;

/* Quantised MUL. */
typedef struct helia_mul_params {
    helia_broadcast shape;
    int32_t zero_a, zero_b, zero_out;
    int32_t multiplier, exponent; /* scale_a * scale_b / scale_out */
    int32_t min, max;             /* the fused activation's range */
} helia_mul_params;

/* Quantised DIV. */
typedef struct helia_div_params {
    helia_broadcast shape;
    int32_t zero_a, zero_b, zero_out;
    int32_t multiplier, exponent; /* scale_a / (scale_b * scale_out) */
    int32_t min, max;             /* the fused activation's range */
} helia_div_params;

typedef struct helia_binary_s32_params {
    helia_broadcast shape;
    int32_t min, max; /* the fused activation's range */
} helia_binary_s32_params;

/* Without activation. */
typedef struct helia_binary_params {
    helia_broadcast shape;
} helia_binary_params;

typedef struct helia_binary_f32_params {
    helia_broadcast shape;
    float min, max; /* the fused activation's range */
} helia_binary_f32_params;

void helia_add_s8_c(const helia_add_params *p, const int8_t *a, const int8_t *b, int8_t *out);
void helia_add_u8_c(const helia_add_params *p, const uint8_t *a, const uint8_t *b, uint8_t *out);
void helia_add_s16_c(const helia_add_params *p, const int16_t *a, const int16_t *b, int16_t *out);
void helia_add_s32_c(const helia_binary_s32_params *p, const int32_t *a, const int32_t *b, int32_t *out);
void helia_add_s64_c(const helia_binary_params *p, const int64_t *a, const int64_t *b, int64_t *out);
void helia_add_f32_c(const helia_binary_f32_params *p, const float *a, const float *b, float *out);
void helia_sub_s8_c(const helia_add_params *p, const int8_t *a, const int8_t *b, int8_t *out);
void helia_sub_u8_c(const helia_add_params *p, const uint8_t *a, const uint8_t *b, uint8_t *out);
void helia_sub_s16_c(const helia_add_params *p, const int16_t *a, const int16_t *b, int16_t *out);
void helia_sub_s32_c(const helia_binary_s32_params *p, const int32_t *a, const int32_t *b, int32_t *out);
void helia_sub_s64_c(const helia_binary_params *p, const int64_t *a, const int64_t *b, int64_t *out);
void helia_sub_f32_c(const helia_binary_f32_params *p, const float *a, const float *b, float *out);
void helia_mul_s8_c(const helia_mul_params *p, const int8_t *a, const int8_t *b, int8_t *out);
void helia_mul_u8_c(const helia_mul_params *p, const uint8_t *a, const uint8_t *b, uint8_t *out);
void helia_mul_s16_c(const helia_mul_params *p, const int16_t *a, const int16_t *b, int16_t *out);
void helia_mul_s32_c(const helia_binary_s32_params *p, const int32_t *a, const int32_t *b, int32_t *out);
void helia_mul_s64_c(const helia_binary_params *p, const int64_t *a, const int64_t *b, int64_t *out);
void helia_mul_f32_c(const helia_binary_f32_params *p, const float *a, const float *b, float *out);
void helia_div_s8_c(const helia_div_params *p, const int8_t *a, const int8_t *b, int8_t *out);
void helia_div_s32_c(const helia_binary_s32_params *p, const int32_t *a, const int32_t *b, int32_t *out);
void helia_div_f32_c(const helia_binary_f32_params *p, const float *a, const float *b, float *out);
void helia_maximum_s8_c(const helia_binary_params *p, const int8_t *a, const int8_t *b, int8_t *out);
void helia_maximum_u8_c(const helia_binary_params *p, const uint8_t *a, const uint8_t *b, uint8_t *out);
void helia_maximum_s16_c(const helia_binary_params *p, const int16_t *a, const int16_t *b, int16_t *out);
void helia_maximum_s32_c(const helia_binary_params *p, const int32_t *a, const int32_t *b, int32_t *out);
void helia_maximum_s64_c(const helia_binary_params *p, const int64_t *a, const int64_t *b, int64_t *out);
void helia_maximum_f32_c(const helia_binary_params *p, const float *a, const float *b, float *out);
void helia_minimum_s8_c(const helia_binary_params *p, const int8_t *a, const int8_t *b, int8_t *out);
void helia_minimum_u8_c(const helia_binary_params *p, const uint8_t *a, const uint8_t *b, uint8_t *out);
void helia_minimum_s16_c(const helia_binary_params *p, const int16_t *a, const int16_t *b, int16_t *out);
void helia_minimum_s32_c(const helia_binary_params *p, const int32_t *a, const int32_t *b, int32_t *out);
void helia_minimum_s64_c(const helia_binary_params *p, const int64_t *a, const int64_t *b, int64_t *out);
void helia_minimum_f32_c(const helia_binary_params *p, const float *a, const float *b, float *out);

#endif
