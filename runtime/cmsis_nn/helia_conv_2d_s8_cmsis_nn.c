/* int8 CONV_2D by CMSIS-NN: the parameters as the library's. */
#include <arm_nnfunctions.h>

#include "helia_conv_2d_cmsis_nn.h"

int32_t helia_conv_2d_s8_cmsis_nn(const helia_conv_2d_s8_params *p, const int8_t *in, const int8_t *weights,
                                  const int32_t *bias, const int32_t *multiplier, const int32_t *shift, int8_t *out,
                                  void *scratch)
{
    const helia_conv_window *w = &p->window;
    const cmsis_nn_conv_params params = {
        .input_offset = -p->in_zero,
        .output_offset = p->out_zero,
        .stride = {w->stride_w, w->stride_h},
        .padding = {w->pad_left, w->pad_top},
        .dilation = {w->dilation_w, w->dilation_h},
        .activation = {p->min, p->max},
    };
    const cmsis_nn_per_channel_quant_params quant = {(int32_t *)(uintptr_t)multiplier, (int32_t *)(uintptr_t)shift};
    const cmsis_nn_dims in_dims = {w->batches, w->in_h, w->in_w, w->in_c};
    const cmsis_nn_dims weight_dims = {w->out_c, w->kernel_h, w->kernel_w, p->filter_c};
    const cmsis_nn_dims bias_dims = {1, 1, 1, w->out_c};
    const cmsis_nn_dims out_dims = {w->batches, w->out_h, w->out_w, w->out_c};
    const cmsis_nn_context context = {scratch, 0}; /* the size is for the library's own use */
    return (int32_t)arm_convolve_wrapper_s8(&context, &params, &quant, &in_dims, in, &weight_dims, weights, &bias_dims,
                                            bias, &out_dims, out);
}
