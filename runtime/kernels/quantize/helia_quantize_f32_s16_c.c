/* QUANTIZE, float32 to int16, portable. */
#define HELIA_KERNEL helia_quantize_f32_s16_c
#define HELIA_T int16_t
#include "helia_quantize_f32.h"
