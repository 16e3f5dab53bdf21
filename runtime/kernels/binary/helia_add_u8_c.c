/* ADD, uint8, portable. */
#define HELIA_KERNEL helia_add_u8_c
#define HELIA_T uint8_t
#define HELIA_COMBINE helia_wrap_add
#include "helia_add_int.h"
