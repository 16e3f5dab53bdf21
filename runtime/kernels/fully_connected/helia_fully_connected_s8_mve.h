/* int8 FULLY_CONNECTED for cores with MVE: eight units at a time, VMLADAV over 16 elements.
 *
 * Stream, 32-bit words for each eight units; units behind the last one are 0:
 *   16 weights of unit 0, ... 16 weights of unit 7   for each 16 elements of the depth; what is behind it is 0
 *   bias of units 0, 2, 4, 6, then 1, 3, 5, 7        the input's zero point is folded in
 *   multipliers, then shifts, in that order          only where channels have their own (per_channel)
 * The weights' zero point is 0. A row whose length is no multiple of 16 is read from a padded copy in scratch.
 *
 * Requantisation as in helia_conv_2d_s8_mve.h, lanes being units. */
#ifndef HELIA_FULLY_CONNECTED_S8_MVE_H
#define HELIA_FULLY_CONNECTED_S8_MVE_H

#include <stddef.h>
#include <stdint.h>

typedef struct helia_fully_connected_s8_mve_params {
    int32_t rows, depth, units; /* in [rows][depth], out [rows][units] */
    int32_t out_zero;
    int32_t relu;     /* the activation's lower bound is at or above the output's zero point */
    int32_t min, max; /* the fused activation's range */
    int32_t per_channel;
    int32_t multiplier, shift; /* otherwise; shift is at most -1 */
} helia_fully_connected_s8_mve_params;

/* Words of the stream for eight units. */
static inline int32_t helia_fully_connected_s8_mve_words(const helia_fully_connected_s8_mve_params *p)
{
    return (p->depth + 15) / 16 * 32 + (p->per_channel ? 24 : 8);
}

static inline size_t helia_fully_connected_s8_mve_scratch(const void *params)
{
    const helia_fully_connected_s8_mve_params *p = params;
    return p->depth % 16 ? (size_t)(p->depth + 15) / 16 * 16 : 0;
}

void helia_fully_connected_s8_mve(const helia_fully_connected_s8_mve_params *p, const int8_t *in,
                                  const uint32_t *stream, int8_t *out, void *scratch);

/* ---- the inner loops --------------------------------------------------------------------------- */
typedef struct helia_fully_connected_s8_mve_loops {
    int32_t passes;            /* 0: of eight units */
    int32_t chunks;            /* 4: behind the first one */
    int32_t out_zero;          /* 8 */
    int32_t multiplier, shift; /* 12: per tensor */
} helia_fully_connected_s8_mve_loops;

typedef void helia_fully_connected_s8_mve_core(const int8_t *in, const uint32_t *stream, int8_t *out,
                                               const helia_fully_connected_s8_mve_loops *loops);
helia_fully_connected_s8_mve_core helia_fully_connected_s8_mve_relu, helia_fully_connected_s8_mve_linear;
helia_fully_connected_s8_mve_core helia_fully_connected_s8_mve_channels_relu,
    helia_fully_connected_s8_mve_channels_linear;

#endif
