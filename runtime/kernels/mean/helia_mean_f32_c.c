/* MEAN, float32, portable: sums in the order of the input, then divides. */
#include "helia_mean.h"

static inline float helia_mean_of(const helia_mean_f32_params *p, const float *in)
{
    const int32_t *n = p->loops.reduced, *stride = p->loops.reduced_stride;
    float sum = 0.0f;
    for (int32_t i = 0; i < n[0]; i++)
        for (int32_t j = 0; j < n[1]; j++)
            for (int32_t k = 0; k < n[2]; k++)
                sum += in[i * stride[0] + j * stride[1] + k * stride[2]];
    return sum / p->count;
}

#define HELIA_KERNEL helia_mean_f32_c
#define HELIA_PARAMS helia_mean_f32_params
#define HELIA_T float
#define HELIA_MEAN helia_mean_of
#include "helia_mean_body.h"
