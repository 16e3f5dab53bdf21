/* QUANTIZE, float32 to int8, portable. */
#define HELIA_KERNEL helia_quantize_f32_s8_c
#define HELIA_T int8_t
#include "helia_quantize_f32.h"
