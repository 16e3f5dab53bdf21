/* AVERAGE_POOL_2D, float32, portable: sums row by row, then divides. */
#include "helia_pool_2d.h"

static inline float helia_average(const helia_pool_2d_f32_params *p, const float *in, helia_pool_2d_area area)
{
    const helia_pool_2d_window *w = &p->window;
    float sum = 0.0f;
    for (int32_t y = area.y0; y < area.y1; y++)
        for (int32_t x = area.x0; x < area.x1; x++)
            sum += in[(y * w->in_w + x) * w->channels];
    float mean = sum / (float)((area.y1 - area.y0) * (area.x1 - area.x0));
    mean = mean < p->min ? p->min : mean;
    return mean > p->max ? p->max : mean;
}

#define HELIA_KERNEL helia_average_pool_2d_f32_c
#define HELIA_PARAMS helia_pool_2d_f32_params
#define HELIA_T float
#define HELIA_REDUCE helia_average
#include "helia_pool_2d_body.h"
