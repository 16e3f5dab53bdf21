/* The forward transform of float32 in portable C. */
#include "helia_signal_fft_f32.h"
#include "helia_signal_rfft_body.h"

void helia_signal_rfft_f32_c(const helia_signal_fft_params *p, const float *in, const float *twiddles,
                             const float *splits, float *out)
{
    for (int32_t r = 0; r < p->rows; r++) {
        helia_signal_fft_f32_c(p, in, p->length, twiddles, out);
        split_spectrum(p->half, (const cplx *)splits, (cplx *)out);
        clear_gap(p, out);
        in += p->in_pitch;
        out += p->out_pitch;
    }
}
