/* DIV, int8, portable: a fixed-point reciprocal of the divisor, times the dividend with all its headroom used. */
#include "helia_binary.h"
#include "helia_fixed_point.h"

/* n * m * 2^(e - 31) / d, d > 0. */
static int32_t quotient(int32_t n, int32_t d, int32_t m, int32_t e)
{
    int32_t over;
    int32_t reciprocal = helia_reciprocal(d, 31, &over);
    int32_t headroom = n == 0 ? 31 : helia_clz((uint32_t)(n < 0 ? ~n : n)) - 1;
    int32_t q = helia_srdhm(helia_srdhm(helia_wrap_shl(n, headroom), reciprocal), m);
    int32_t right = over + headroom - e;
    if (right > 31)
        return 0;
    return right >= 0 ? helia_rdbp(q, right) : helia_shl_sat(q, helia_min(-right, 31));
}

void helia_div_s8_c(const helia_div_params *p, const int8_t *a, const int8_t *b, int8_t *out)
{
    const int32_t last = p->shape.rank - 1;
    const int32_t n = p->shape.dim[last], step_a = p->shape.stride_a[last], step_b = p->shape.stride_b[last];
    helia_broadcast_at at = {0};
    do {
        const int8_t *x = a + at.a, *y = b + at.b;
        for (int32_t i = 0; i < n; i++) {
            int32_t u = x[i * step_a] - p->zero_a, v = y[i * step_b] - p->zero_b, r;
            if (v == 0) /* the limit, as of floats */
                r = u > 0 ? p->max : u < 0 ? p->min : p->zero_out;
            else
                r = quotient(v < 0 ? -u : u, v < 0 ? -v : v, p->multiplier, p->exponent);
            if (v != 0)
                r = helia_clamp(r, INT16_MIN, INT16_MAX) + p->zero_out;
            out[i] = (int8_t)helia_clamp(r, p->min, p->max);
        }
        out += n;
    } while (helia_broadcast_next(&p->shape, &at));
}
