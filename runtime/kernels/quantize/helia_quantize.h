/* QUANTIZE (from float32, and between integer types) and DEQUANTIZE, element by element. An output of the input's size
 * may be its storage. */
#ifndef HELIA_QUANTIZE_H
#define HELIA_QUANTIZE_H

#include <stdint.h>

typedef struct helia_quantize_params {
    int32_t count; /* elements */
    float scale;
    int32_t zero;
    int32_t min, max; /* range of the type */
} helia_quantize_params;

typedef struct helia_requantize_params {
    int32_t count; /* elements */
    int32_t zero_in, zero_out;
    int32_t multiplier, exponent; /* scale_in / scale_out */
    int32_t min, max;             /* range of the output's type */
} helia_requantize_params;

typedef struct helia_dequantize_params {
    int32_t count; /* elements */
    float scale;   /* neither scale nor zero is used for float16 */
    int32_t zero;
} helia_dequantize_params;

void helia_quantize_f32_s8_c(const helia_quantize_params *p, const float *in, int8_t *out);
void helia_quantize_f32_u8_c(const helia_quantize_params *p, const float *in, uint8_t *out);
void helia_quantize_f32_s16_c(const helia_quantize_params *p, const float *in, int16_t *out);

void helia_requantize_s8_s8_c(const helia_requantize_params *p, const int8_t *in, int8_t *out);
void helia_requantize_s8_u8_c(const helia_requantize_params *p, const int8_t *in, uint8_t *out);
void helia_requantize_s8_s16_c(const helia_requantize_params *p, const int8_t *in, int16_t *out);
void helia_requantize_s8_s32_c(const helia_requantize_params *p, const int8_t *in, int32_t *out);
void helia_requantize_u8_s8_c(const helia_requantize_params *p, const uint8_t *in, int8_t *out);
void helia_requantize_u8_u8_c(const helia_requantize_params *p, const uint8_t *in, uint8_t *out);
void helia_requantize_u8_s16_c(const helia_requantize_params *p, const uint8_t *in, int16_t *out);
void helia_requantize_u8_s32_c(const helia_requantize_params *p, const uint8_t *in, int32_t *out);
void helia_requantize_s16_s8_c(const helia_requantize_params *p, const int16_t *in, int8_t *out);
void helia_requantize_s16_u8_c(const helia_requantize_params *p, const int16_t *in, uint8_t *out);
void helia_requantize_s16_s16_c(const helia_requantize_params *p, const int16_t *in, int16_t *out);
void helia_requantize_s16_s32_c(const helia_requantize_params *p, const int16_t *in, int32_t *out);
void helia_requantize_s32_s8_c(const helia_requantize_params *p, const int32_t *in, int8_t *out);
void helia_requantize_s32_u8_c(const helia_requantize_params *p, const int32_t *in, uint8_t *out);
void helia_requantize_s32_s16_c(const helia_requantize_params *p, const int32_t *in, int16_t *out);
void helia_requantize_s32_s32_c(const helia_requantize_params *p, const int32_t *in, int32_t *out);

void helia_dequantize_s8_c(const helia_dequantize_params *p, const int8_t *in, float *out);
void helia_dequantize_u8_c(const helia_dequantize_params *p, const uint8_t *in, float *out);
void helia_dequantize_s16_c(const helia_dequantize_params *p, const int16_t *in, float *out);
void helia_dequantize_f16_c(const helia_dequantize_params *p, const uint16_t *in, float *out);

#endif
