/* Body of QUANTIZE between integer types. The file that includes it defines HELIA_KERNEL, the function's name, and the
 * types HELIA_IN and HELIA_OUT. */
#include "helia_math.h"
#include "helia_quantize.h"

void HELIA_KERNEL(const helia_requantize_params *p, const HELIA_IN *in, HELIA_OUT *out)
{
    for (int32_t i = 0; i < p->count; i++) {
        int32_t q = helia_requantize(helia_wrap_sub(in[i], p->zero_in), p->multiplier, p->exponent);
        out[i] = (HELIA_OUT)helia_clamp(helia_wrap_add(q, p->zero_out), p->min, p->max);
    }
}
