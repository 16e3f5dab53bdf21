/* MAX_POOL_2D, float32, portable. */
#include "helia_pool_2d.h"

static inline float helia_maximum(const helia_pool_2d_f32_params *p, const float *in, helia_pool_2d_area area)
{
    const helia_pool_2d_window *w = &p->window;
    float most = p->min;
    for (int32_t y = area.y0; y < area.y1; y++) {
        for (int32_t x = area.x0; x < area.x1; x++) {
            float v = in[(y * w->in_w + x) * w->channels];
            most = most < v ? v : most;
        }
    }
    return most > p->max ? p->max : most;
}

#define HELIA_KERNEL helia_max_pool_2d_f32_c
#define HELIA_PARAMS helia_pool_2d_f32_params
#define HELIA_T float
#define HELIA_REDUCE helia_maximum
#include "helia_pool_2d_body.h"
