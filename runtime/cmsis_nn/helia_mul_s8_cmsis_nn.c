/* int8 MUL of equal shapes by CMSIS-NN: the parameters as the library's. */
#include <arm_nnfunctions.h>

#include "helia_binary_cmsis_nn.h"

int32_t helia_mul_s8_cmsis_nn(const helia_mul_params *p, const int8_t *a, const int8_t *b, int8_t *out)
{
    return (int32_t)arm_elementwise_mul_s8(a, b, -p->zero_a, -p->zero_b, out, p->zero_out, p->multiplier, p->exponent,
                                           p->min, p->max, helia_binary_cmsis_nn_count(&p->shape));
}
