/* MINIMUM, int32, portable. */
#define HELIA_KERNEL helia_minimum_s32_c
#define HELIA_T int32_t
#define HELIA_APPLY(x, y) ((x) < (y) ? (x) : (y))
#include "helia_binary_plain.h"
