/* The complex transform of int16 in portable C. */
#include "helia_signal_fft_s16.h"
#include "helia_signal_fft_body.h"

void helia_signal_fft_s16_c(const helia_signal_fft_params *p, const int16_t *in, int32_t length,
                            const int16_t *twiddles, int16_t *out)
{
    complex_fft(p, in, length, (const cplx *)twiddles, (cplx *)out);
}
