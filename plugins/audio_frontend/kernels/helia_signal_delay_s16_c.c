/* The delay in portable C. */
#include "helia_signal_delay.h"

#include <string.h>

/* Copies `count` samples, which may be none; the places may overlap. */
static void move(int16_t *to, const int16_t *from, int32_t count)
{
    if (count > 0)
        memmove(to, from, (size_t)count * sizeof(*to));
}

void helia_signal_delay_s16_c(const helia_signal_delay_params *p, const int16_t *in, int16_t *line, int16_t *out)
{
    /* What leaves the line, and what stays in it, before the new samples. */
    const int32_t leaves = p->delay < p->length ? p->delay : p->length, stays = p->delay - leaves;
    for (int32_t r = 0; r < p->rows; r++) {
        move(out, line, leaves);
        if (stays > 0)
            move(line, line + leaves, stays);
        move(out + leaves, in, p->length - leaves);
        if (leaves > 0) {
            move(line + stays, in + p->length - leaves, leaves);
            line += p->delay;
        }
        in += p->length;
        out += p->length;
    }
}
