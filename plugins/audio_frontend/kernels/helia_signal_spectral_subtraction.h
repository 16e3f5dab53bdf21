/* SignalFilterBankSpectralSubtraction: a running estimate of each channel's noise, and the signal without it. */
#ifndef HELIA_SIGNAL_SPECTRAL_SUBTRACTION_H
#define HELIA_SIGNAL_SPECTRAL_SUBTRACTION_H

#include <stdint.h>

typedef struct helia_signal_spectral_subtraction_params {
    int32_t channels;
    int32_t noise_count;                 /* of the estimates, how many are put out */
    int32_t smoothing_bits;              /* the estimate has so many bits more than the signal */
    int32_t subtraction_bits;            /* fractional bits of the factors below */
    uint32_t smoothing[2], remaining[2]; /* of the signal and of the estimate before; for even and odd channels */
    uint32_t min_signal_remaining;
    int32_t clamping; /* 1: the estimate that is kept is not above the signal */
} helia_signal_spectral_subtraction_params;

/* noise [channels] is kept between runs; it begins as zeros. */
void helia_signal_spectral_subtraction_u32_c(const helia_signal_spectral_subtraction_params *p, const uint32_t *in,
                                             uint32_t *noise, uint32_t *signal_out, uint32_t *noise_out);

#endif
