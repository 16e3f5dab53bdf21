/* SOFTMAX, int8, portable. */
#define HELIA_KERNEL helia_softmax_s8_c
#define HELIA_OUT int8_t
#define HELIA_BITS 8
#include "helia_softmax_s8_int.h"
