/* MEAN, int8, portable. */
#define HELIA_KERNEL helia_mean_s8_c
#define HELIA_T int8_t
#include "helia_mean_int.h"
