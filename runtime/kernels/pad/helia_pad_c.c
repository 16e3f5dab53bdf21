/* PAD and PADV2, portable. */
#include <stddef.h>
#include <string.h>

#include "helia_pad.h"

static uint8_t *fill(const helia_pad_params *p, const void *value, uint8_t *out, int32_t bytes)
{
    if (!value || p->element == 1) {
        memset(out, value ? *(const uint8_t *)value : p->fill, (size_t)bytes);
    } else {
        for (int32_t i = 0; i < bytes; i += p->element)
            memcpy(out + i, value, (size_t)p->element);
    }
    return out + bytes;
}

/* Moves to the next row of the output; 0 after the last. */
static int32_t next_row(const helia_pad_params *p, int32_t *index)
{
    for (int32_t d = p->rank - 2; d >= 0; d--) {
        if (++index[d] < p->before[d] + p->in[d] + p->after[d])
            return 1;
        index[d] = 0;
    }
    return 0;
}

static int32_t row_is_inside(const helia_pad_params *p, const int32_t *index)
{
    for (int32_t d = 0; d < p->rank - 1; d++)
        if (index[d] < p->before[d] || index[d] >= p->before[d] + p->in[d])
            return 0;
    return 1;
}

void helia_pad_c(const helia_pad_params *p, const void *restrict in, const void *restrict value, void *restrict out)
{
    const int32_t last = p->rank - 1;
    const int32_t before = p->before[last], row = p->in[last], after = p->after[last];
    const uint8_t *from = in;
    uint8_t *to = out;
    int32_t index[HELIA_PAD_RANK] = {0};
    do {
        if (row_is_inside(p, index)) {
            to = fill(p, value, to, before);
            memcpy(to, from, (size_t)row);
            from += row;
            to = fill(p, value, to + row, after);
        } else {
            to = fill(p, value, to, before + row + after);
        }
    } while (next_row(p, index));
}
