/* QUANTIZE, uint8 to uint8, portable. */
#define HELIA_KERNEL helia_requantize_u8_u8_c
#define HELIA_IN uint8_t
#define HELIA_OUT uint8_t
#include "helia_requantize_int.h"
