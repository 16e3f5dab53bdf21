/* QUANTIZE, uint8 to int32, portable. */
#define HELIA_KERNEL helia_requantize_u8_s32_c
#define HELIA_IN uint8_t
#define HELIA_OUT int32_t
#include "helia_requantize_int.h"
