/* MUL, int8, portable. */
#define HELIA_KERNEL helia_mul_s8_c
#define HELIA_T int8_t
#include "helia_mul_int.h"
