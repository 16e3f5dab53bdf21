/* MEAN, int16, portable. */
#define HELIA_KERNEL helia_mean_s16_c
#define HELIA_T int16_t
#include "helia_mean_int.h"
