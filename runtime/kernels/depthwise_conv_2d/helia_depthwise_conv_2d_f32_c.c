/* float32 DEPTHWISE_CONV_2D, portable. */
#include <stddef.h>

#include "helia_depthwise_conv_2d.h"

static float accumulate(const helia_depthwise_conv_2d_f32_params *p, const helia_conv_taps *t, const float *in,
                        const float *weights)
{
    const helia_conv_window *w = &p->window;
    float acc = 0.0f;
    for (int32_t i = t->y0; i < t->y1; i++) {
        const float *row = in + (t->y + i * w->dilation_h) * w->in_w * w->in_c;
        for (int32_t k = t->x0; k < t->x1; k++)
            acc += weights[(i * w->kernel_w + k) * w->out_c] * row[(t->x + k * w->dilation_w) * w->in_c];
    }
    return acc;
}

void helia_depthwise_conv_2d_f32_c(const helia_depthwise_conv_2d_f32_params *p, const float *restrict in,
                                   const float *restrict weights, const float *restrict bias, float *restrict out)
{
    const helia_conv_window *w = &p->window;
    for (int32_t n = 0; n < w->batches; n++, in += w->in_h * w->in_w * w->in_c) {
        for (int32_t y = 0; y < w->out_h; y++) {
            for (int32_t x = 0; x < w->out_w; x++) {
                helia_conv_taps taps = helia_conv_taps_at(w, y, x);
                for (int32_t c = 0, o = 0; c < w->in_c; c++) {
                    for (int32_t m = 0; m < p->depth_multiplier; m++, o++) {
                        float acc = accumulate(p, &taps, in + c, weights + o) + (bias ? bias[o] : 0.0f);
                        acc = acc < p->min ? p->min : acc;
                        *out++ = acc > p->max ? p->max : acc;
                    }
                }
            }
        }
    }
}
