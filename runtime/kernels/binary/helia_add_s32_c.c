/* ADD, int32, portable. */
#define HELIA_KERNEL helia_add_s32_c
#define HELIA_APPLY helia_wrap_add
#include "helia_binary_s32.h"
