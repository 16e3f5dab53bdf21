/* The body of helia_fully_connected_s8_x86. Inline, so that an operator's constants can reach it. */
#ifndef HELIA_FULLY_CONNECTED_S8_X86_BODY_H
#define HELIA_FULLY_CONNECTED_S8_X86_BODY_H

#include "helia_fully_connected_s8_x86.h"
#include "helia_x86_tile.h"

HELIA_INLINE void helia_fully_connected_s8_x86_body(const helia_fully_connected_s8_x86_params *p, const int8_t *in,
                                                    const uint32_t *stream, int8_t *out, void *scratch)
{
    const int32_t most = HELIA_FULLY_CONNECTED_S8_X86_ROWS;
    uint8_t *rows = scratch;
    helia_x86_product product = {{p->out_zero, p->relu, p->min, p->max}, p->units, 1, 0, 0, p->depth};
    product.fours = (p->depth + 3) / 4;
    memset(rows + helia_min(p->rows, most) * p->depth, 0, HELIA_FULLY_CONNECTED_S8_X86_BEHIND);
    for (int32_t i = 0; i < p->rows; i += most) {
        const int32_t n = helia_min(p->rows - i, most);
        helia_x86_flip(rows, in + i * p->depth, n * p->depth);
        helia_x86_multiply(&product, rows, n, stream, out + i * p->units);
    }
}

#endif
