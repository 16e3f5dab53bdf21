/* int8 FULLY_CONNECTED with a scale for each unit by CMSIS-NN. */
#include "helia_fully_connected_call_cmsis_nn.h"
#include "helia_fully_connected_cmsis_nn.h"

int32_t helia_fully_connected_per_channel_s8_cmsis_nn(const helia_fully_connected_s8_params *p, const int8_t *in,
                                                      const int8_t *weights, const int32_t *bias,
                                                      const int32_t *multiplier, const int32_t *shift,
                                                      const int32_t *sums, int8_t *out)
{
    const cmsis_nn_quant_params quant = {(int32_t *)(uintptr_t)multiplier, (int32_t *)(uintptr_t)shift, 1};
    return helia_fully_connected_call_cmsis_nn(p, in, weights, bias, &quant, sums, out);
}
