/* Body of the quantised PRELU. The file that includes it defines HELIA_KERNEL, the function's name, and the element types
 * HELIA_T and HELIA_ALPHA. */
#include "helia_math.h"
#include "helia_prelu.h"

void HELIA_KERNEL(const helia_prelu_params *p, const HELIA_T *in, const HELIA_ALPHA *alpha, HELIA_T *out)
{
    const int32_t last = p->shape.rank - 1;
    const int32_t n = p->shape.dim[last], step_in = p->shape.stride_a[last], step_alpha = p->shape.stride_b[last];
    helia_broadcast_at at = {0};
    do {
        const HELIA_T *x = in + at.a;
        const HELIA_ALPHA *a = alpha + at.b;
        for (int32_t i = 0; i < n; i++) {
            int32_t v = x[i * step_in] - p->zero_in;
            v = v >= 0
                    ? helia_requantize(v, p->multiplier, p->exponent)
                    : helia_requantize(v * (a[i * step_alpha] - p->zero_alpha), p->alpha_multiplier, p->alpha_exponent);
            out[i] = (HELIA_T)helia_clamp(helia_wrap_add(v, p->zero_out), p->min, p->max);
        }
        out += n;
    } while (helia_broadcast_next(&p->shape, &at));
}
