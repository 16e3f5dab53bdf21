/* Filter bank, portable. */
#include "helia_signal_filter_bank.h"

void helia_signal_filter_bank_u32_c(const helia_signal_filter_bank_params *p, const uint32_t *energy,
                                    const int16_t *weights, const int16_t *unweights, const int16_t *frequency_starts,
                                    const int16_t *weight_starts, const int16_t *widths, uint64_t *out)
{
    int64_t carry = 0;
    for (int32_t c = 0; c <= p->count; c++) {
        /* A product is below 2^47 in magnitude and a width below 2^15, so that no sum reaches 2^63. */
        int64_t weighted = carry, unweighted = 0;
        for (int32_t j = 0; j < widths[c]; j++) {
            int64_t e = energy[frequency_starts[c] + j];
            weighted += weights[weight_starts[c] + j] * e;
            unweighted += unweights[weight_starts[c] + j] * e;
        }
        if (c > 0)
            out[c - 1] = (uint64_t)weighted;
        carry = unweighted;
    }
}
