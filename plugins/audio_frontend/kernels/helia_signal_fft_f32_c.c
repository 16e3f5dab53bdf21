/* The complex transform of float32 in portable C. */
#include "helia_signal_fft_f32.h"
#include "helia_signal_fft_body.h"

void helia_signal_fft_f32_c(const helia_signal_fft_params *p, const float *in, int32_t length, const float *twiddles,
                            float *out)
{
    complex_fft(p, in, length, (const cplx *)twiddles, (cplx *)out);
}
