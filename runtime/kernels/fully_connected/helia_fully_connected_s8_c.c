/* int8 FULLY_CONNECTED with one scale for all weights, portable. */
#include "helia_fully_connected_dot.h"

void helia_fully_connected_s8_c(const helia_fully_connected_s8_params *p, const int8_t *restrict in,
                                const int8_t *restrict weights, const int32_t *restrict bias, int8_t *restrict out)
{
    for (int32_t r = 0; r < p->rows; r++, in += p->depth) {
        for (int32_t n = 0; n < p->units; n++) {
            int32_t acc = helia_fully_connected_dot(p, in, weights + n * p->depth);
            acc = helia_wrap_add(acc, bias ? bias[n] : 0);
            *out++ = helia_fully_connected_result(p, acc, p->multiplier, p->shift);
        }
    }
}
