/* int16 DEPTHWISE_CONV_2D with a 64-bit bias or none, for cores with the DSP extension or MVE. */
#include "helia_depthwise_conv_2d_s16_simd.h"

#define HELIA_KERNEL helia_depthwise_conv_2d_s16_simd
#define HELIA_SUM_WIDE 1
#include "helia_depthwise_conv_2d_s16_lanes.h"
