/* The stand-in's functions, by the project's portable kernels: what is tested is how modules call the library, so the
 * parameters are taken apart again, and the working memory is filled to the size that the library's core class asks for. */
#include "arm_nnfunctions.h"

#include <string.h>

#include "helia_binary.h"
#include "helia_cmsis_nn.h"
#include "helia_conv_2d.h"
#include "helia_depthwise_conv_2d.h"
#include "helia_fully_connected.h"
#include "helia_math.h"
#include "helia_pool_2d.h"
#include "helia_softmax.h"

#ifndef STAND_IN_BUILD
#define STAND_IN_BUILD HELIA_CMSIS_NN_DSP
#endif

static int ruin(const cmsis_nn_context *ctx, size_t size)
{
    if (size && !ctx->buf)
        return 0;
    if (size)
        memset(ctx->buf, 0xa5, size);
    return 1;
}

/* sums of MVE builds: bias + offset * the weights' sum. */
static int sums_are(const int32_t *sums, int32_t channels, const int8_t *weights, int32_t next, int32_t taps,
                    int32_t step, int32_t offset, const int32_t *bias)
{
    if (STAND_IN_BUILD != HELIA_CMSIS_NN_MVE)
        return 1;
    for (int32_t i = 0; i < channels; i++) {
        int32_t sum = bias ? bias[i] : 0;
        for (int32_t k = 0; k < taps; k++)
            sum += offset * weights[i * next + k * step];
        if (!sums || sums[i] != sum)
            return 0;
    }
    return 1;
}

static helia_conv_window window_of(const cmsis_nn_dims *in, const cmsis_nn_dims *filter, const cmsis_nn_dims *out,
                                   cmsis_nn_tile stride, cmsis_nn_tile padding, cmsis_nn_tile dilation)
{
    const helia_conv_window w = {
        .batches = in->n,
        .in_h = in->h,
        .in_w = in->w,
        .in_c = in->c,
        .out_h = out->h,
        .out_w = out->w,
        .out_c = out->c,
        .kernel_h = filter->h,
        .kernel_w = filter->w,
        .stride_h = stride.h,
        .stride_w = stride.w,
        .dilation_h = dilation.h,
        .dilation_w = dilation.w,
        .pad_top = padding.h,
        .pad_left = padding.w,
    };
    return w;
}

arm_cmsis_nn_status arm_convolve_wrapper_s8(const cmsis_nn_context *ctx, WEIGHT_SUMS const cmsis_nn_conv_params *params,
                                            const cmsis_nn_per_channel_quant_params *quant,
                                            const cmsis_nn_dims *in_dims, const int8_t *in,
                                            const cmsis_nn_dims *filter_dims, const int8_t *weights,
                                            const cmsis_nn_dims *bias_dims, const int32_t *bias,
                                            const cmsis_nn_dims *out_dims, int8_t *out)
{
    const helia_conv_2d_s8_params p = {
        .window = window_of(in_dims, filter_dims, out_dims, params->stride, params->padding, params->dilation),
        .filter_c = filter_dims->c,
        .group_out = out_dims->c / (in_dims->c / filter_dims->c),
        .in_zero = -params->input_offset,
        .out_zero = params->output_offset,
        .min = params->activation.min,
        .max = params->activation.max,
    };
    const int32_t taps = filter_dims->h * filter_dims->w * filter_dims->c;
    if (!ruin(ctx, helia_cmsis_nn_conv_scratch(&p.window, p.filter_c, STAND_IN_BUILD)) || bias_dims->c != out_dims->c ||
        filter_dims->n != out_dims->c || in_dims->n != out_dims->n)
        return ARM_CMSIS_NN_ARG_ERROR;
#ifdef NS_CMSIS_NN
    if (!sums_are(weight_sum_ctx->buf, out_dims->c, weights, taps, taps, 1, params->input_offset, bias))
        return ARM_CMSIS_NN_ARG_ERROR;
#else
    (void)taps;
#endif
    helia_conv_2d_s8_c(&p, in, weights, bias, quant->multiplier, quant->shift, out);
    return ARM_CMSIS_NN_SUCCESS;
}

arm_cmsis_nn_status arm_depthwise_conv_wrapper_s8(const cmsis_nn_context *ctx,
                                                  WEIGHT_SUMS const cmsis_nn_dw_conv_params *params,
                                                  const cmsis_nn_per_channel_quant_params *quant,
                                                  const cmsis_nn_dims *in_dims, const int8_t *in,
                                                  const cmsis_nn_dims *filter_dims, const int8_t *weights,
                                                  const cmsis_nn_dims *bias_dims, const int32_t *bias,
                                                  const cmsis_nn_dims *out_dims, int8_t *out)
{
    const helia_depthwise_conv_2d_s8_params p = {
        .window = window_of(in_dims, filter_dims, out_dims, params->stride, params->padding, params->dilation),
        .depth_multiplier = params->ch_mult,
        .in_zero = -params->input_offset,
        .out_zero = params->output_offset,
        .min = params->activation.min,
        .max = params->activation.max,
    };
    if (!ruin(ctx, helia_cmsis_nn_depthwise_scratch(&p.window, STAND_IN_BUILD)) || filter_dims->n != 1 ||
        filter_dims->c != out_dims->c || bias_dims->c != out_dims->c || in_dims->c * params->ch_mult != out_dims->c)
        return ARM_CMSIS_NN_ARG_ERROR;
#ifdef NS_CMSIS_NN
    if (!sums_are(weight_sum_ctx->buf, out_dims->c, weights, 1, filter_dims->h * filter_dims->w, out_dims->c,
                  params->input_offset, bias))
        return ARM_CMSIS_NN_ARG_ERROR;
#endif
    helia_depthwise_conv_2d_s8_c(&p, in, weights, bias, quant->multiplier, quant->shift, out);
    return ARM_CMSIS_NN_SUCCESS;
}

arm_cmsis_nn_status arm_fully_connected_wrapper_s8(const cmsis_nn_context *ctx, const cmsis_nn_fc_params *params,
                                                   const cmsis_nn_quant_params *quant, const cmsis_nn_dims *in_dims,
                                                   const int8_t *in, const cmsis_nn_dims *filter_dims,
                                                   const int8_t *weights, const cmsis_nn_dims *bias_dims,
                                                   const int32_t *bias, const cmsis_nn_dims *out_dims, int8_t *out)
{
    const helia_fully_connected_s8_params p = {
        .rows = in_dims->n,
        .depth = filter_dims->n,
        .units = filter_dims->c,
        .in_zero = -params->input_offset,
        .weights_zero = -params->filter_offset,
        .out_zero = params->output_offset,
        .multiplier = quant->multiplier[0],
        .shift = quant->shift[0],
        .min = params->activation.min,
        .max = params->activation.max,
    };
    if (in_dims->h * in_dims->w * in_dims->c != p.depth || out_dims->n != p.rows || out_dims->c != p.units ||
        bias_dims->c != p.units ||
        !sums_are(ctx->buf, p.units, weights, p.depth, p.depth, 1, params->input_offset, bias))
        return ARM_CMSIS_NN_ARG_ERROR;
    if (quant->is_per_channel)
        helia_fully_connected_per_channel_s8_c(&p, in, weights, bias, quant->multiplier, quant->shift, out);
    else
        helia_fully_connected_s8_c(&p, in, weights, bias, out);
    return ARM_CMSIS_NN_SUCCESS;
}

static helia_pool_2d_params pool_of(const cmsis_nn_pool_params *params, const cmsis_nn_dims *in,
                                    const cmsis_nn_dims *filter, const cmsis_nn_dims *out)
{
    const helia_pool_2d_params p = {
        .window = {.batches = in->n,
                   .in_h = in->h,
                   .in_w = in->w,
                   .channels = in->c,
                   .out_h = out->h,
                   .out_w = out->w,
                   .filter_h = filter->h,
                   .filter_w = filter->w,
                   .stride_h = params->stride.h,
                   .stride_w = params->stride.w,
                   .pad_top = params->padding.h,
                   .pad_left = params->padding.w},
        .min = params->activation.min,
        .max = params->activation.max,
    };
    return p;
}

arm_cmsis_nn_status arm_avgpool_s8(const cmsis_nn_context *ctx, const cmsis_nn_pool_params *params,
                                   const cmsis_nn_dims *in_dims, const int8_t *in, const cmsis_nn_dims *filter_dims,
                                   const cmsis_nn_dims *out_dims, int8_t *out)
{
    const helia_pool_2d_params p = pool_of(params, in_dims, filter_dims, out_dims);
    if (!ruin(ctx, STAND_IN_BUILD == HELIA_CMSIS_NN_DSP ? 4u * (size_t)in_dims->c : 0))
        return ARM_CMSIS_NN_ARG_ERROR;
    helia_average_pool_2d_s8_c(&p, in, out);
    return ARM_CMSIS_NN_SUCCESS;
}

arm_cmsis_nn_status arm_max_pool_s8(const cmsis_nn_context *ctx, const cmsis_nn_pool_params *params,
                                    const cmsis_nn_dims *in_dims, const int8_t *in, const cmsis_nn_dims *filter_dims,
                                    const cmsis_nn_dims *out_dims, int8_t *out)
{
    const helia_pool_2d_params p = pool_of(params, in_dims, filter_dims, out_dims);
    (void)ctx;
    helia_max_pool_2d_s8_c(&p, in, out);
    return ARM_CMSIS_NN_SUCCESS;
}

static helia_broadcast flat(int32_t count)
{
    const helia_broadcast shape = {.rank = 1, .dim = {count}, .stride_a = {1}, .stride_b = {1}};
    return shape;
}

arm_cmsis_nn_status arm_elementwise_add_s8(const int8_t *a, const int8_t *b, int32_t a_offset, int32_t a_mult,
                                           int32_t a_shift, int32_t b_offset, int32_t b_mult, int32_t b_shift,
                                           int32_t left_shift, int8_t *out, int32_t out_offset, int32_t out_mult,
                                           int32_t out_shift, int32_t min, int32_t max, int32_t count)
{
    const helia_add_params p = {flat(count), -a_offset, -b_offset, out_offset, left_shift, a_mult, a_shift,
                                b_mult,      b_shift,   out_mult,  out_shift,  min,        max};
    helia_add_s8_c(&p, a, b, out);
    return ARM_CMSIS_NN_SUCCESS;
}

arm_cmsis_nn_status arm_elementwise_mul_s8(const int8_t *a, const int8_t *b, int32_t a_offset, int32_t b_offset,
                                           int8_t *out, int32_t out_offset, int32_t out_mult, int32_t out_shift,
                                           int32_t min, int32_t max, int32_t count)
{
    const helia_mul_params p = {flat(count), -a_offset, -b_offset, out_offset, out_mult, out_shift, min, max};
    helia_mul_s8_c(&p, a, b, out);
    return ARM_CMSIS_NN_SUCCESS;
}

void arm_softmax_s8(const int8_t *in, int32_t rows, int32_t row_size, int32_t mult, int32_t shift, int32_t diff_min,
                    int8_t *out)
{
    const helia_softmax_s8_params p = {rows, row_size, mult, shift, diff_min};
    helia_softmax_s8_c(&p, in, out);
}
