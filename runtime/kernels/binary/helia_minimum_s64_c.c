/* MINIMUM, int64, portable. */
#define HELIA_KERNEL helia_minimum_s64_c
#define HELIA_T int64_t
#define HELIA_APPLY(x, y) ((x) < (y) ? (x) : (y))
#include "helia_binary_plain.h"
