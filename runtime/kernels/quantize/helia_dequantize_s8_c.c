/* DEQUANTIZE, int8, portable. */
#define HELIA_KERNEL helia_dequantize_s8_c
#define HELIA_T int8_t
#include "helia_dequantize_int.h"
