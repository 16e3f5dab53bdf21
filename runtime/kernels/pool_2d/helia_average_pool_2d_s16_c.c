/* AVERAGE_POOL_2D, int16, portable. */
#define HELIA_KERNEL helia_average_pool_2d_s16_c
#define HELIA_T int16_t
#include "helia_average_pool_2d_int.h"
