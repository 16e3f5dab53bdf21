/* SOFTMAX, int8 to int16, portable. */
#define HELIA_KERNEL helia_softmax_s8_s16_c
#define HELIA_OUT int16_t
#define HELIA_BITS 16
#include "helia_softmax_s8_int.h"
