/* Body of the int16 FULLY_CONNECTED. The file that includes it defines HELIA_KERNEL, the function's name, and
 * HELIA_SUM_WIDE. */
#include <stddef.h>

#include "helia_fully_connected.h"
#include "helia_sum_s16.h"

void HELIA_KERNEL(const helia_fully_connected_s16_params *p, const int16_t *restrict in, const int8_t *restrict weights,
                  const HELIA_SUM *restrict bias, const int32_t *restrict multiplier, const int32_t *restrict shift,
                  int16_t *restrict out)
{
    for (int32_t r = 0; r < p->rows; r++, in += p->depth) {
        for (int32_t n = 0; n < p->units; n++) {
            const int8_t *w = weights + n * p->depth;
            const int32_t scale = n * p->scale_step;
            HELIA_SUM acc = 0;
            for (int32_t k = 0; k < p->depth; k++)
                acc = HELIA_SUM_ADD(acc, (w[k] - p->weights_zero) * in[k]);
            acc = HELIA_SUM_ADD(acc, bias ? bias[n] : 0);
            *out++ = (int16_t)helia_clamp(HELIA_SUM_SCALE(acc, multiplier[scale], shift[scale]), p->min, p->max);
        }
    }
}
