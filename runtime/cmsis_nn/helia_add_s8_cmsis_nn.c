/* int8 ADD of equal shapes by CMSIS-NN: the parameters as the library's. */
#include <arm_nnfunctions.h>

#include "helia_binary_cmsis_nn.h"

int32_t helia_add_s8_cmsis_nn(const helia_add_params *p, const int8_t *a, const int8_t *b, int8_t *out)
{
    return (int32_t)arm_elementwise_add_s8(
        a, b, -p->zero_a, p->multiplier_a, p->exponent_a, -p->zero_b, p->multiplier_b, p->exponent_b, p->shift, out,
        p->zero_out, p->multiplier_out, p->exponent_out, p->min, p->max, helia_binary_cmsis_nn_count(&p->shape));
}
