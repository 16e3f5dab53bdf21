/* int16 FULLY_CONNECTED with a 32-bit bias, portable. */
#define HELIA_KERNEL helia_fully_connected_s16_bias32_c
#define HELIA_SUM_WIDE 0
#include "helia_fully_connected_s16_int.h"
