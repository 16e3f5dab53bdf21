/* ADD, int16, portable. */
#define HELIA_KERNEL helia_add_s16_c
#define HELIA_T int16_t
#define HELIA_COMBINE helia_wrap_add
#include "helia_add_int.h"
