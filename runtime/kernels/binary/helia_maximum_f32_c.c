/* MAXIMUM, float32, portable. */
#define HELIA_KERNEL helia_maximum_f32_c
#define HELIA_T float
#define HELIA_APPLY(x, y) ((x) > (y) ? (x) : (y))
#include "helia_binary_plain.h"
