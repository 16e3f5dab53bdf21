/* The stacker in portable C. */
#include "helia_signal_stacker.h"

#include <string.h>

void helia_signal_stacker_s16_c(const helia_signal_stacker_params *p, const int16_t *in, int16_t *frames,
                                int32_t *progress, int16_t *out, uint8_t *valid)
{
    const size_t frame_size = (size_t)p->channels * sizeof(*frames);
    int32_t held = progress[HELIA_SIGNAL_STACKER_HELD];
    int32_t copies = progress[HELIA_SIGNAL_STACKER_BEGUN] ? 1 : p->left + 1;
    for (; copies > 0; copies--)
        memcpy(frames + held++ * p->channels, in, frame_size);
    /* A step drops a frame at least, so one call never leaves more than a stack. */
    *valid = held == p->height;
    if (*valid) {
        memcpy(out, frames, (size_t)held * frame_size);
        held -= p->step;
        memmove(frames, frames + p->step * p->channels, (size_t)held * frame_size);
    }
    progress[HELIA_SIGNAL_STACKER_HELD] = held;
    progress[HELIA_SIGNAL_STACKER_BEGUN] = 1;
}
