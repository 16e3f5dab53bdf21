/* Body of the int16 CONV_2D. The file that includes it defines HELIA_KERNEL, the function's name, and HELIA_SUM_WIDE. */
#include <stddef.h>

#include "helia_conv_2d.h"
#include "helia_sum_s16.h"

/* One output channel of one pixel. `in` is the channel group's first channel of the image. */
static HELIA_SUM accumulate(const helia_conv_2d_s16_params *p, const helia_conv_taps *t, const int16_t *in,
                            const int8_t *weights)
{
    const helia_conv_window *w = &p->window;
    HELIA_SUM acc = 0;
    for (int32_t i = t->y0; i < t->y1; i++) {
        const int16_t *row = in + (t->y + i * w->dilation_h) * w->in_w * w->in_c;
        const int8_t *w_row = weights + i * w->kernel_w * p->filter_c;
        for (int32_t k = t->x0; k < t->x1; k++) {
            const int16_t *x = row + (t->x + k * w->dilation_w) * w->in_c;
            const int8_t *f = w_row + k * p->filter_c;
            for (int32_t c = 0; c < p->filter_c; c++)
                acc = HELIA_SUM_ADD(acc, f[c] * x[c]);
        }
    }
    return acc;
}

void HELIA_KERNEL(const helia_conv_2d_s16_params *p, const int16_t *restrict in, const int8_t *restrict weights,
                  const HELIA_SUM *restrict bias, const int32_t *restrict multiplier, const int32_t *restrict shift,
                  int16_t *restrict out)
{
    const helia_conv_window *w = &p->window;
    const int32_t filter = w->kernel_h * w->kernel_w * p->filter_c;
    for (int32_t n = 0; n < w->batches; n++, in += w->in_h * w->in_w * w->in_c) {
        for (int32_t y = 0; y < w->out_h; y++) {
            for (int32_t x = 0; x < w->out_w; x++) {
                helia_conv_taps taps = helia_conv_taps_at(w, y, x);
                const int16_t *group_in = in;
                for (int32_t c = 0; c < w->out_c; group_in += p->filter_c) {
                    for (int32_t end = c + p->group_out; c < end; c++) {
                        HELIA_SUM acc = accumulate(p, &taps, group_in, weights + c * filter);
                        acc = HELIA_SUM_ADD(acc, bias ? bias[c] : 0);
                        *out++ = (int16_t)helia_clamp(HELIA_SUM_SCALE(acc, multiplier[c], shift[c]), p->min, p->max);
                    }
                }
            }
        }
    }
}
