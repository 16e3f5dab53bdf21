/* QUANTIZE, int32 to int16, portable. */
#define HELIA_KERNEL helia_requantize_s32_s16_c
#define HELIA_IN int32_t
#define HELIA_OUT int16_t
#include "helia_requantize_int.h"
