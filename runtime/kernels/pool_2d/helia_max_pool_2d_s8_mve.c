/* int8 MAX_POOL_2D for cores with MVE. */
#include "helia_mve.h"
#include "helia_pool_2d_s8_mve.h"

#if defined(__ARM_FEATURE_MVE)
static void largest(const helia_pool_2d_params *p, const int8_t *in, helia_pool_2d_area area, int8_t *out)
{
    const helia_pool_2d_window *w = &p->window;
    for (int32_t c = 0; c < w->channels; c += 16) {
        const mve_pred16_t some = vctp8q((uint32_t)(w->channels - c));
        int8x16_t result = vdupq_n_s8((int8_t)p->min); /* the largest is at least this */
        for (int32_t y = area.y0; y < area.y1; y++) {
            const int8_t *x = in + (y * w->in_w + area.x0) * w->channels + c;
            for (int32_t i = area.x1 - area.x0; i > 0; i--, x += w->channels)
                result = vmaxq_s8(result, vldrbq_z_s8(x, some));
        }
        vstrbq_p_s8(out + c, vminq_s8(result, vdupq_n_s8((int8_t)p->max)), some);
    }
}
#else
static void largest(const helia_pool_2d_params *p, const int8_t *in, helia_pool_2d_area area, int8_t *out)
{
    const helia_pool_2d_window *w = &p->window;
    for (int32_t c = 0; c < w->channels; c++) {
        int32_t result = p->min;
        for (int32_t y = area.y0; y < area.y1; y++)
            for (int32_t x = area.x0; x < area.x1; x++)
                result = helia_max(result, in[(y * w->in_w + x) * w->channels + c]);
        out[c] = (int8_t)helia_min(result, p->max);
    }
}
#endif

void helia_max_pool_2d_s8_mve(const helia_pool_2d_params *p, const int8_t *restrict in, int8_t *restrict out)
{
    const helia_pool_2d_window *w = &p->window;
    for (int32_t b = 0; b < w->batches; b++, in += w->in_h * w->in_w * w->channels)
        for (int32_t y = 0; y < w->out_h; y++)
            for (int32_t x = 0; x < w->out_w; x++, out += w->channels)
                largest(p, in, helia_pool_2d_clip(w, y, x), out);
}
