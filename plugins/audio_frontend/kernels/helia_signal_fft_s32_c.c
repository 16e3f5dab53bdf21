/* The complex transform of int32 in portable C. */
#include "helia_signal_fft_s32.h"
#include "helia_signal_fft_body.h"

void helia_signal_fft_s32_c(const helia_signal_fft_params *p, const int32_t *in, int32_t length,
                            const int32_t *twiddles, int32_t *out)
{
    complex_fft(p, in, length, (const cplx *)twiddles, (cplx *)out);
}
