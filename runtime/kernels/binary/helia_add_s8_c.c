/* ADD, int8, portable. */
#define HELIA_KERNEL helia_add_s8_c
#define HELIA_T int8_t
#define HELIA_COMBINE helia_wrap_add
#include "helia_add_int.h"
