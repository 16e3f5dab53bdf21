/* The inverse transform of int32 in portable C. */
#include "helia_signal_fft_s32.h"
#include "helia_signal_irfft_body.h"

void helia_signal_irfft_s32_c(const helia_signal_fft_params *p, const int32_t *in, const int32_t *twiddles,
                              const int32_t *splits, int32_t *out, void *scratch)
{
    const int32_t length = 2 * p->half;
    for (int32_t r = 0; r < p->rows; r++) {
        join_spectrum(p->half, (const cplx *)in, (const cplx *)splits, (cplx *)scratch);
        helia_signal_fft_s32_c(p, (const int32_t *)scratch, length, twiddles, out);
        unscale(out, length);
        in += p->in_pitch;
        out += p->out_pitch;
    }
}
