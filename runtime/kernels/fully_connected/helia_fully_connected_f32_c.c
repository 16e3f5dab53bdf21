/* float32 FULLY_CONNECTED, portable: single-precision sums in order, the bias last. */
#include <stddef.h>

#include "helia_fully_connected.h"

void helia_fully_connected_f32_c(const helia_fully_connected_f32_params *p, const float *restrict in,
                                 const float *restrict weights, const float *restrict bias, float *restrict out)
{
    for (int32_t r = 0; r < p->rows; r++, in += p->depth) {
        for (int32_t n = 0; n < p->units; n++) {
            const float *w = weights + n * p->depth;
            float acc = 0.0f;
            for (int32_t k = 0; k < p->depth; k++)
                acc += w[k] * in[k];
            acc += bias ? bias[n] : 0.0f;
            acc = acc < p->min ? p->min : acc;
            *out++ = acc > p->max ? p->max : acc;
        }
    }
}
