/* ADD, int16, portable. */
#define HELIA_KERNEL helia_add_s16_c
#define HELIA_T int16_t
#include "helia_add_int.h"
