/* Real Fourier transforms of rows: each is a complex one of half the length, in mixed radix, and a pass that splits or
 * joins the two real sequences. One set of functions for each type; fixed point scales by about 1 / length. */
#ifndef HELIA_SIGNAL_FFT_H
#define HELIA_SIGNAL_FFT_H

#include <stdint.h>

#define HELIA_SIGNAL_FFT_STAGES 20

/* The stages of the complex transform, the outermost first: stage s joins radix[s] transforms of length span[s]. */
typedef struct helia_signal_fft_params {
    int32_t rows;
    int32_t in_pitch, out_pitch; /* elements from row to row */
    int32_t length;              /* values of an input row; the forward transform takes zeros behind them */
    int32_t half;                /* complex values: half the transform's length */
    int32_t inverse;
    int32_t stages;
    int32_t radix[HELIA_SIGNAL_FFT_STAGES];
    int32_t span[HELIA_SIGNAL_FFT_STAGES];
} helia_signal_fft_params;

/* The complex transform of `half` values, re and im in turn; values of `in` from `length` on count as zeros. `twiddles`
 * has `half` complex values, out is not in. */
void helia_signal_fft_s16_c(const helia_signal_fft_params *p, const int16_t *in, int32_t length,
                            const int16_t *twiddles, int16_t *out);
void helia_signal_fft_s32_c(const helia_signal_fft_params *p, const int32_t *in, int32_t length,
                            const int32_t *twiddles, int32_t *out);
void helia_signal_fft_f32_c(const helia_signal_fft_params *p, const float *in, int32_t length, const float *twiddles,
                            float *out);

/* Forward: a row of reals to half + 1 complex values. `splits` has half / 2 complex values. */
void helia_signal_rfft_s16_c(const helia_signal_fft_params *p, const int16_t *in, const int16_t *twiddles,
                             const int16_t *splits, int16_t *out);
void helia_signal_rfft_s32_c(const helia_signal_fft_params *p, const int32_t *in, const int32_t *twiddles,
                             const int32_t *splits, int32_t *out);
void helia_signal_rfft_f32_c(const helia_signal_fft_params *p, const float *in, const float *twiddles,
                             const float *splits, float *out);

/* Inverse: half + 1 complex values of a row to 2 * half reals. scratch holds `half` complex values. */
void helia_signal_irfft_s16_c(const helia_signal_fft_params *p, const int16_t *in, const int16_t *twiddles,
                              const int16_t *splits, int16_t *out, void *scratch);
void helia_signal_irfft_s32_c(const helia_signal_fft_params *p, const int32_t *in, const int32_t *twiddles,
                              const int32_t *splits, int32_t *out, void *scratch);
void helia_signal_irfft_f32_c(const helia_signal_fft_params *p, const float *in, const float *twiddles,
                              const float *splits, float *out, void *scratch);

#endif
