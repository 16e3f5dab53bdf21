/* RELU6 and the like, float32, portable. */
#include "helia_activation.h"

void helia_clamp_f32_c(const helia_clamp_params *p, const float *in, float *out)
{
    for (int32_t i = 0; i < p->count; i++) {
        float x = in[i] < p->min ? p->min : in[i];
        out[i] = x > p->max ? p->max : x;
    }
}
