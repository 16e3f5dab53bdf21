/* Strided copy, portable. */
#include <stddef.h>
#include <string.h>

#include "helia_strided_copy.h"

/* n blocks; those of one element go through registers. */
static uint8_t *copy_row(const uint8_t *from, uint8_t *to, int32_t n, int32_t stride, int32_t block)
{
    switch (block) {
    case 1:
        for (int32_t i = 0; i < n; i++)
            to[i] = from[i * stride];
        break;
    case 2:
        for (int32_t i = 0; i < n; i++)
            memcpy(to + 2 * i, from + i * stride, 2);
        break;
    case 4:
        for (int32_t i = 0; i < n; i++)
            memcpy(to + 4 * i, from + i * stride, 4);
        break;
    default:
        for (int32_t i = 0; i < n; i++)
            memcpy(to + i * block, from + i * stride, (size_t)block);
        break;
    }
    return to + n * block;
}

void helia_strided_copy_c(const helia_strided_copy_params *p, const void *restrict in, void *restrict out)
{
    const int32_t last = p->rank - 1;
    int32_t at = p->offset;
    int32_t index[HELIA_STRIDED_COPY_RANK] = {0};
    const uint8_t *from = in;
    uint8_t *to = out;
    for (;;) {
        int32_t d = last - 1;
        to = copy_row(from + at, to, p->dim[last], p->stride[last], p->block);
        for (; d >= 0; d--) {
            at += p->stride[d];
            if (++index[d] < p->dim[d])
                break;
            at -= p->stride[d] * p->dim[d];
            index[d] = 0;
        }
        if (d < 0)
            return;
    }
}
