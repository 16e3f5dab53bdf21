/* int8 AVERAGE_POOL_2D for cores with MVE. */
#include "helia_mve.h"
#include "helia_pool_2d_s8_mve.h"

/* Division by n of values below 2^15: times ceil(2^(15 + bits) / n), 2^bits >= n, then without 15 + bits bits. The
 * factor is too large by less than n <= 2^bits in 2^(15 + bits), so the product by less than one part in the value. */
typedef struct Divisor {
    int32_t n, bits;
    uint16_t factor;
} Divisor;

static Divisor divisor(int32_t n)
{
    const int32_t bits = 32 - helia_clz((uint32_t)n - 1u);
    return (Divisor){n, bits, (uint16_t)(((UINT32_C(1) << (15 + bits)) + (uint32_t)n - 1u) / (uint32_t)n)};
}

#if defined(__ARM_FEATURE_MVE)
/* Rounded to nearest, halves away from zero. */
static inline int16x8_t mean(int16x8_t sum, const Divisor *d)
{
    if (d->n == 1)
        return sum;
    uint16x8_t size = vreinterpretq_u16_s16(vaddq_n_s16(vabsq_s16(sum), (int16_t)(d->n / 2)));
    size = vshlq_r_u16(vmulhq_u16(size, vdupq_n_u16(d->factor)), 1 - d->bits);
    int16x8_t result = vreinterpretq_s16_u16(size);
    return vnegq_m_s16(result, result, vcmpltq_n_s16(sum, 0));
}

static void average(const helia_pool_2d_params *p, const int8_t *in, helia_pool_2d_area area, const Divisor *d,
                    int8_t *out)
{
    const helia_pool_2d_window *w = &p->window;
    for (int32_t c = 0; c < w->channels; c += 8) {
        const mve_pred16_t some = vctp16q((uint32_t)(w->channels - c));
        int16x8_t sum = vdupq_n_s16(0);
        for (int32_t y = area.y0; y < area.y1; y++) {
            const int8_t *x = in + (y * w->in_w + area.x0) * w->channels + c;
            if (w->channels - c >= 8) {
                for (int32_t i = area.x1 - area.x0; i > 0; i--, x += w->channels)
                    sum = vaddq_s16(sum, vldrbq_s16(x));
            } else {
                for (int32_t i = area.x1 - area.x0; i > 0; i--, x += w->channels)
                    sum = vaddq_s16(sum, vldrbq_z_s16(x, some));
            }
        }
        int16x8_t result = vmaxq_s16(mean(sum, d), vdupq_n_s16((int16_t)p->min));
        vstrbq_p_s16(out + c, vminq_s16(result, vdupq_n_s16((int16_t)p->max)), some);
    }
}
#else
static void average(const helia_pool_2d_params *p, const int8_t *in, helia_pool_2d_area area, const Divisor *d,
                    int8_t *out)
{
    const helia_pool_2d_window *w = &p->window;
    for (int32_t c = 0; c < w->channels; c++) {
        int32_t sum = 0;
        for (int32_t y = area.y0; y < area.y1; y++)
            for (int32_t x = area.x0; x < area.x1; x++)
                sum += in[(y * w->in_w + x) * w->channels + c];
        uint32_t size = (uint32_t)((sum < 0 ? -sum : sum) + d->n / 2);
        int32_t result = (int32_t)((size * d->factor) >> (15 + d->bits));
        out[c] = (int8_t)helia_clamp(sum < 0 ? -result : result, p->min, p->max);
    }
}
#endif

void helia_average_pool_2d_s8_mve(const helia_pool_2d_params *p, const int8_t *restrict in, int8_t *restrict out)
{
    const helia_pool_2d_window *w = &p->window;
    for (int32_t b = 0; b < w->batches; b++, in += w->in_h * w->in_w * w->channels) {
        for (int32_t y = 0; y < w->out_h; y++) {
            for (int32_t x = 0; x < w->out_w; x++, out += w->channels) {
                const helia_pool_2d_area area = helia_pool_2d_clip(w, y, x);
                const Divisor d = divisor((area.y1 - area.y0) * (area.x1 - area.x0));
                average(p, in, area, &d, out);
            }
        }
    }
}
