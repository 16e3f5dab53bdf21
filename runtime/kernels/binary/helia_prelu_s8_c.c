/* PRELU, int8, portable. */
#define HELIA_KERNEL helia_prelu_s8_c
#define HELIA_T int8_t
#define HELIA_ALPHA int8_t
#include "helia_prelu_int.h"
