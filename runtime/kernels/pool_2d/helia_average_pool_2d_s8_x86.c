/* int8 AVERAGE_POOL_2D for x86-64. */
#include "helia_pool_2d_s8_x86.h"
#include "helia_x86.h"

/* `lanes` neighbouring channels, at most 16; in has 16 readable bytes where they are 16. */
HELIA_INLINE void average(const helia_pool_2d_params *p, const int8_t *in, helia_pool_2d_area area, int32_t lanes,
                          int8_t *out)
{
    const helia_pool_2d_window *w = &p->window;
    const int32_t n = (area.y1 - area.y0) * (area.x1 - area.x0);
    helia_x86_sums sums = helia_x86_zero();
    int32_t sum[HELIA_X86_LANES], mean[HELIA_X86_LANES];
    for (int32_t y = area.y0; y < area.y1; y++) {
        const int8_t *x = in + (y * w->in_w + area.x0) * w->channels;
        for (int32_t i = area.x0; i < area.x1; i++, x += w->channels)
            helia_x86_add(&sums, x, lanes);
    }
    memcpy(sum, &sums, sizeof(sum));
    for (int32_t i = 0; i < HELIA_X86_LANES; i++) {
        const int32_t size = (int32_t)((float)((sum[i] < 0 ? -sum[i] : sum[i]) + n / 2) / (float)n);
        mean[i] = helia_clamp(sum[i] < 0 ? -size : size, p->min, p->max);
    }
    for (int32_t i = 0; i < lanes; i++)
        out[i] = (int8_t)mean[i];
}

void helia_average_pool_2d_s8_x86(const helia_pool_2d_params *p, const int8_t *restrict in, int8_t *restrict out)
{
    const helia_pool_2d_window *w = &p->window;
    for (int32_t b = 0; b < w->batches; b++, in += w->in_h * w->in_w * w->channels) {
        for (int32_t y = 0; y < w->out_h; y++) {
            for (int32_t x = 0; x < w->out_w; x++, out += w->channels) {
                const helia_pool_2d_area area = helia_pool_2d_clip(w, y, x);
                int32_t c = 0;
                for (; c + HELIA_X86_LANES <= w->channels; c += HELIA_X86_LANES)
                    average(p, in + c, area, HELIA_X86_LANES, out + c);
                if (c < w->channels)
                    average(p, in + c, area, w->channels - c, out + c);
            }
        }
    }
}
