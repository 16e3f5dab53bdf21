/* int8 DEPTHWISE_CONV_2D with multiplier 1 for x86-64: 16 lanes at a time, each with four rows of the kernel in one product
 * of four bytes.
 *
 * Scratch holds, for each four rows of the kernel ("quad"), the image's rows under an output row plus 128, interleaved: four
 * bytes for each column and channel, the border included; rows that the kernel has not are the last one again, under weights
 * of 0. Behind them a row of the input's zero point.
 *
 * Lanes are 16 channels of a pixel. With stride_w 1 and 1, 2, 4 or 8 channels they are those of several pixels.
 *
 * Stream, 32-bit words for each 16 channels:
 *   16 words for each quad and kernel column, [quad][column][lane], a word being the weights of the quad's rows
 *   the record of helia_x86.h */
#ifndef HELIA_DEPTHWISE_CONV_2D_S8_X86_H
#define HELIA_DEPTHWISE_CONV_2D_S8_X86_H

#include <stddef.h>

#include "helia_conv_window.h"

typedef struct helia_depthwise_conv_2d_s8_x86_params {
    helia_conv_window window; /* in_c is out_c */
    int32_t in_zero, out_zero;
    int32_t relu;     /* the activation's lower bound is at or above the output's zero point */
    int32_t min, max; /* the fused activation's range */
} helia_depthwise_conv_2d_s8_x86_params;

static inline int32_t helia_depthwise_x86_quads(const helia_conv_window *w)
{
    return (w->kernel_h + 3) / 4;
}

/* Pixels whose channels share the lanes. */
static inline int32_t helia_depthwise_x86_pixels(const helia_conv_window *w)
{
    return w->stride_w == 1 && w->in_c < 16 && 16 % w->in_c == 0 ? 16 / w->in_c : 1;
}

/* Columns that the windows of an output row see, border included. */
static inline int32_t helia_depthwise_x86_columns(const helia_conv_window *w)
{
    return (w->out_w - 1) * w->stride_w + (w->kernel_w - 1) * w->dilation_w + 1;
}

/* Bytes of a quad's rows, with room behind them for the lanes of the last pixel. */
static inline int32_t helia_depthwise_x86_line(const helia_conv_window *w)
{
    return 4 * (helia_depthwise_x86_columns(w) * w->in_c + 16);
}

static inline size_t helia_depthwise_conv_2d_s8_x86_scratch(const void *params)
{
    const helia_conv_window *w = &((const helia_depthwise_conv_2d_s8_x86_params *)params)->window;
    return (size_t)helia_depthwise_x86_quads(w) * (size_t)helia_depthwise_x86_line(w) + (size_t)(w->in_w * w->in_c);
}

void helia_depthwise_conv_2d_s8_x86(const helia_depthwise_conv_2d_s8_x86_params *p, const int8_t *in,
                                    const uint32_t *stream, int8_t *out, void *scratch);

#endif
