/* LEAKY_RELU, float32, portable. */
#include "helia_activation.h"

void helia_leaky_relu_f32_c(const helia_leaky_relu_f32_params *p, const float *in, float *out)
{
    for (int32_t i = 0; i < p->count; i++)
        out[i] = in[i] > 0.0f ? in[i] : in[i] * p->alpha;
}
