/* QUANTIZE, int8 to int8, portable. */
#define HELIA_KERNEL helia_requantize_s8_s8_c
#define HELIA_IN int8_t
#define HELIA_OUT int8_t
#include "helia_requantize_int.h"
