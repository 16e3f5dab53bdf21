/* DEQUANTIZE, int16, portable. */
#define HELIA_KERNEL helia_dequantize_s16_c
#define HELIA_T int16_t
#include "helia_dequantize_int.h"
