/* int8 FULLY_CONNECTED for x86-64: rows are the pixels and units the channels of helia_x86_tile.h, whose layout the
 * weights have. Weights with one scale have it for each unit. */
#ifndef HELIA_FULLY_CONNECTED_S8_X86_H
#define HELIA_FULLY_CONNECTED_S8_X86_H

#include <stddef.h>
#include <stdint.h>

typedef struct helia_fully_connected_s8_x86_params {
    int32_t rows, depth, units;
    int32_t out_zero;
    int32_t relu;     /* the activation's lower bound is at or above the output's zero point */
    int32_t min, max; /* the fused activation's range */
} helia_fully_connected_s8_x86_params;

enum { HELIA_FULLY_CONNECTED_S8_X86_ROWS = 16, HELIA_FULLY_CONNECTED_S8_X86_BEHIND = 3 };

/* Some rows, plus 128. */
static inline size_t helia_fully_connected_s8_x86_scratch(const void *params)
{
    const helia_fully_connected_s8_x86_params *p = params;
    const int32_t most = HELIA_FULLY_CONNECTED_S8_X86_ROWS;
    return (size_t)(p->rows < most ? p->rows : most) * (size_t)p->depth + HELIA_FULLY_CONNECTED_S8_X86_BEHIND;
}

void helia_fully_connected_s8_x86(const helia_fully_connected_s8_x86_params *p, const int8_t *in,
                                  const uint32_t *stream, int8_t *out, void *scratch);

#endif
