/* int8 pooling for cores with MVE: lanes are channels. An average's sums are 16 bits: windows of at most 254 elements.
 */
#ifndef HELIA_POOL_2D_S8_MVE_H
#define HELIA_POOL_2D_S8_MVE_H

#include "helia_pool_2d.h"

enum { HELIA_AVERAGE_POOL_MVE_MOST = 254 };

void helia_average_pool_2d_s8_mve(const helia_pool_2d_params *p, const int8_t *restrict in, int8_t *restrict out);
void helia_max_pool_2d_s8_mve(const helia_pool_2d_params *p, const int8_t *restrict in, int8_t *restrict out);

#endif
