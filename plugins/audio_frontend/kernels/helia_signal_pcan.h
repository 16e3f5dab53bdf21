/* SignalPCAN: per-channel amplitude normalisation, a gain control by the estimate of a channel's noise. */
#ifndef HELIA_SIGNAL_PCAN_H
#define HELIA_SIGNAL_PCAN_H

#include <stdint.h>

#define HELIA_SIGNAL_PCAN_TABLE 125

typedef struct helia_signal_pcan_params {
    int32_t count;
    int32_t snr_shift; /* 0 to 63 */
} helia_signal_pcan_params;

/* The table gives the gain for a noise estimate: that of 0 and 1 as it is, then for each bit length from 2 the
 * coefficients of a quadratic polynomial over the bits below the top one, constant term first, and an unused entry. */
void helia_signal_pcan_u32_c(const helia_signal_pcan_params *p, const uint32_t *in, const uint32_t *noise,
                             const int16_t *table, uint32_t *out);

#endif
