/* RELU, float32, portable; unlike a clamp it leaves +infinity as it is. */
#include "helia_activation.h"

void helia_relu_f32_c(const helia_activation_params *p, const float *in, float *out)
{
    for (int32_t i = 0; i < p->count; i++)
        out[i] = in[i] < 0.0f ? 0.0f : in[i];
}
