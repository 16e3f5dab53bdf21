/* QUANTIZE, int16 to int32, portable. */
#define HELIA_KERNEL helia_requantize_s16_s32_c
#define HELIA_IN int16_t
#define HELIA_OUT int32_t
#include "helia_requantize_int.h"
