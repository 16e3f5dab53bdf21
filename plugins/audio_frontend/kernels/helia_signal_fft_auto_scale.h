/* A block of audio shifted up to the full range. */
#ifndef HELIA_SIGNAL_FFT_AUTO_SCALE_H
#define HELIA_SIGNAL_FFT_AUTO_SCALE_H

#include <stdint.h>

typedef struct helia_signal_fft_auto_scale_params {
    int32_t count;
} helia_signal_fft_auto_scale_params;

/* out = in * 2^scale, scale the number of bits that the largest magnitude leaves free; out may be in. */
void helia_signal_fft_auto_scale_s16_c(const helia_signal_fft_auto_scale_params *p, const int16_t *in, int16_t *out,
                                       int32_t *scale);

#endif
