/* PRELU, uint8, portable. */
#define HELIA_KERNEL helia_prelu_u8_c
#define HELIA_T uint8_t
#define HELIA_ALPHA uint8_t
#include "helia_prelu_int.h"
