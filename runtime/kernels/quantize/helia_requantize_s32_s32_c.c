/* QUANTIZE, int32 to int32, portable. */
#define HELIA_KERNEL helia_requantize_s32_s32_c
#define HELIA_IN int32_t
#define HELIA_OUT int32_t
#include "helia_requantize_int.h"
