/* The forward transform of int16 in portable C. */
#include "helia_signal_fft_s16.h"
#include "helia_signal_rfft_body.h"

void helia_signal_rfft_s16_c(const helia_signal_fft_params *p, const int16_t *in, const int16_t *twiddles,
                             const int16_t *splits, int16_t *out)
{
    for (int32_t r = 0; r < p->rows; r++) {
        helia_signal_fft_s16_c(p, in, p->length, twiddles, out);
        split_spectrum(p->half, (const cplx *)splits, (cplx *)out);
        clear_gap(p, out);
        in += p->in_pitch;
        out += p->out_pitch;
    }
}
