/* int8 CONV_2D for x86-64: products of pixels with panels of channels, whose layout is helia_x86_tile.h's.
 *
 * The inputs plus 128 stand in scratch: the rows that an output row sees, with the border around them, or, where a window
 * is one pixel and windows are neighbours, some pixels at a time. A window is then kernel_h runs of kernel_w * in_c bytes,
 * and needs no copy of its own. */
#ifndef HELIA_CONV_2D_S8_X86_H
#define HELIA_CONV_2D_S8_X86_H

#include <stddef.h>

#include "helia_conv_window.h"

typedef struct helia_conv_2d_s8_x86_params {
    helia_conv_window window; /* dilation_w is 1 */
    int32_t in_zero, out_zero;
    int32_t relu;     /* the activation's lower bound is at or above the output's zero point */
    int32_t min, max; /* the fused activation's range */
} helia_conv_2d_s8_x86_params;

enum { HELIA_CONV_2D_S8_X86_PIXELS = 64, HELIA_CONV_2D_S8_X86_BEHIND = 3 };

/* A run of a window, in four bytes. */
static inline int32_t helia_conv_2d_s8_x86_fours(const helia_conv_window *w)
{
    return (w->kernel_w * w->in_c + 3) / 4;
}

/* The output's pixels see the input's, one each, in order. */
static inline int32_t helia_conv_2d_s8_x86_is_plain(const helia_conv_window *w)
{
    return w->kernel_h == 1 && w->kernel_w == 1 && w->stride_h == 1 && w->stride_w == 1 && w->pad_top == 0 &&
           w->pad_left == 0 && w->out_h == w->in_h && w->out_w == w->in_w;
}

/* Columns that the windows of an output row see, border included. */
static inline int32_t helia_conv_2d_s8_x86_columns(const helia_conv_window *w)
{
    return (w->out_w - 1) * w->stride_w + w->kernel_w;
}

static inline size_t helia_conv_2d_s8_x86_scratch(const void *params)
{
    const helia_conv_window *w = &((const helia_conv_2d_s8_x86_params *)params)->window;
    if (helia_conv_2d_s8_x86_is_plain(w))
        return (size_t)HELIA_CONV_2D_S8_X86_PIXELS * (size_t)w->in_c + HELIA_CONV_2D_S8_X86_BEHIND;
    return (size_t)w->kernel_h * (size_t)helia_conv_2d_s8_x86_columns(w) * (size_t)w->in_c +
           HELIA_CONV_2D_S8_X86_BEHIND;
}

void helia_conv_2d_s8_x86(const helia_conv_2d_s8_x86_params *p, const int8_t *in, const uint32_t *stream, int8_t *out,
                          void *scratch);

#endif
