/* The inverse transform of float32 in portable C. */
#include "helia_signal_fft_f32.h"
#include "helia_signal_irfft_body.h"

void helia_signal_irfft_f32_c(const helia_signal_fft_params *p, const float *in, const float *twiddles,
                              const float *splits, float *out, void *scratch)
{
    const int32_t length = 2 * p->half;
    for (int32_t r = 0; r < p->rows; r++) {
        join_spectrum(p->half, (const cplx *)in, (const cplx *)splits, (cplx *)scratch);
        helia_signal_fft_f32_c(p, (const float *)scratch, length, twiddles, out);
        unscale(out, length);
        in += p->in_pitch;
        out += p->out_pitch;
    }
}
