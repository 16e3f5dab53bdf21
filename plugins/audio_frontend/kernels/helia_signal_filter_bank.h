/* SignalFilterBank: overlapping triangular filters over a power spectrum. The rising half of a filter is the falling half
 * of the one before over the same bins, so a channel is the weighted sum of its own bins and the unweighted sum of the
 * channel's before. */
#ifndef HELIA_SIGNAL_FILTER_BANK_H
#define HELIA_SIGNAL_FILTER_BANK_H

#include <stdint.h>

typedef struct helia_signal_filter_bank_params {
    int32_t count; /* elements of the output; channel 0 gives none, channel i + 1 gives element i */
} helia_signal_filter_bank_params;

/* Channel c covers the bins from frequency_starts[c] and the factors from weight_starts[c], widths[c] of them; a width
 * below 1 is none. Sums are modulo 2^64. */
void helia_signal_filter_bank(const helia_signal_filter_bank_params *p, const uint32_t *energy, const int16_t *weights,
                              const int16_t *unweights, const int16_t *frequency_starts, const int16_t *weight_starts,
                              const int16_t *widths, uint64_t *out);

#endif
