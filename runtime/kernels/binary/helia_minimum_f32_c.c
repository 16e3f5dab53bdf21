/* MINIMUM, float32, portable. */
#define HELIA_KERNEL helia_minimum_f32_c
#define HELIA_T float
#define HELIA_APPLY(x, y) ((x) < (y) ? (x) : (y))
#include "helia_binary_plain.h"
