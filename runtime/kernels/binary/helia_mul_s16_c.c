/* MUL, int16, portable. */
#define HELIA_KERNEL helia_mul_s16_c
#define HELIA_T int16_t
#include "helia_mul_int.h"
