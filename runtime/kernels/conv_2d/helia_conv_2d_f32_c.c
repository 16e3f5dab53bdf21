/* float32 CONV_2D, portable. */
#include <stddef.h>

#include "helia_conv_2d.h"

static float accumulate(const helia_conv_2d_f32_params *p, const helia_conv_taps *t, const float *in,
                        const float *weights)
{
    const helia_conv_window *w = &p->window;
    float acc = 0.0f;
    for (int32_t i = t->y0; i < t->y1; i++) {
        const float *row = in + (t->y + i * w->dilation_h) * w->in_w * w->in_c;
        const float *w_row = weights + i * w->kernel_w * p->filter_c;
        for (int32_t k = t->x0; k < t->x1; k++) {
            const float *x = row + (t->x + k * w->dilation_w) * w->in_c;
            const float *f = w_row + k * p->filter_c;
            for (int32_t c = 0; c < p->filter_c; c++)
                acc += f[c] * x[c];
        }
    }
    return acc;
}

void helia_conv_2d_f32_c(const helia_conv_2d_f32_params *p, const float *restrict in, const float *restrict weights,
                         const float *restrict bias, float *restrict out)
{
    const helia_conv_window *w = &p->window;
    const int32_t filter = w->kernel_h * w->kernel_w * p->filter_c;
    for (int32_t n = 0; n < w->batches; n++, in += w->in_h * w->in_w * w->in_c) {
        for (int32_t y = 0; y < w->out_h; y++) {
            for (int32_t x = 0; x < w->out_w; x++) {
                helia_conv_taps taps = helia_conv_taps_at(w, y, x);
                const float *group_in = in;
                for (int32_t c = 0; c < w->out_c; group_in += p->filter_c) {
                    for (int32_t end = c + p->group_out; c < end; c++) {
                        float acc = accumulate(p, &taps, group_in, weights + c * filter) + (bias ? bias[c] : 0.0f);
                        acc = acc < p->min ? p->min : acc;
                        *out++ = acc > p->max ? p->max : acc;
                    }
                }
            }
        }
    }
}
