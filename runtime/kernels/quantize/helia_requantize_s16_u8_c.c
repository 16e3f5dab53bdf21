/* QUANTIZE, int16 to uint8, portable. */
#define HELIA_KERNEL helia_requantize_s16_u8_c
#define HELIA_IN int16_t
#define HELIA_OUT uint8_t
#include "helia_requantize_int.h"
