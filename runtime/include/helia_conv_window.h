/* The geometry that convolutions share, NHWC. */
#ifndef HELIA_CONV_WINDOW_H
#define HELIA_CONV_WINDOW_H

#include <stdint.h>

typedef struct helia_conv_window {
    int32_t batches, in_h, in_w, in_c;
    int32_t out_h, out_w, out_c;
    int32_t kernel_h, kernel_w;
    int32_t stride_h, stride_w;
    int32_t dilation_h, dilation_w;
    int32_t pad_top, pad_left; /* rows above and columns left of the image in the first window */
} helia_conv_window;

/* The taps of one output that lie in the image: rows y0 to y1 - 1 and columns x0 to x1 - 1 of the kernel; tap (i, k)
 * reads input row y + i * dilation_h, column x + k * dilation_w. May be empty. */
typedef struct helia_conv_taps {
    int32_t y, x;
    int32_t y0, y1, x0, x1;
} helia_conv_taps;

static inline void helia_conv_clip(int32_t in, int32_t at, int32_t kernel, int32_t dilation, int32_t *begin,
                                   int32_t *end)
{
    int32_t behind = at < in ? (in - at + dilation - 1) / dilation : 0;
    *begin = at < 0 ? (dilation - 1 - at) / dilation : 0;
    *end = behind < kernel ? behind : kernel;
}

static inline helia_conv_taps helia_conv_taps_at(const helia_conv_window *w, int32_t out_y, int32_t out_x)
{
    helia_conv_taps t;
    t.y = out_y * w->stride_h - w->pad_top;
    t.x = out_x * w->stride_w - w->pad_left;
    helia_conv_clip(w->in_h, t.y, w->kernel_h, w->dilation_h, &t.y0, &t.y1);
    helia_conv_clip(w->in_w, t.x, w->kernel_w, w->dilation_w, &t.x0, &t.x1);
    return t;
}

#endif
