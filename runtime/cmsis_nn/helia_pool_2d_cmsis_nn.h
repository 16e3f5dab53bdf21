/* int8 AVERAGE_POOL_2D and MAX_POOL_2D by CMSIS-NN and ns-cmsis-nn. Nonzero: the library's status. */
#ifndef HELIA_POOL_2D_CMSIS_NN_H
#define HELIA_POOL_2D_CMSIS_NN_H

#include <stddef.h>

#include "helia_pool_2d.h"

int32_t helia_average_pool_2d_s8_cmsis_nn(const helia_pool_2d_params *p, const int8_t *in, int8_t *out, void *scratch);
int32_t helia_max_pool_2d_s8_cmsis_nn(const helia_pool_2d_params *p, const int8_t *in, int8_t *out);

/* Of a DSP build of the library; others need none. */
static inline size_t helia_average_pool_2d_cmsis_nn_scratch(const void *params)
{
    const helia_pool_2d_params *p = params;
    return 4u * (size_t)p->window.channels;
}

#endif
