/* Complex numbers of the transforms, on the arithmetic of the type that was included before. */
#ifndef HELIA_SIGNAL_FFT_COMPLEX_H
#define HELIA_SIGNAL_FFT_COMPLEX_H

typedef struct cplx {
    real re, im;
} cplx;

static inline cplx cplx_add(cplx a, cplx b)
{
    cplx y = {add(a.re, b.re), add(a.im, b.im)};
    return y;
}

static inline cplx cplx_sub(cplx a, cplx b)
{
    cplx y = {sub(a.re, b.re), sub(a.im, b.im)};
    return y;
}

static inline cplx cplx_mul(cplx a, cplx b)
{
    cplx y = {mul_sub(a.re, b.re, a.im, b.im), mul_add(a.re, b.im, a.im, b.re)};
    return y;
}

/* By a real number. */
static inline cplx cplx_scale(cplx a, real b)
{
    cplx y = {mul(a.re, b), mul(a.im, b)};
    return y;
}

static inline cplx cplx_share(cplx a, int32_t k)
{
    cplx y = {share(a.re, k), share(a.im, k)};
    return y;
}

static inline cplx cplx_conjugate(cplx a)
{
    a.im = negate(a.im);
    return a;
}

/* a + i b and a - i b. */
static inline cplx cplx_add_turned(cplx a, cplx b)
{
    cplx y = {sub(a.re, b.im), add(a.im, b.re)};
    return y;
}

static inline cplx cplx_sub_turned(cplx a, cplx b)
{
    cplx y = {add(a.re, b.im), sub(a.im, b.re)};
    return y;
}

#endif
