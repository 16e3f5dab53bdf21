/* The forward transform of int32 in portable C. */
#include "helia_signal_fft_s32.h"
#include "helia_signal_rfft_body.h"

void helia_signal_rfft_s32_c(const helia_signal_fft_params *p, const int32_t *in, const int32_t *twiddles,
                             const int32_t *splits, int32_t *out)
{
    for (int32_t r = 0; r < p->rows; r++) {
        helia_signal_fft_s32_c(p, in, p->length, twiddles, out);
        split_spectrum(p->half, (const cplx *)splits, (cplx *)out);
        clear_gap(p, out);
        in += p->in_pitch;
        out += p->out_pitch;
    }
}
