/* Squared magnitudes, portable. */
#include "helia_signal_energy.h"

void helia_signal_energy_s16_c(const helia_signal_energy_params *p, const int16_t *spectrum, uint32_t *energy)
{
    for (int32_t i = 0; i < p->start; i++)
        energy[i] = 0;
    for (int32_t i = p->start; i < p->end; i++) {
        int32_t re = spectrum[2 * i], im = spectrum[2 * i + 1];
        energy[i] = (uint32_t)(re * re) + (uint32_t)(im * im); /* 2^31 at most, so unsigned */
    }
    for (int32_t i = p->end; i < p->count; i++)
        energy[i] = 0;
}
