/* QUANTIZE, int32 to uint8, portable. */
#define HELIA_KERNEL helia_requantize_s32_u8_c
#define HELIA_IN int32_t
#define HELIA_OUT uint8_t
#include "helia_requantize_int.h"
