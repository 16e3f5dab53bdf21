/* DEQUANTIZE, uint8, portable. */
#define HELIA_KERNEL helia_dequantize_u8_c
#define HELIA_T uint8_t
#include "helia_dequantize_int.h"
