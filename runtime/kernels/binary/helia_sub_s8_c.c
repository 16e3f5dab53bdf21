/* SUB, int8, portable. */
#define HELIA_KERNEL helia_sub_s8_c
#define HELIA_T int8_t
#define HELIA_COMBINE helia_wrap_sub
#include "helia_add_int.h"
