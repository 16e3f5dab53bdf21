/* int8 CONV_2D for cores with the DSP extension, without conditions on weights, sums, scales and the number of pixels: each
 * window, in the input itself or copied to scratch, is a row for helia_fully_connected_s8_plain_dsp, whose stream this is,
 * with a scale for each channel. */
#ifndef HELIA_CONV_2D_S8_PLAIN_DSP_H
#define HELIA_CONV_2D_S8_PLAIN_DSP_H

#include <stddef.h>

#include "helia_conv_window.h"

typedef struct helia_conv_2d_s8_plain_dsp_params {
    helia_conv_window window;
    int32_t in_zero, out_zero;
    int32_t min, max; /* the fused activation's range */
} helia_conv_2d_s8_plain_dsp_params;

/* Whether windows are pixels of the input. */
static inline int32_t helia_conv_2d_s8_plain_dsp_in_place(const helia_conv_window *w)
{
    return w->kernel_h == 1 && w->kernel_w == 1 && w->pad_top == 0 && w->pad_left == 0 &&
           (w->out_h - 1) * w->stride_h < w->in_h && (w->out_w - 1) * w->stride_w < w->in_w;
}

/* A window. */
static inline size_t helia_conv_2d_s8_plain_dsp_scratch(const void *params)
{
    const helia_conv_window *w = &((const helia_conv_2d_s8_plain_dsp_params *)params)->window;
    return helia_conv_2d_s8_plain_dsp_in_place(w) ? 0 : (size_t)(w->kernel_h * w->kernel_w * w->in_c);
}

void helia_conv_2d_s8_plain_dsp(const helia_conv_2d_s8_plain_dsp_params *p, const int8_t *in, const uint32_t *stream,
                                int8_t *out, void *scratch);

#endif
