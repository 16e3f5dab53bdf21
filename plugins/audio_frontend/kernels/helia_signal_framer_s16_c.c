/* The framer in portable C. */
#include "helia_signal_framer.h"

#include <string.h>

/* The frames of one row; returns how many samples it holds then. */
static int32_t frame_row(const helia_signal_framer_params *p, const int16_t *in, int16_t *samples, int32_t held,
                         int16_t *out, uint8_t *valid)
{
    for (int32_t f = 0; f < p->frames; f++) {
        memcpy(samples + held, in, (size_t)p->step * sizeof(*samples));
        held += p->step;
        if (held >= p->size) {
            memcpy(out, samples, (size_t)p->size * sizeof(*out));
            held -= p->step;
            memmove(samples, samples + p->step, (size_t)held * sizeof(*samples));
        } else {
            *valid = 0;
        }
        in += p->step;
        out += p->size;
    }
    return held;
}

void helia_signal_framer_s16_c(const helia_signal_framer_params *p, const int16_t *in, int16_t *samples, int32_t *held,
                               int16_t *out, uint8_t *valid)
{
    const int32_t before = *held; /* of every row: they all get the same number */
    *valid = 1;
    for (int32_t r = 0; r < p->rows; r++) {
        *held = frame_row(p, in, samples, before, out, valid);
        in += p->frames * p->step;
        samples += p->capacity;
        out += p->frames * p->size;
    }
}
