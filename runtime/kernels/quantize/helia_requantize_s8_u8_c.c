/* QUANTIZE, int8 to uint8, portable. */
#define HELIA_KERNEL helia_requantize_s8_u8_c
#define HELIA_IN int8_t
#define HELIA_OUT uint8_t
#include "helia_requantize_int.h"
