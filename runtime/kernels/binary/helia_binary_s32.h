/* Body of an int32 operator. The file that includes it defines HELIA_KERNEL, the function's name, and HELIA_APPLY(x, y),
 * its result before the activation. */
#include "helia_binary.h"
#include "helia_math.h"

void HELIA_KERNEL(const helia_binary_s32_params *p, const int32_t *a, const int32_t *b, int32_t *out)
{
    const int32_t last = p->shape.rank - 1;
    const int32_t n = p->shape.dim[last], step_a = p->shape.stride_a[last], step_b = p->shape.stride_b[last];
    helia_broadcast_at at = {0};
    do {
        const int32_t *x = a + at.a, *y = b + at.b;
        for (int32_t i = 0; i < n; i++)
            out[i] = helia_clamp(HELIA_APPLY(x[i * step_a], y[i * step_b]), p->min, p->max);
        out += n;
    } while (helia_broadcast_next(&p->shape, &at));
}
