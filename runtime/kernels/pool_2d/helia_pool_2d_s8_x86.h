/* int8 AVERAGE_POOL_2D for x86-64: 16 channels at a time, of which a pixel's are neighbours in memory. The mean is taken
 * from floats. It is exact for windows of at most HELIA_AVERAGE_POOL_X86_MOST elements: a sum's size and half of the count
 * are then below 2^23, and a quotient of such integers a / n that is not whole is at least 1 / n below the next whole
 * number k, where floats are at most k / 2^24 apart; with n * k <= a + n < 2^24 rounding does not reach it. */
#ifndef HELIA_POOL_2D_S8_X86_H
#define HELIA_POOL_2D_S8_X86_H

#include "helia_pool_2d.h"

enum { HELIA_AVERAGE_POOL_X86_MOST = 65000 };

void helia_average_pool_2d_s8_x86(const helia_pool_2d_params *p, const int8_t *restrict in, int8_t *restrict out);

#endif
