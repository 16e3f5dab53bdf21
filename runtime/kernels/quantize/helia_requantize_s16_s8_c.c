/* QUANTIZE, int16 to int8, portable. */
#define HELIA_KERNEL helia_requantize_s16_s8_c
#define HELIA_IN int16_t
#define HELIA_OUT int8_t
#include "helia_requantize_int.h"
