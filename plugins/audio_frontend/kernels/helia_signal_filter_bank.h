/* SignalFilterBank: overlapping triangular filters over a power spectrum. The bins between two centres belong to two
 * filters: the weights are the falling side of the lower one, the unweights the rising side of the upper one. */
#ifndef HELIA_SIGNAL_FILTER_BANK_H
#define HELIA_SIGNAL_FILTER_BANK_H

#include <stdint.h>

typedef struct helia_signal_filter_bank_params {
    int32_t count; /* elements of the output; channel 0 gives none, channel i + 1 gives element i */
} helia_signal_filter_bank_params;

/* Channel c has widths[c] bins from frequency_starts[c] on, with the factors from weight_starts[c] on; a width below 1
 * is none. Its sum is that of its own weighted bins and of the unweighted ones of channel c - 1, modulo 2^64. */
void helia_signal_filter_bank_u32_c(const helia_signal_filter_bank_params *p, const uint32_t *energy,
                                    const int16_t *weights, const int16_t *unweights, const int16_t *frequency_starts,
                                    const int16_t *weight_starts, const int16_t *widths, uint64_t *out);

#endif
