/* int8 DEPTHWISE_CONV_2D, portable: the reference of every other int8 variant. */
#include <stddef.h>

#include "helia_depthwise_conv_2d.h"
#include "helia_math.h"

/* Channels for one step through the taps where the multiplier is 1. Not four: gcc 12 at -O3 makes one vector of four sums
 * and then takes them out in the wrong order. */
enum { BLOCK = 2 };

static void accumulate_block(const helia_depthwise_conv_2d_s8_params *p, const helia_conv_taps *t, const int8_t *in,
                             const int8_t *weights, int32_t acc[BLOCK])
{
    const helia_conv_window *w = &p->window;
    int32_t sum[BLOCK] = {0};
    for (int32_t i = t->y0; i < t->y1; i++) {
        const int8_t *row = in + (t->y + i * w->dilation_h) * w->in_w * w->in_c;
        const int8_t *w_row = weights + i * w->kernel_w * w->out_c;
        for (int32_t k = t->x0; k < t->x1; k++) {
            const int8_t *x = row + (t->x + k * w->dilation_w) * w->in_c;
            const int8_t *f = w_row + k * w->out_c;
            for (int32_t c = 0; c < BLOCK; c++)
                sum[c] = helia_wrap_add(sum[c], f[c] * (x[c] - p->in_zero));
        }
    }
    for (int32_t c = 0; c < BLOCK; c++)
        acc[c] = sum[c];
}

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

static int8_t result(const helia_depthwise_conv_2d_s8_params *p, int32_t acc, int32_t bias, int32_t m, int32_t e)
{
    acc = helia_requantize(helia_wrap_add(acc, bias), m, e);
    return (int8_t)helia_clamp(helia_wrap_add(acc, p->out_zero), p->min, p->max);
}

void helia_depthwise_conv_2d_s8_c(const helia_depthwise_conv_2d_s8_params *p, const int8_t *restrict in,
                                  const int8_t *restrict weights, const int32_t *restrict bias,
                                  const int32_t *restrict multiplier, const int32_t *restrict shift,
                                  int8_t *restrict out)
{
    const helia_conv_window *w = &p->window;
    const int32_t blocked = p->depth_multiplier == 1 ? w->in_c / BLOCK * BLOCK : 0;
    for (int32_t n = 0; n < w->batches; n++, in += w->in_h * w->in_w * w->in_c) {
        for (int32_t y = 0; y < w->out_h; y++) {
            for (int32_t x = 0; x < w->out_w; x++) {
                helia_conv_taps taps = helia_conv_taps_at(w, y, x);
                int32_t o = 0;
                while (o < blocked) {
                    int32_t acc[BLOCK];
                    accumulate_block(p, &taps, in + o, weights + o, acc);
                    for (int32_t k = 0; k < BLOCK; k++, o++)
                        *out++ = result(p, acc[k], bias ? bias[o] : 0, multiplier[o], shift[o]);
                }
                for (int32_t c = blocked; c < w->in_c; c++) {
                    for (int32_t m = 0; m < p->depth_multiplier; m++, o++) {
                        int32_t acc = accumulate(p, &taps, in + c, weights + o);
                        *out++ = result(p, acc, bias ? bias[o] : 0, multiplier[o], shift[o]);
                    }
                }
            }
        }
    }
}
