/* Overlapping frames of a stream. */
#ifndef HELIA_SIGNAL_FRAMER_H
#define HELIA_SIGNAL_FRAMER_H

#include <stdint.h>

typedef struct helia_signal_framer_params {
    int32_t rows;
    int32_t frames; /* of a row in a call; a row of the input has frames * step samples */
    int32_t size;   /* samples of a frame */
    int32_t step;   /* samples from frame to frame */
    int32_t capacity;
} helia_signal_framer_params;

/* samples[rows][capacity] and *held, how many of a row there are, are kept between calls. Frames for which samples are
 * missing are not written, and *valid is 0 if there are such. */
void helia_signal_framer_s16_c(const helia_signal_framer_params *p, const int16_t *in, int16_t *samples, int32_t *held,
                               int16_t *out, uint8_t *valid);

#endif
