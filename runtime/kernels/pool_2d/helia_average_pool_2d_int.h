/* Body of the quantised AVERAGE_POOL_2D for one element type: the mean of the window rounded to nearest, halves away
 * from zero. The file that includes it defines HELIA_KERNEL, the function's name, and HELIA_T, the type. */
#include "helia_math.h"
#include "helia_pool_2d.h"

static inline HELIA_T helia_average(const helia_pool_2d_params *p, const HELIA_T *in, helia_pool_2d_area area)
{
    const helia_pool_2d_window *w = &p->window;
    const int32_t n = (area.y1 - area.y0) * (area.x1 - area.x0);
    int32_t sum = 0;
    for (int32_t y = area.y0; y < area.y1; y++)
        for (int32_t x = area.x0; x < area.x1; x++)
            sum = helia_wrap_add(sum, in[(y * w->in_w + x) * w->channels]);
    sum = sum > 0 ? helia_wrap_add(sum, n / 2) : helia_wrap_sub(sum, n / 2);
    return (HELIA_T)helia_clamp(sum / n, p->min, p->max);
}

#define HELIA_PARAMS helia_pool_2d_params
#define HELIA_REDUCE helia_average
#include "helia_pool_2d_body.h"
