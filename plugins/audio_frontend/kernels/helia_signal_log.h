/* SignalFilterBankLog: the natural logarithm in fixed point, scaled and saturated to 16 bits. */
#ifndef HELIA_SIGNAL_LOG_H
#define HELIA_SIGNAL_LOG_H

#include <stdint.h>

typedef struct helia_signal_log_params {
    int32_t count;
    int32_t correction_bits; /* 0 to 31: the input is shifted left by so many; what leaves 32 bits is lost */
    uint32_t scale;
} helia_signal_log_params;

void helia_signal_log_u32_c(const helia_signal_log_params *p, const uint32_t *in, int16_t *out);

#endif
