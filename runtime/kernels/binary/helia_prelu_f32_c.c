/* PRELU, float32, portable. */
#include "helia_prelu.h"

void helia_prelu_f32_c(const helia_prelu_f32_params *p, const float *in, const float *alpha, float *out)
{
    const int32_t last = p->shape.rank - 1;
    const int32_t n = p->shape.dim[last], step_in = p->shape.stride_a[last], step_alpha = p->shape.stride_b[last];
    helia_broadcast_at at = {0};
    do {
        const float *x = in + at.a, *a = alpha + at.b;
        for (int32_t i = 0; i < n; i++) {
            float v = x[i * step_in];
            out[i] = v >= 0.0f ? v : v * a[i * step_alpha];
        }
        out += n;
    } while (helia_broadcast_next(&p->shape, &at));
}
