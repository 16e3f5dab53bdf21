/* DIV, int32, portable: towards zero. Division by 0 gives 0 and INT32_MIN / -1 wraps, as Cortex-M divides. */
#include <stdint.h>

static inline int32_t quotient(int32_t x, int32_t y)
{
    return y == 0 ? 0 : y == -1 ? (int32_t)(0u - (uint32_t)x) : x / y;
}

#define HELIA_KERNEL helia_div_s32_c
#define HELIA_APPLY quotient
#include "helia_binary_s32.h"
