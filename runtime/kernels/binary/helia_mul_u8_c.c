/* MUL, uint8, portable. */
#define HELIA_KERNEL helia_mul_u8_c
#define HELIA_T uint8_t
#include "helia_mul_int.h"
