/* int16 FULLY_CONNECTED with a 64-bit bias or none, portable. */
#define HELIA_KERNEL helia_fully_connected_s16_c
#define HELIA_SUM_WIDE 1
#include "helia_fully_connected_s16_int.h"
