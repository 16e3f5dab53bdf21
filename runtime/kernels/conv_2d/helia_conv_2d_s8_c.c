/* int8 CONV_2D, portable: the reference of every other int8 variant. */
#include <stddef.h>

#include "helia_conv_2d.h"
#include "helia_math.h"

/* One output channel of one pixel. `in` is the channel group's first channel of the image. */
static int32_t accumulate(const helia_conv_2d_s8_params *p, const helia_conv_taps *t, const int8_t *in,
                          const int8_t *weights)
{
    const helia_conv_window *w = &p->window;
    int32_t acc = 0;
    for (int32_t i = t->y0; i < t->y1; i++) {
        const int8_t *row = in + (t->y + i * w->dilation_h) * w->in_w * w->in_c;
        const int8_t *w_row = weights + i * w->kernel_w * p->filter_c;
        for (int32_t k = t->x0; k < t->x1; k++) {
            const int8_t *x = row + (t->x + k * w->dilation_w) * w->in_c;
            const int8_t *f = w_row + k * p->filter_c;
            for (int32_t c = 0; c < p->filter_c; c++)
                acc = helia_wrap_add(acc, f[c] * (x[c] - p->in_zero));
        }
    }
    return acc;
}

void helia_conv_2d_s8_c(const helia_conv_2d_s8_params *p, const int8_t *restrict in, const int8_t *restrict weights,
                        const int32_t *restrict bias, const int32_t *restrict multiplier, const int32_t *restrict shift,
                        int8_t *restrict out)
{
    const helia_conv_window *w = &p->window;
    const int32_t filter = w->kernel_h * w->kernel_w * p->filter_c;
    for (int32_t n = 0; n < w->batches; n++, in += w->in_h * w->in_w * w->in_c) {
        for (int32_t y = 0; y < w->out_h; y++) {
            for (int32_t x = 0; x < w->out_w; x++) {
                helia_conv_taps taps = helia_conv_taps_at(w, y, x);
                const int8_t *group_in = in;
                for (int32_t c = 0; c < w->out_c; group_in += p->filter_c) {
                    for (int32_t end = c + p->group_out; c < end; c++) {
                        int32_t acc = accumulate(p, &taps, group_in, weights + c * filter);
                        acc = helia_wrap_add(acc, bias ? bias[c] : 0);
                        acc = helia_wrap_add(helia_requantize(acc, multiplier[c], shift[c]), p->out_zero);
                        *out++ = (int8_t)helia_clamp(acc, p->min, p->max);
                    }
                }
            }
        }
    }
}
