/* What the calls of CMSIS-NN share. The application brings the library; its header is arm_nnfunctions.h. Its kernels ask for
 * working memory by core, so each size is given for plain C, DSP and MVE builds of the library. */
#ifndef HELIA_CMSIS_NN_H
#define HELIA_CMSIS_NN_H

#include <stddef.h>
#include <stdint.h>

#include "helia_conv_window.h"

enum { HELIA_CMSIS_NN_PLAIN, HELIA_CMSIS_NN_DSP, HELIA_CMSIS_NN_MVE };

/* arm_convolve_wrapper_s8 over windows of kernel_h * kernel_w * filter_c. */
static inline size_t helia_cmsis_nn_conv_scratch(const helia_conv_window *w, int32_t filter_c, int32_t build)
{
    const size_t cols = (size_t)w->kernel_h * (size_t)w->kernel_w * (size_t)filter_c;
    const size_t whole = build == HELIA_CMSIS_NN_MVE ? 64u * ((cols + 15u) / 16u) : 4u * ((cols + 3u) / 4u * 4u);
    const int one_by_one = w->kernel_h == 1 && w->kernel_w == 1 && w->pad_top == 0 && w->pad_left == 0 &&
                           w->dilation_h == 1 && w->dilation_w == 1 && w->in_c == filter_c;
    if (one_by_one) /* armclang builds for DSP use this much, others none */
        return build == HELIA_CMSIS_NN_DSP && w->stride_h == 1 && w->stride_w == 1 ? 4u * (size_t)w->in_c : 0u;
    const int row = w->in_h == 1 && w->kernel_h == 1 && w->dilation_w == 1 && w->stride_w * w->in_c % 4 == 0;
    if (!row || build != HELIA_CMSIS_NN_MVE)
        return whole;
    /* One row on MVE: padded columns at the left, none, and at the right are computed apart. */
    const int32_t odd = ((w->out_w - 1) * w->stride_w + w->kernel_w - w->in_w) % 2 != 0;
    const int32_t pad = w->pad_left, stride = w->stride_w;
    const int32_t right = pad + odd != 0
                              ? ((pad + odd + stride - 1) / stride > 1 ? (pad + odd + stride - 1) / stride : 1)
                              : 0;
    const int32_t left = pad != 0 ? ((pad + stride - 1) / stride > 1 ? (pad + stride - 1) / stride : 1) : 0;
    if (left + right > w->out_w)
        return whole;
    const size_t channels = (size_t)w->in_c, width = (size_t)w->kernel_w;
    const size_t before = (width + (size_t)pad) * channels;
    const size_t behind = (width - 1u + (size_t)(odd ? right : pad)) * channels;
    return before > behind ? before : behind;
}

/* arm_depthwise_conv_wrapper_s8. */
static inline size_t helia_cmsis_nn_depthwise_scratch(const helia_conv_window *w, int32_t build)
{
    const size_t taps = (size_t)w->kernel_h * (size_t)w->kernel_w;
    if (w->in_c != w->out_c || w->batches != 1 || w->dilation_h != 1 || w->dilation_w != 1)
        return 0;
    if (build == HELIA_CMSIS_NN_MVE)
        return 496u * taps;
    const int small = w->kernel_h == 3 && w->kernel_w == 3 && w->pad_top <= 1 && w->pad_left <= 1;
    return build == HELIA_CMSIS_NN_DSP && !small ? 2u * (size_t)w->in_c * taps : 0u;
}

#endif
