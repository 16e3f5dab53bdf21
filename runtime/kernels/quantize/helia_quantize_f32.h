/* Body of QUANTIZE from float32: in / scale rounded to nearest, halves away from zero, saturated. The file that
 * includes it defines HELIA_KERNEL, the function's name, and HELIA_T, the output's type. */
#include "helia_quantize.h"

void HELIA_KERNEL(const helia_quantize_params *p, const float *in, HELIA_T *out)
{
    const float lo = (float)(p->min - p->zero), hi = (float)(p->max - p->zero);
    for (int32_t i = 0; i < p->count; i++) {
        float q = in[i] / p->scale;
        q = q > lo ? q : lo; /* NaN too */
        q = q < hi ? q : hi;
        int32_t n = (int32_t)q;
        float rest = q - (float)n;
        n += rest >= 0.5f ? 1 : rest <= -0.5f ? -1 : 0;
        out[i] = (HELIA_T)(n + p->zero);
    }
}
