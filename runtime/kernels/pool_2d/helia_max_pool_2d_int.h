/* Body of the quantised MAX_POOL_2D for one element type. The file that includes it defines HELIA_KERNEL, the
 * function's name, and HELIA_T, the type. */
#include "helia_math.h"
#include "helia_pool_2d.h"

static inline HELIA_T helia_maximum(const helia_pool_2d_params *p, const HELIA_T *in, helia_pool_2d_area area)
{
    const helia_pool_2d_window *w = &p->window;
    int32_t most = p->min;
    for (int32_t y = area.y0; y < area.y1; y++)
        for (int32_t x = area.x0; x < area.x1; x++)
            most = helia_max(most, in[(y * w->in_w + x) * w->channels]);
    return (HELIA_T)helia_min(most, p->max);
}

#define HELIA_PARAMS helia_pool_2d_params
#define HELIA_REDUCE helia_maximum
#include "helia_pool_2d_body.h"
