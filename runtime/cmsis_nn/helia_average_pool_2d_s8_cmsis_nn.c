/* int8 AVERAGE_POOL_2D by CMSIS-NN: the parameters as the library's. */
#include <arm_nnfunctions.h>

#include "helia_pool_2d_cmsis_nn.h"

int32_t helia_average_pool_2d_s8_cmsis_nn(const helia_pool_2d_params *p, const int8_t *in, int8_t *out, void *scratch)
{
    const helia_pool_2d_window *w = &p->window;
    const cmsis_nn_pool_params params = {
        .stride = {w->stride_w, w->stride_h},
        .padding = {w->pad_left, w->pad_top},
        .activation = {p->min, p->max},
    };
    const cmsis_nn_dims in_dims = {w->batches, w->in_h, w->in_w, w->channels};
    const cmsis_nn_dims filter_dims = {1, w->filter_h, w->filter_w, 1};
    const cmsis_nn_dims out_dims = {w->batches, w->out_h, w->out_w, w->channels};
    const cmsis_nn_context context = {scratch, 0};
    return (int32_t)arm_avgpool_s8(&context, &params, &in_dims, in, &filter_dims, &out_dims, out);
}
