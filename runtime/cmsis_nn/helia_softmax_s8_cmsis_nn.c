/* int8 SOFTMAX by CMSIS-NN: the parameters as the library's. */
#include <arm_nnfunctions.h>

#include "helia_softmax_cmsis_nn.h"

void helia_softmax_s8_cmsis_nn(const helia_softmax_s8_params *p, const int8_t *in, int8_t *out)
{
    arm_softmax_s8(in, p->rows, p->depth, p->multiplier, p->shift, p->diff_min, out);
}
