/* Body of the int16 CONV_2D by scalar products, two output channels at a time: a product for each row of a window where its
 * elements are neighbours, else for each tap. The file that includes it defines HELIA_KERNEL, the function's name, and
 * HELIA_SUM_WIDE. */
#include <stddef.h>

#include "helia_conv_2d.h"
#include "helia_dot_s16.h"
#include "helia_sum_s16.h"

/* `in` is the channel group's first channel of the image; a and b are two channels' weights. */
static HELIA_APART void accumulate(const helia_conv_2d_s16_params *p, const helia_conv_taps *t, const int16_t *in,
                                   const int8_t *a, const int8_t *b, int64_t sum[2])
{
    const helia_conv_window *w = &p->window;
    const int32_t neighbours = p->filter_c == w->in_c && w->dilation_w == 1, cols = t->x1 - t->x0;
    const int32_t dots = neighbours ? cols > 0 : cols, n = neighbours ? cols * p->filter_c : p->filter_c;
    for (int32_t i = t->y0; i < t->y1; i++) {
        const int16_t *x = in + ((t->y + i * w->dilation_h) * w->in_w + t->x + t->x0 * w->dilation_w) * w->in_c;
        int32_t at = (i * w->kernel_w + t->x0) * p->filter_c;
        for (int32_t k = 0; k < dots; k++, x += w->dilation_w * w->in_c, at += p->filter_c)
            helia_dot2_s16(x, a + at, b + at, n, sum);
    }
}

void HELIA_KERNEL(const helia_conv_2d_s16_params *p, const int16_t *restrict in, const int8_t *restrict weights,
                  const HELIA_SUM *restrict bias, const int32_t *restrict multiplier, const int32_t *restrict shift,
                  int16_t *restrict out)
{
    const helia_conv_window *w = &p->window;
    const int32_t filter = w->kernel_h * w->kernel_w * p->filter_c;
    for (int32_t n = 0; n < w->batches; n++, in += w->in_h * w->in_w * w->in_c) {
        for (int32_t y = 0; y < w->out_h; y++) {
            for (int32_t x = 0; x < w->out_w; x++, out += w->out_c) {
                const helia_conv_taps taps = helia_conv_taps_at(w, y, x);
                const int16_t *group_in = in;
                for (int32_t c = 0; c < w->out_c; group_in += p->filter_c) {
                    for (const int32_t end = c + p->group_out; c < end;) {
                        const int8_t *a = weights + c * filter;
                        int64_t sum[2] = {0, 0};
                        accumulate(p, &taps, group_in, a, c + 1 < end ? a + filter : a, sum);
                        for (int32_t k = 0; k < 2 && c < end; k++, c++)
                            out[c] = (int16_t)helia_clamp(
                                HELIA_SUM_SCALE(HELIA_SUM_ADD(HELIA_SUM_OF(sum[k]), bias ? bias[c] : 0), multiplier[c],
                                                shift[c]),
                                p->min, p->max);
                    }
                }
            }
        }
    }
}
