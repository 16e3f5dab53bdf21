/* QUANTIZE, float32 to uint8, portable. */
#define HELIA_KERNEL helia_quantize_f32_u8_c
#define HELIA_T uint8_t
#include "helia_quantize_f32.h"
