/* Body of the int16 DEPTHWISE_CONV_2D without multiplier for cores with the DSP extension or MVE, eight channels at a time.
 * Products are below 2^23, so the sum of at most HELIA_DEPTHWISE_S16_TAPS of them has 32 bits. The file that includes it
 * defines HELIA_KERNEL, the function's name, and HELIA_SUM_WIDE. */
#include <stddef.h>

#include "helia_depthwise_conv_2d_s16_simd.h"
#include "helia_dot_s16.h"
#include "helia_sum_s16.h"

enum { CHANNELS = 8 };

/* Of n channels, at most CHANNELS; x and weights: of the first tap in the image. */
static HELIA_APART void accumulate(const helia_conv_window *w, const helia_conv_taps *t, const int16_t *x,
                                   const int8_t *weights, int32_t n, int32_t sums[CHANNELS])
{
    const int32_t row_step = w->dilation_h * w->in_w * w->in_c, col_step = w->dilation_w * w->in_c;
    int32_t first = 0;
#if defined(__ARM_FEATURE_MVE)
    const mve_pred16_t some = vctp16q((uint32_t)n);
    int32x4x2_t acc = {{vdupq_n_s32(0), vdupq_n_s32(0)}};
    for (int32_t i = t->y0; i < t->y1; i++, x += row_step, weights += w->kernel_w * w->out_c) {
        const int16_t *at = x;
        const int8_t *f = weights;
        for (int32_t k = t->x0; k < t->x1; k++, at += col_step, f += w->out_c) {
            const int16x8_t v = vldrhq_z_s16(at, some), u = vldrbq_z_s16(f, some);
            acc.val[0] = vaddq_s32(acc.val[0], vmullbq_int_s16(v, u));
            acc.val[1] = vaddq_s32(acc.val[1], vmulltq_int_s16(v, u));
        }
    }
    vst2q_s32(sums, acc);
    first = n;
#else
    for (; first <= n - 4; first += 4) {
        int32_t a = 0, b = 0, c = 0, d = 0;
        for (int32_t i = 0; i < t->y1 - t->y0; i++) {
            const int16_t *at = x + i * row_step + first;
            const int8_t *f = weights + i * w->kernel_w * w->out_c + first;
            for (int32_t k = t->x0; k < t->x1; k++, at += col_step, f += w->out_c) {
                const uint32_t low = helia_load2_s16(at), high = helia_load2_s16(at + 2), v = helia_load4(f);
                const uint32_t even = helia_sxtb16(v), odd = helia_sxtb16_high(v);
                a = helia_smlabb(low, even, a);
                b = helia_smlabb(low >> 16, odd, b);
                c = helia_smlabt(high, even, c);
                d = helia_smlatt(high, odd, d);
            }
        }
        sums[first] = a, sums[first + 1] = b, sums[first + 2] = c, sums[first + 3] = d;
    }
#endif
    for (; first < n; first++) {
        int32_t a = 0;
        for (int32_t i = 0; i < t->y1 - t->y0; i++)
            for (int32_t k = 0; k < t->x1 - t->x0; k++)
                a += x[i * row_step + k * col_step + first] * weights[(i * w->kernel_w + k) * w->out_c + first];
        sums[first] = a;
    }
}

void HELIA_KERNEL(const helia_depthwise_conv_2d_s16_params *p, const int16_t *restrict in,
                  const int8_t *restrict weights, const HELIA_SUM *restrict bias, const int32_t *restrict multiplier,
                  const int32_t *restrict shift, int16_t *restrict out)
{
    const helia_conv_window *w = &p->window;
    for (int32_t n = 0; n < w->batches; n++, in += w->in_h * w->in_w * w->in_c) {
        for (int32_t y = 0; y < w->out_h; y++) {
            for (int32_t x = 0; x < w->out_w; x++, out += w->out_c) {
                const helia_conv_taps t = helia_conv_taps_at(w, y, x);
                const int32_t row = t.y + t.y0 * w->dilation_h, col = t.x + t.x0 * w->dilation_w;
                const int16_t *at = in + (row * w->in_w + col) * w->in_c;
                const int8_t *f = weights + (t.y0 * w->kernel_w + t.x0) * w->out_c;
                for (int32_t o = 0; o < w->out_c; at += CHANNELS, f += CHANNELS) {
                    int32_t sums[CHANNELS];
                    const int32_t count = helia_min(CHANNELS, w->out_c - o);
                    accumulate(w, &t, at, f, count, sums);
                    for (int32_t i = 0; i < count; i++, o++) {
                        const HELIA_SUM acc = HELIA_SUM_ADD((HELIA_SUM)sums[i], bias ? bias[o] : 0);
                        out[o] = (int16_t)helia_clamp(HELIA_SUM_SCALE(acc, multiplier[o], shift[o]), p->min, p->max);
                    }
                }
            }
        }
    }
}
