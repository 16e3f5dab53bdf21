/* The int8 dot product that the two portable FULLY_CONNECTED kernels share. */
#ifndef HELIA_FULLY_CONNECTED_DOT_H
#define HELIA_FULLY_CONNECTED_DOT_H

#include <stddef.h>

#include "helia_fully_connected.h"
#include "helia_math.h"

static inline int32_t helia_fully_connected_dot(const helia_fully_connected_s8_params *p, const int8_t *in,
                                                const int8_t *weights)
{
    int32_t acc = 0;
    for (int32_t k = 0; k < p->depth; k++)
        acc = helia_wrap_add(acc, (weights[k] - p->weights_zero) * (in[k] - p->in_zero));
    return acc;
}

static inline int8_t helia_fully_connected_result(const helia_fully_connected_s8_params *p, int32_t acc, int32_t m,
                                                  int32_t e)
{
    return (int8_t)helia_clamp(helia_wrap_add(helia_requantize(acc, m, e), p->out_zero), p->min, p->max);
}

#endif
