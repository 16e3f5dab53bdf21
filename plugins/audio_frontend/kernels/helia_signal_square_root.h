/* SignalFilterBankSquareRoot: rounded square roots, then a common right shift. */
#ifndef HELIA_SIGNAL_SQUARE_ROOT_H
#define HELIA_SIGNAL_SQUARE_ROOT_H

#include <stdint.h>

typedef struct helia_signal_square_root_params {
    int32_t count;
} helia_signal_square_root_params;

/* Roots are rounded to nearest, but 65535 for what is below 2^32 and would round to 65536, and 2^32 - 1 for what would
 * round to 2^32. scale_bits[0], of 0 to 31, is known at run time only; any other value gives zeros. */
void helia_signal_square_root_u64_c(const helia_signal_square_root_params *p, const uint64_t *in,
                                    const int32_t *scale_bits, uint32_t *out);

#endif
