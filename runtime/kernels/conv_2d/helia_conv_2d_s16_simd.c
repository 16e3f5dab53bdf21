/* int16 CONV_2D with a 64-bit bias or none, for cores with the DSP extension or MVE. */
#include "helia_conv_2d_s16_simd.h"

#define HELIA_KERNEL helia_conv_2d_s16_simd
#define HELIA_SUM_WIDE 1
#include "helia_conv_2d_s16_dot.h"
