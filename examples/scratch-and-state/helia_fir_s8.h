/* A filter over time, each channel alone: out = sum of taps[k] * (the input k runs ago) / 2^shift, rounded down. */
#ifndef HELIA_FIR_S8_H
#define HELIA_FIR_S8_H

#include <stdint.h>

#define HELIA_FIR_TAPS 8

typedef struct helia_fir_s8_params {
    int32_t channels, n_taps, shift;
    int32_t taps[HELIA_FIR_TAPS];
} helia_fir_s8_params;

/* history [n_taps][channels], the newest row first, is kept between runs; scratch has 4 bytes a channel. */
void helia_fir_s8(const helia_fir_s8_params *p, const int8_t *in, int8_t *history, int8_t *out, void *scratch);

#endif
