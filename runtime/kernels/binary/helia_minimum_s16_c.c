/* MINIMUM, int16, portable. */
#define HELIA_KERNEL helia_minimum_s16_c
#define HELIA_T int16_t
#define HELIA_APPLY(x, y) ((x) < (y) ? (x) : (y))
#include "helia_binary_plain.h"
