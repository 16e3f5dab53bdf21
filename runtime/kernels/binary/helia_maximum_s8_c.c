/* MAXIMUM, int8, portable. */
#define HELIA_KERNEL helia_maximum_s8_c
#define HELIA_T int8_t
#define HELIA_APPLY(x, y) ((x) > (y) ? (x) : (y))
#include "helia_binary_plain.h"
