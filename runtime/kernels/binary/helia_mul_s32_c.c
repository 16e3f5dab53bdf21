/* MUL, int32, portable. */
#define HELIA_KERNEL helia_mul_s32_c
#define HELIA_APPLY helia_wrap_mul
#include "helia_binary_s32.h"
