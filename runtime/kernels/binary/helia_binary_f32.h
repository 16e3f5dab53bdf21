/* Body of a float32 operator. The file that includes it defines HELIA_KERNEL, the function's name, and
 * HELIA_APPLY(x, y), its result before the activation. */
#include "helia_binary.h"

void HELIA_KERNEL(const helia_binary_f32_params *p, const float *a, const float *b, float *out)
{
    const int32_t last = p->shape.rank - 1;
    const int32_t n = p->shape.dim[last], step_a = p->shape.stride_a[last], step_b = p->shape.stride_b[last];
    helia_broadcast_at at = {0};
    do {
        const float *x = a + at.a, *y = b + at.b;
        for (int32_t i = 0; i < n; i++) {
            float r = HELIA_APPLY(x[i * step_a], y[i * step_b]);
            r = r < p->min ? p->min : r;
            out[i] = r > p->max ? p->max : r;
        }
        out += n;
    } while (helia_broadcast_next(&p->shape, &at));
}
