/* Audio times a window function. */
#ifndef HELIA_SIGNAL_WINDOW_H
#define HELIA_SIGNAL_WINDOW_H

#include <stdint.h>

typedef struct helia_signal_window_params {
    int32_t blocks; /* of the window's length */
    int32_t length;
    int32_t shift; /* 0 to 31 */
} helia_signal_window_params;

/* out = in * weights / 2^shift, rounded down and saturated; out may be in. */
void helia_signal_window_s16_c(const helia_signal_window_params *p, const int16_t *in, const int16_t *weights,
                               int16_t *out);

#endif
