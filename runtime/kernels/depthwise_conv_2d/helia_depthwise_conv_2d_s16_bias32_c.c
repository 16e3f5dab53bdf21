/* int16 DEPTHWISE_CONV_2D with a 32-bit bias, portable. */
#define HELIA_KERNEL helia_depthwise_conv_2d_s16_bias32_c
#define HELIA_SUM_WIDE 0
#include "helia_depthwise_conv_2d_s16_int.h"
