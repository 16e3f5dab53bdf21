/* The inverse transform's first and last pass: a spectrum of reals as that of their even and odd values in one complex
 * sequence, and the scaling that is left. Included behind the arithmetic of a type. */
#ifndef HELIA_SIGNAL_IRFFT_BODY_H
#define HELIA_SIGNAL_IRFFT_BODY_H

#include "helia_signal_fft.h"
#include "helia_signal_fft_complex.h"

static void join_spectrum(int32_t half, const cplx *x, const cplx *splits, cplx *z)
{
    z[0].re = share(add(x[0].re, x[half].re), 2);
    z[0].im = share(sub(x[0].re, x[half].re), 2);
    for (int32_t k = 1; k <= half / 2; k++) {
        cplx a = cplx_share(x[k], 2), b = cplx_share(cplx_conjugate(x[half - k]), 2);
        cplx even = cplx_add(a, b), odd = cplx_mul(cplx_sub(a, b), splits[k - 1]);
        z[k] = cplx_add(even, odd);
        z[half - k] = cplx_conjugate(cplx_sub(even, odd)); /* in the middle, where both are one, this one stays */
    }
}

static void unscale(real *x, int32_t length)
{
    for (int32_t i = 0; i < length; i++)
        x[i] = unscaled(x[i], length);
}

#endif
