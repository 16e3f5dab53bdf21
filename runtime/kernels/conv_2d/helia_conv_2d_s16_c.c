/* int16 CONV_2D with a 64-bit bias or none, portable. */
#define HELIA_KERNEL helia_conv_2d_s16_c
#define HELIA_SUM_WIDE 1
#include "helia_conv_2d_s16_int.h"
