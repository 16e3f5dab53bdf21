/* MAX_POOL_2D, int8, portable. */
#define HELIA_KERNEL helia_max_pool_2d_s8_c
#define HELIA_T int8_t
#include "helia_max_pool_2d_int.h"
