/* Frames stacked with those before and behind them. */
#ifndef HELIA_SIGNAL_STACKER_H
#define HELIA_SIGNAL_STACKER_H

#include <stdint.h>

typedef struct helia_signal_stacker_params {
    int32_t channels; /* values of a frame */
    int32_t left;     /* how often the first frame is repeated */
    int32_t height;   /* frames of a stack */
    int32_t step;     /* frames from stack to stack, 1 to height */
} helia_signal_stacker_params;

/* The elements of `progress`: how many frames are held, and whether there was a call. */
enum { HELIA_SIGNAL_STACKER_HELD, HELIA_SIGNAL_STACKER_BEGUN, HELIA_SIGNAL_STACKER_PROGRESS };

/* frames[height][channels] and progress are kept between calls. *valid says whether a stack was complete and `out` has been
 * written. */
void helia_signal_stacker_s16_c(const helia_signal_stacker_params *p, const int16_t *in, int16_t *frames,
                                int32_t *progress, int16_t *out, uint8_t *valid);

#endif
