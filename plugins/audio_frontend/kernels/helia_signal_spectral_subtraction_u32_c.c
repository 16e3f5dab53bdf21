/* Spectral subtraction, portable. */
#include "helia_signal_spectral_subtraction.h"

#include <string.h>

void helia_signal_spectral_subtraction_u32_c(const helia_signal_spectral_subtraction_params *p, const uint32_t *in,
                                             uint32_t *noise, uint32_t *signal_out, uint32_t *noise_out)
{
    for (int32_t c = 0; c < p->channels; c++) {
        uint32_t scaled = in[c] << p->smoothing_bits;
        uint64_t sum = (uint64_t)scaled * p->smoothing[c & 1] + (uint64_t)noise[c] * p->remaining[c & 1];
        uint32_t estimate = (uint32_t)(sum >> p->subtraction_bits);
        uint32_t clamped = estimate < scaled ? estimate : scaled;
        uint32_t least = (uint32_t)((uint64_t)in[c] * p->min_signal_remaining >> p->subtraction_bits);
        uint32_t signal = (scaled - clamped) >> p->smoothing_bits;
        noise[c] = p->clamping ? clamped : estimate;
        signal_out[c] = signal > least ? signal : least;
    }
    memcpy(noise_out, noise, (size_t)p->noise_count * sizeof(*noise));
}
