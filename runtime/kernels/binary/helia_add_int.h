/* Body of the quantised ADD and SUB for one element type. The file that includes it defines HELIA_KERNEL, the function's
 * name, HELIA_T, the type, and HELIA_COMBINE(u, v), the sum or difference of the scaled operands. */
#include "helia_binary.h"
#include "helia_math.h"

void HELIA_KERNEL(const helia_add_params *p, const HELIA_T *a, const HELIA_T *b, HELIA_T *out)
{
    const int32_t last = p->shape.rank - 1;
    const int32_t n = p->shape.dim[last], step_a = p->shape.stride_a[last], step_b = p->shape.stride_b[last];
    helia_broadcast_at at = {0};
    do {
        const HELIA_T *x = a + at.a, *y = b + at.b;
        for (int32_t i = 0; i < n; i++) {
            int32_t u = helia_wrap_shl(x[i * step_a] - p->zero_a, p->shift);
            int32_t v = helia_wrap_shl(y[i * step_b] - p->zero_b, p->shift);
            int32_t sum = HELIA_COMBINE(helia_requantize(u, p->multiplier_a, p->exponent_a),
                                        helia_requantize(v, p->multiplier_b, p->exponent_b));
            int32_t r = helia_wrap_add(helia_requantize(sum, p->multiplier_out, p->exponent_out), p->zero_out);
            out[i] = (HELIA_T)helia_clamp(r, p->min, p->max);
        }
        out += n;
    } while (helia_broadcast_next(&p->shape, &at));
}
