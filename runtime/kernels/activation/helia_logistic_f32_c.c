/* LOGISTIC, float32, portable. */
#include <math.h>

#include "helia_activation.h"

void helia_logistic_f32_c(const helia_activation_params *p, const float *in, float *out)
{
    for (int32_t i = 0; i < p->count; i++)
        out[i] = 1.0f / (1.0f + expf(-in[i]));
}
