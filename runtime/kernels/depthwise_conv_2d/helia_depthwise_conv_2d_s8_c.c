/* int8 DEPTHWISE_CONV_2D, portable: the reference of every other int8 variant. */
#include <stddef.h>

#include "helia_depthwise_conv_2d.h"
#include "helia_math.h"

static int32_t accumulate(const helia_depthwise_conv_2d_s8_params *p, const helia_conv_taps *t, const int8_t *in,
                          const int8_t *weights)
{
    const helia_conv_window *w = &p->window;
    int32_t acc = 0;
    for (int32_t i = t->y0; i < t->y1; i++) {
        const int8_t *row = in + (t->y + i * w->dilation_h) * w->in_w * w->in_c;
        for (int32_t k = t->x0; k < t->x1; k++) {
            int32_t x = row[(t->x + k * w->dilation_w) * w->in_c] - p->in_zero;
            acc = helia_wrap_add(acc, weights[(i * w->kernel_w + k) * w->out_c] * x);
        }
    }
    return acc;
}

void helia_depthwise_conv_2d_s8_c(const helia_depthwise_conv_2d_s8_params *p, const int8_t *restrict in,
                                  const int8_t *restrict weights, const int32_t *restrict bias,
                                  const int32_t *restrict multiplier, const int32_t *restrict shift,
                                  int8_t *restrict out)
{
    const helia_conv_window *w = &p->window;
    for (int32_t n = 0; n < w->batches; n++, in += w->in_h * w->in_w * w->in_c) {
        for (int32_t y = 0; y < w->out_h; y++) {
            for (int32_t x = 0; x < w->out_w; x++) {
                helia_conv_taps taps = helia_conv_taps_at(w, y, x);
                for (int32_t c = 0, o = 0; c < w->in_c; c++) {
                    for (int32_t m = 0; m < p->depth_multiplier; m++, o++) {
                        int32_t acc = accumulate(p, &taps, in + c, weights + o);
                        acc = helia_wrap_add(acc, bias ? bias[o] : 0);
                        acc = helia_wrap_add(helia_requantize(acc, multiplier[o], shift[o]), p->out_zero);
                        *out++ = (int8_t)helia_clamp(acc, p->min, p->max);
                    }
                }
            }
        }
    }
}
