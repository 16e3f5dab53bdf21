/* QUANTIZE, int8 to int32, portable. */
#define HELIA_KERNEL helia_requantize_s8_s32_c
#define HELIA_IN int8_t
#define HELIA_OUT int32_t
#include "helia_requantize_int.h"
