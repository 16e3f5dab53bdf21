/* The complex transform in mixed radix, decimated in time: values are brought into the order of the innermost stage, then
 * each stage joins neighbouring transforms in place. Included behind the arithmetic of a type. */
#ifndef HELIA_SIGNAL_FFT_BODY_H
#define HELIA_SIGNAL_FFT_BODY_H

#include "helia_signal_fft.h"
#include "helia_signal_fft_complex.h"

/* Value i goes where its digits in the stages' radices say, read backwards; they are counted like an odometer. */
static void load(const helia_signal_fft_params *p, const real *in, int32_t length, cplx *z)
{
    int32_t digit[HELIA_SIGNAL_FFT_STAGES] = {0};
    int32_t at = 0;
    for (int32_t i = 0; i < 2 * p->half; i += 2) {
        z[at].re = i < length ? in[i] : 0;
        z[at].im = i + 1 < length ? in[i + 1] : 0;
        for (int32_t s = 0; s < p->stages; s++) {
            at += p->span[s];
            if (++digit[s] < p->radix[s])
                break;
            at -= p->span[s] * p->radix[s];
            digit[s] = 0;
        }
    }
}

/* Value k of a butterfly: its share of the sum, turned. */
static inline cplx turned(cplx a, int32_t radix, cplx twiddle)
{
    return cplx_mul(cplx_share(a, radix), twiddle);
}

/* The butterflies join transforms of length m that stand one behind the other; t[i * stride] is the root of their length
 * to the power i. */
static void butterfly_2(cplx *z, const cplx *t, int32_t m, int32_t stride)
{
    for (int32_t u = 0; u < m; u++) {
        cplx a0 = cplx_share(z[u], 2), a1 = turned(z[u + m], 2, t[u * stride]);
        z[u] = cplx_add(a0, a1);
        z[u + m] = cplx_sub(a0, a1);
    }
}

static void butterfly_3(cplx *z, const cplx *t, int32_t m, int32_t stride)
{
    const real w = t[stride * m].im;
    for (int32_t u = 0; u < m; u++) {
        cplx a0 = cplx_share(z[u], 3);
        cplx a1 = turned(z[u + m], 3, t[u * stride]);
        cplx a2 = turned(z[u + 2 * m], 3, t[2 * u * stride]);
        cplx sum = cplx_add(a1, a2), difference = cplx_scale(cplx_sub(a1, a2), w);
        cplx rest = {sub(a0.re, halve(sum.re)), sub(a0.im, halve(sum.im))};
        z[u] = cplx_add(a0, sum);
        z[u + m] = cplx_add_turned(rest, difference);
        z[u + 2 * m] = cplx_sub_turned(rest, difference);
    }
}

static void butterfly_4(cplx *z, const cplx *t, int32_t m, int32_t stride, int32_t inverse)
{
    cplx *z1 = z + (inverse ? 3 : 1) * m, *z3 = z + (inverse ? 1 : 3) * m;
    for (int32_t u = 0; u < m; u++) {
        cplx a0 = cplx_share(z[u], 4);
        cplx a1 = turned(z[u + m], 4, t[u * stride]);
        cplx a2 = turned(z[u + 2 * m], 4, t[2 * u * stride]);
        cplx a3 = turned(z[u + 3 * m], 4, t[3 * u * stride]);
        cplx even = cplx_add(a0, a2), even_difference = cplx_sub(a0, a2);
        cplx odd = cplx_add(a1, a3), odd_difference = cplx_sub(a1, a3);
        z[u] = cplx_add(even, odd);
        z[u + 2 * m] = cplx_sub(even, odd);
        z1[u] = cplx_sub_turned(even_difference, odd_difference);
        z3[u] = cplx_add_turned(even_difference, odd_difference);
    }
}

static void butterfly_5(cplx *z, const cplx *t, int32_t m, int32_t stride)
{
    const cplx w1 = t[stride * m], w2 = t[2 * stride * m];
    for (int32_t u = 0; u < m; u++) {
        cplx a0 = cplx_share(z[u], 5);
        cplx a1 = turned(z[u + m], 5, t[u * stride]);
        cplx a2 = turned(z[u + 2 * m], 5, t[2 * u * stride]);
        cplx a3 = turned(z[u + 3 * m], 5, t[3 * u * stride]);
        cplx a4 = turned(z[u + 4 * m], 5, t[4 * u * stride]);
        cplx sum1 = cplx_add(a1, a4), difference1 = cplx_sub(a1, a4);
        cplx sum2 = cplx_add(a2, a3), difference2 = cplx_sub(a2, a3);
        cplx outer = cplx_add(cplx_add(a0, cplx_scale(sum1, w1.re)), cplx_scale(sum2, w2.re));
        cplx inner = cplx_add(cplx_add(a0, cplx_scale(sum1, w2.re)), cplx_scale(sum2, w1.re));
        cplx outer_turn = {add(mul(difference1.im, w1.im), mul(difference2.im, w2.im)),
                           sub(negate(mul(difference1.re, w1.im)), mul(difference2.re, w2.im))};
        cplx inner_turn = {add(negate(mul(difference1.im, w2.im)), mul(difference2.im, w1.im)),
                           sub(mul(difference1.re, w2.im), mul(difference2.re, w1.im))};
        z[u] = cplx_add(a0, cplx_add(sum1, sum2));
        z[u + m] = cplx_sub(outer, outer_turn);
        z[u + 2 * m] = cplx_add(inner, inner_turn);
        z[u + 3 * m] = cplx_sub(inner, inner_turn);
        z[u + 4 * m] = cplx_add(outer, outer_turn);
    }
}

static void complex_fft(const helia_signal_fft_params *p, const real *in, int32_t length, const cplx *t, cplx *z)
{
    load(p, in, length, z);
    for (int32_t s = p->stages - 1; s >= 0; s--) {
        const int32_t m = p->span[s], size = m * p->radix[s], stride = p->half / size;
        for (int32_t i = 0; i < p->half; i += size) {
            switch (p->radix[s]) {
            case 2:
                butterfly_2(z + i, t, m, stride);
                break;
            case 3:
                butterfly_3(z + i, t, m, stride);
                break;
            case 4:
                butterfly_4(z + i, t, m, stride, p->inverse);
                break;
            default:
                butterfly_5(z + i, t, m, stride);
                break;
            }
        }
    }
}

#endif
