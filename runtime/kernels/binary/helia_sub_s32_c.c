/* SUB, int32, portable. */
#define HELIA_KERNEL helia_sub_s32_c
#define HELIA_APPLY helia_wrap_sub
#include "helia_binary_s32.h"
