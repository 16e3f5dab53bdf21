/* MAX_POOL_2D, uint8, portable. */
#define HELIA_KERNEL helia_max_pool_2d_u8_c
#define HELIA_T uint8_t
#include "helia_max_pool_2d_int.h"
