/* The call that both forms of FULLY_CONNECTED come to. */
#ifndef HELIA_FULLY_CONNECTED_CALL_CMSIS_NN_H
#define HELIA_FULLY_CONNECTED_CALL_CMSIS_NN_H

#include <arm_nnfunctions.h>

#include "helia_fully_connected.h"

static inline int32_t helia_fully_connected_call_cmsis_nn(const helia_fully_connected_s8_params *p, const int8_t *in,
                                                          const int8_t *weights, const int32_t *bias,
                                                          const cmsis_nn_quant_params *quant, const int32_t *sums,
                                                          int8_t *out)
{
    const cmsis_nn_fc_params params = {
        .input_offset = -p->in_zero,
        .filter_offset = -p->weights_zero,
        .output_offset = p->out_zero,
        .activation = {p->min, p->max},
    };
    const cmsis_nn_dims in_dims = {p->rows, 1, 1, p->depth};
    const cmsis_nn_dims weight_dims = {p->depth, 1, 1, p->units}; /* n is the depth of the sums */
    const cmsis_nn_dims bias_dims = {1, 1, 1, p->units};
    const cmsis_nn_dims out_dims = {p->rows, 1, 1, p->units};
    const cmsis_nn_context context = {(void *)(uintptr_t)sums, 0};
    return (int32_t)arm_fully_connected_wrapper_s8(&context, &params, quant, &in_dims, in, &weight_dims, weights,
                                                   &bias_dims, bias, &out_dims, out);
}

#endif
