/* HARD_SWISH, float32, portable. */
#include "helia_activation.h"

void helia_hard_swish_f32_c(const helia_activation_params *p, const float *in, float *out)
{
    for (int32_t i = 0; i < p->count; i++) {
        float gate = in[i] + 3.0f;
        gate = gate < 0.0f ? 0.0f : gate;
        out[i] = in[i] * (gate > 6.0f ? 6.0f : gate) / 6.0f;
    }
}
