/* Body of the int16 FULLY_CONNECTED by scalar products, two units at a time; the weights' zero point is 0. The file that
 * includes it defines HELIA_KERNEL, the function's name, and HELIA_SUM_WIDE. */
#include <stddef.h>

#include "helia_dot_s16.h"
#include "helia_fully_connected.h"
#include "helia_sum_s16.h"

static HELIA_APART void dots(const int16_t *x, const int8_t *a, const int8_t *b, int32_t n, int64_t sum[2])
{
    helia_dot2_s16(x, a, b, n, sum);
}

void HELIA_KERNEL(const helia_fully_connected_s16_params *p, const int16_t *restrict in, const int8_t *restrict weights,
                  const HELIA_SUM *restrict bias, const int32_t *restrict multiplier, const int32_t *restrict shift,
                  int16_t *restrict out)
{
    for (int32_t r = 0; r < p->rows; r++, in += p->depth, out += p->units) {
        for (int32_t n = 0; n < p->units;) {
            const int8_t *a = weights + n * p->depth;
            int64_t sum[2] = {0, 0};
            dots(in, a, n + 1 < p->units ? a + p->depth : a, p->depth, sum);
            for (int32_t k = 0; k < 2 && n < p->units; k++, n++) {
                const int32_t scale = n * p->scale_step;
                const HELIA_SUM acc = HELIA_SUM_ADD(HELIA_SUM_OF(sum[k]), bias ? bias[n] : 0);
                out[n] = (int16_t)helia_clamp(HELIA_SUM_SCALE(acc, multiplier[scale], shift[scale]), p->min, p->max);
            }
        }
    }
}
