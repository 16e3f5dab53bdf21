/* PRELU, int16 with int8 alpha, portable. */
#define HELIA_KERNEL helia_prelu_s16_c
#define HELIA_T int16_t
#define HELIA_ALPHA int8_t
#include "helia_prelu_int.h"
