/* A stream from overlapping frames. */
#ifndef HELIA_SIGNAL_OVERLAP_ADD_H
#define HELIA_SIGNAL_OVERLAP_ADD_H

#include <stdint.h>

typedef struct helia_signal_overlap_add_params {
    int32_t rows;
    int32_t frames; /* of a row in a call */
    int32_t size;   /* samples of a frame */
    int32_t step;   /* samples from frame to frame, 1 to size */
} helia_signal_overlap_add_params;

/* overlap[rows][size], the sums that are not complete yet, is kept between calls. int16 saturates. */
void helia_signal_overlap_add_s16_c(const helia_signal_overlap_add_params *p, const int16_t *in, int16_t *overlap,
                                    int16_t *out);
void helia_signal_overlap_add_f32_c(const helia_signal_overlap_add_params *p, const float *in, float *overlap,
                                    float *out);

#endif
