/* Body of an operator without activation. The file that includes it defines HELIA_KERNEL, the function's name, HELIA_T, the
 * element type, and HELIA_APPLY(x, y). */
#include "helia_binary.h"

void HELIA_KERNEL(const helia_binary_params *p, const HELIA_T *a, const HELIA_T *b, HELIA_T *out)
{
    const int32_t last = p->shape.rank - 1;
    const int32_t n = p->shape.dim[last], step_a = p->shape.stride_a[last], step_b = p->shape.stride_b[last];
    helia_broadcast_at at = {0};
    do {
        const HELIA_T *x = a + at.a, *y = b + at.b;
        for (int32_t i = 0; i < n; i++) {
            const HELIA_T u = x[i * step_a], v = y[i * step_b];
            out[i] = HELIA_APPLY(u, v);
        }
        out += n;
    } while (helia_broadcast_next(&p->shape, &at));
}
