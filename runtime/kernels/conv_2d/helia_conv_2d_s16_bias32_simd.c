/* int16 CONV_2D with a 32-bit bias, for cores with the DSP extension or MVE. */
#include "helia_conv_2d_s16_simd.h"

#define HELIA_KERNEL helia_conv_2d_s16_bias32_simd
#define HELIA_SUM_WIDE 0
#include "helia_conv_2d_s16_dot.h"
