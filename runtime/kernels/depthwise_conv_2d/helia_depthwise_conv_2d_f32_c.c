/* float32 DEPTHWISE_CONV_2D, portable. */
#include <stddef.h>

#include "helia_depthwise_conv_2d.h"

enum { BLOCK = 4 }; /* channels for one step through the taps where the multiplier is 1: as many as stay in registers */

static void accumulate_block(const helia_depthwise_conv_2d_f32_params *p, const helia_conv_taps *t, const float *in,
                             const float *weights, float acc[BLOCK])
{
    const helia_conv_window *w = &p->window;
    float a = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f;
    for (int32_t i = t->y0; i < t->y1; i++) {
        const float *row = in + (t->y + i * w->dilation_h) * w->in_w * w->in_c;
        const float *w_row = weights + i * w->kernel_w * w->out_c;
        for (int32_t k = t->x0; k < t->x1; k++) {
            const float *x = row + (t->x + k * w->dilation_w) * w->in_c;
            const float *f = w_row + k * w->out_c;
            a += f[0] * x[0];
            b += f[1] * x[1];
            c += f[2] * x[2];
            d += f[3] * x[3];
        }
    }
    acc[0] = a, acc[1] = b, acc[2] = c, acc[3] = d;
}

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

static float result(const helia_depthwise_conv_2d_f32_params *p, float acc, float bias)
{
    acc += bias;
    acc = acc < p->min ? p->min : acc;
    return acc > p->max ? p->max : acc;
}

void helia_depthwise_conv_2d_f32_c(const helia_depthwise_conv_2d_f32_params *p, const float *restrict in,
                                   const float *restrict weights, const float *restrict bias, float *restrict out)
{
    const helia_conv_window *w = &p->window;
    const int32_t blocked = p->depth_multiplier == 1 ? w->in_c / BLOCK * BLOCK : 0;
    for (int32_t n = 0; n < w->batches; n++, in += w->in_h * w->in_w * w->in_c) {
        for (int32_t y = 0; y < w->out_h; y++) {
            for (int32_t x = 0; x < w->out_w; x++) {
                helia_conv_taps taps = helia_conv_taps_at(w, y, x);
                int32_t o = 0;
                while (o < blocked) {
                    float acc[BLOCK];
                    accumulate_block(p, &taps, in + o, weights + o, acc);
                    for (int32_t k = 0; k < BLOCK; k++, o++)
                        *out++ = result(p, acc[k], bias ? bias[o] : 0.0f);
                }
                for (int32_t c = blocked; c < w->in_c; c++)
                    for (int32_t m = 0; m < p->depth_multiplier; m++, o++)
                        *out++ = result(p, accumulate(p, &taps, in + c, weights + o), bias ? bias[o] : 0.0f);
            }
        }
    }
}
