/* LEAKY_RELU, int16, portable. */
#include "helia_activation.h"

void helia_leaky_relu_s16_c(const helia_leaky_relu_params *p, const int16_t *in, int16_t *out)
{
    for (int32_t i = 0; i < p->count; i++)
        out[i] = (int16_t)helia_clamp(helia_leaky_relu(p, in[i]), INT16_MIN, INT16_MAX);
}
