/* QUANTIZE, int8 to int16, portable. */
#define HELIA_KERNEL helia_requantize_s8_s16_c
#define HELIA_IN int8_t
#define HELIA_OUT int16_t
#include "helia_requantize_int.h"
