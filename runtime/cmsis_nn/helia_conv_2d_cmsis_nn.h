/* int8 CONV_2D by CMSIS-NN, and by ns-cmsis-nn, which wants the weights' sums for MVE. Nonzero: the library's status. */
#ifndef HELIA_CONV_2D_CMSIS_NN_H
#define HELIA_CONV_2D_CMSIS_NN_H

#include "helia_cmsis_nn.h"
#include "helia_conv_2d.h"

int32_t helia_conv_2d_s8_cmsis_nn(const helia_conv_2d_s8_params *p, const int8_t *in, const int8_t *weights,
                                  const int32_t *bias, const int32_t *multiplier, const int32_t *shift, int8_t *out,
                                  void *scratch);
/* sums: of each channel's weights times the input's offset, plus its bias; NULL where the core has no MVE. */
int32_t helia_conv_2d_s8_ns_cmsis_nn(const helia_conv_2d_s8_params *p, const int8_t *in, const int8_t *weights,
                                     const int32_t *bias, const int32_t *multiplier, const int32_t *shift,
                                     const int32_t *sums, int8_t *out, void *scratch);

static inline size_t helia_conv_2d_cmsis_nn_plain_scratch(const void *params)
{
    const helia_conv_2d_s8_params *p = params;
    return helia_cmsis_nn_conv_scratch(&p->window, p->filter_c, HELIA_CMSIS_NN_PLAIN);
}
static inline size_t helia_conv_2d_cmsis_nn_dsp_scratch(const void *params)
{
    const helia_conv_2d_s8_params *p = params;
    return helia_cmsis_nn_conv_scratch(&p->window, p->filter_c, HELIA_CMSIS_NN_DSP);
}
static inline size_t helia_conv_2d_cmsis_nn_mve_scratch(const void *params)
{
    const helia_conv_2d_s8_params *p = params;
    return helia_cmsis_nn_conv_scratch(&p->window, p->filter_c, HELIA_CMSIS_NN_MVE);
}

#endif
