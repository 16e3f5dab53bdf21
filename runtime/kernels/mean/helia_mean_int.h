/* Body of the quantised MEAN for one element type. The file that includes it defines HELIA_KERNEL, the function's name,
 * and HELIA_T, the type. */
#include "helia_math.h"
#include "helia_mean.h"

static inline HELIA_T helia_mean_of(const helia_mean_params *p, const HELIA_T *in)
{
    const int32_t *n = p->loops.reduced, *stride = p->loops.reduced_stride;
    int32_t sum = 0;
    for (int32_t i = 0; i < n[0]; i++)
        for (int32_t j = 0; j < n[1]; j++)
            for (int32_t k = 0; k < n[2]; k++)
                sum = helia_wrap_add(sum, in[i * stride[0] + j * stride[1] + k * stride[2]]);
    sum = helia_requantize(helia_wrap_sub(sum, p->offset), p->multiplier, p->exponent);
    return (HELIA_T)helia_clamp(helia_wrap_add(sum, p->zero_out), p->min, p->max);
}

#define HELIA_PARAMS helia_mean_params
#define HELIA_MEAN helia_mean_of
#include "helia_mean_body.h"
