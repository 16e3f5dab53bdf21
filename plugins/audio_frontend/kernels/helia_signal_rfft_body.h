/* The forward transform's last pass: the complex transform of even values as real and odd ones as imaginary parts, split
 * into the spectrum of the reals, in place. Included behind the arithmetic of a type. */
#ifndef HELIA_SIGNAL_RFFT_BODY_H
#define HELIA_SIGNAL_RFFT_BODY_H

#include "helia_signal_fft.h"
#include "helia_signal_fft_complex.h"

static void split_spectrum(int32_t half, const cplx *splits, cplx *z)
{
    const real re = share(z[0].re, 2), im = share(z[0].im, 2);
    z[0].re = add(re, im);
    z[0].im = 0;
    z[half].re = sub(re, im);
    z[half].im = 0;
    for (int32_t k = 1; k <= half / 2; k++) {
        cplx a = cplx_share(z[k], 2), b = cplx_share(cplx_conjugate(z[half - k]), 2);
        cplx even = cplx_add(a, b), odd = cplx_mul(cplx_sub(a, b), splits[k - 1]);
        z[k].re = halve(full_add(even.re, odd.re));
        z[k].im = halve(full_add(even.im, odd.im));
        z[half - k].re = halve(full_sub(even.re, odd.re)); /* in the middle, where both are one, this one stays */
        z[half - k].im = halve(full_sub(odd.im, even.im));
    }
}

/* Zeros in the gap behind a spectrum. */
static void clear_gap(const helia_signal_fft_params *p, real *out)
{
    for (int32_t i = 2 * p->half + 2; i < p->out_pitch; i++)
        out[i] = 0;
}

#endif
