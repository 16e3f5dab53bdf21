/* Audio delayed by a number of samples. */
#ifndef HELIA_SIGNAL_DELAY_H
#define HELIA_SIGNAL_DELAY_H

#include <stdint.h>

typedef struct helia_signal_delay_params {
    int32_t rows;
    int32_t length; /* samples of a row in a call */
    int32_t delay;  /* samples */
} helia_signal_delay_params;

/* line[rows][delay] holds the samples that are under way, the oldest first; NULL where the delay is 0. */
void helia_signal_delay_s16_c(const helia_signal_delay_params *p, const int16_t *in, int16_t *line, int16_t *out);

#endif
