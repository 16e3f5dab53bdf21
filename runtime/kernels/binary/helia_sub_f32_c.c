/* SUB, float32, portable. */
#define HELIA_KERNEL helia_sub_f32_c
#define HELIA_APPLY(x, y) ((x) - (y))
#include "helia_binary_f32.h"
