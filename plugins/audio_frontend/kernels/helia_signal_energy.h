/* SignalEnergy: the squared magnitude of each bin of an interleaved complex spectrum. */
#ifndef HELIA_SIGNAL_ENERGY_H
#define HELIA_SIGNAL_ENERGY_H

#include <stdint.h>

typedef struct helia_signal_energy_params {
    int32_t start, end; /* the bins that are computed: start <= i < end, at the same index in input and output */
    int32_t count;      /* elements of the output; those outside of the range become 0 */
} helia_signal_energy_params;

void helia_signal_energy_s16_c(const helia_signal_energy_params *p, const int16_t *spectrum, uint32_t *energy);

#endif
