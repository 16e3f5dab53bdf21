/* MINIMUM, uint8, portable. */
#define HELIA_KERNEL helia_minimum_u8_c
#define HELIA_T uint8_t
#define HELIA_APPLY(x, y) ((x) < (y) ? (x) : (y))
#include "helia_binary_plain.h"
