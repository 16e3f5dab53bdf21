/* What the int8 pooling kernels for DSP cores share: the walk over the outputs, inline so that constants reach it. */
#ifndef HELIA_POOL_2D_DSP_H
#define HELIA_POOL_2D_DSP_H

#include "helia_dsp.h"
#include "helia_pool_2d.h"

/* The part of a window that lies in the image: its size is constant where no window reaches out of it. */
HELIA_INLINE helia_pool_2d_area helia_pool_2d_place(const helia_pool_2d_window *w, int32_t out_y, int32_t out_x)
{
    if (helia_pool_2d_has_border(w))
        return helia_pool_2d_clip(w, out_y, out_x);
    const int32_t y = out_y * w->stride_h, x = out_x * w->stride_w;
    const helia_pool_2d_area area = {y, y + w->filter_h, x, x + w->filter_w};
    return area;
}

#endif
