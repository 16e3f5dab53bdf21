/* ADD, int64, portable; it wraps. */
#define HELIA_KERNEL helia_add_s64_c
#define HELIA_T int64_t
#define HELIA_APPLY(x, y) ((int64_t)((uint64_t)(x) + (uint64_t)(y)))
#include "helia_binary_plain.h"
