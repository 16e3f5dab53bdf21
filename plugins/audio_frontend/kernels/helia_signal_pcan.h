/* SignalPCAN: per-channel amplitude normalisation, a gain control by the estimate of a channel's noise. */
#ifndef HELIA_SIGNAL_PCAN_H
#define HELIA_SIGNAL_PCAN_H

#include <stdint.h>

#define HELIA_SIGNAL_PCAN_TABLE 125

typedef struct helia_signal_pcan_params {
    int32_t count;
    int32_t snr_shift; /* 0 to 63 */
} helia_signal_pcan_params;

/* The gain for a noise estimate. The table has the gains of 0 and 1, then for each bit length from 2 three coefficients of
 * a quadratic polynomial over the bits below the top one, and an unused entry; 2 is the first value of its length. */
int16_t helia_signal_pcan_gain(uint32_t noise, const int16_t *table);

void helia_signal_pcan(const helia_signal_pcan_params *p, const uint32_t *in, const uint32_t *noise,
                       const int16_t *table, uint32_t *out);

#endif
