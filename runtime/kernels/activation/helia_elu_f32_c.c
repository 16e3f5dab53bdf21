/* ELU, float32, portable. */
#include <math.h>

#include "helia_activation.h"

void helia_elu_f32_c(const helia_activation_params *p, const float *in, float *out)
{
    for (int32_t i = 0; i < p->count; i++)
        out[i] = in[i] > 0.0f ? in[i] : expm1f(in[i]);
}
