/* SignalFilterBankSquareRoot: rounded square roots, then a common right shift. */
#ifndef HELIA_SIGNAL_FILTER_BANK_SQUARE_ROOT_H
#define HELIA_SIGNAL_FILTER_BANK_SQUARE_ROOT_H

#include <stdint.h>

typedef struct helia_signal_filter_bank_square_root_params {
    int32_t count;
} helia_signal_filter_bank_square_root_params;

/* The square root rounded to nearest, but 65535 for what lies below 2^32 and rounds to 65536, and 2^32 - 1 for what
 * rounds to 2^32. */
uint32_t helia_signal_square_root(uint64_t v);

/* scale_bits[0], of 0 to 31, is known at run time only; any other value gives zeros. */
void helia_signal_filter_bank_square_root(const helia_signal_filter_bank_square_root_params *p, const uint64_t *in,
                                          const int32_t *scale_bits, uint32_t *out);

#endif
