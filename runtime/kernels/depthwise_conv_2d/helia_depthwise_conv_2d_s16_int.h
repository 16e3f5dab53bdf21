/* Body of the int16 DEPTHWISE_CONV_2D. The file that includes it defines HELIA_KERNEL, the function's name, and
 * HELIA_SUM_WIDE. */
#include <stddef.h>

#include "helia_depthwise_conv_2d.h"
#include "helia_sum_s16.h"

static HELIA_SUM accumulate(const helia_conv_window *w, const helia_conv_taps *t, const int16_t *in,
                            const int8_t *weights)
{
    HELIA_SUM acc = 0;
    for (int32_t i = t->y0; i < t->y1; i++) {
        const int16_t *row = in + (t->y + i * w->dilation_h) * w->in_w * w->in_c;
        for (int32_t k = t->x0; k < t->x1; k++) {
            int32_t x = row[(t->x + k * w->dilation_w) * w->in_c];
            acc = HELIA_SUM_ADD(acc, weights[(i * w->kernel_w + k) * w->out_c] * x);
        }
    }
    return acc;
}

void HELIA_KERNEL(const helia_depthwise_conv_2d_s16_params *p, const int16_t *restrict in,
                  const int8_t *restrict weights, const HELIA_SUM *restrict bias, const int32_t *restrict multiplier,
                  const int32_t *restrict shift, int16_t *restrict out)
{
    const helia_conv_window *w = &p->window;
    for (int32_t n = 0; n < w->batches; n++, in += w->in_h * w->in_w * w->in_c) {
        for (int32_t y = 0; y < w->out_h; y++) {
            for (int32_t x = 0; x < w->out_w; x++) {
                helia_conv_taps taps = helia_conv_taps_at(w, y, x);
                int32_t o = 0;
                for (int32_t c = 0; c < w->in_c; c++) {
                    for (int32_t m = 0; m < p->depth_multiplier; m++, o++) {
                        HELIA_SUM acc = accumulate(w, &taps, in + c, weights + o);
                        acc = HELIA_SUM_ADD(acc, bias ? bias[o] : 0);
                        *out++ = (int16_t)helia_clamp(HELIA_SUM_SCALE(acc, multiplier[o], shift[o]), p->min, p->max);
                    }
                }
            }
        }
    }
}
