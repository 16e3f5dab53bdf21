/* int8 FULLY_CONNECTED for cores with MVE: eight units at a time, VMLADAV over 16 elements.
 *
 * Stream, 32-bit words for each eight units; units behind the last one are 0:
 *   the first weights of unit 0, ... of unit 7       bytes: depth % 16 of each, or 16
 *   16 weights of unit 0, ... 16 weights of unit 7   for each 16 further elements of the depth
 *   bias of units 0, 2, 4, 6, then 1, 3, 5, 7        the input's zero point is folded in
 *   multipliers, then shifts, in that order          only where channels have their own (per_channel)
 * The weights' zero point is 0. First elements that are fewer than 16 have zeros behind them in their vector, so that the
 * bytes behind the weights do not count.
 *
 * Requantisation as in helia_conv_2d_s8_mve.h, lanes being units. */
#ifndef HELIA_FULLY_CONNECTED_S8_MVE_H
#define HELIA_FULLY_CONNECTED_S8_MVE_H

#include <stdint.h>

typedef struct helia_fully_connected_s8_mve_params {
    int32_t rows, depth, units; /* in [rows][depth], out [rows][units] */
    int32_t out_zero;
    int32_t relu;     /* the activation's lower bound is at or above the output's zero point */
    int32_t min, max; /* the fused activation's range */
    int32_t per_channel;
    int32_t multiplier, shift; /* otherwise; shift is at most -1 */
} helia_fully_connected_s8_mve_params;

/* Elements of the first vector. */
static inline int32_t helia_fully_connected_s8_mve_first(int32_t depth)
{
    return (depth - 1) % 16 + 1;
}

/* Words of the stream for eight units. */
static inline int32_t helia_fully_connected_s8_mve_words(const helia_fully_connected_s8_mve_params *p)
{
    return 2 * p->depth + (p->per_channel ? 24 : 8);
}

void helia_fully_connected_s8_mve(const helia_fully_connected_s8_mve_params *p, const int8_t *in,
                                  const uint32_t *stream, int8_t *out);
void helia_fully_connected_per_channel_s8_mve(const helia_fully_connected_s8_mve_params *p, const int8_t *in,
                                              const uint32_t *stream, int8_t *out);

/* ---- the inner loops --------------------------------------------------------------------------- */
typedef struct helia_fully_connected_s8_mve_loops {
    int32_t passes;            /* 0: of eight units */
    int32_t chunks;            /* 4: of 16 elements, behind the first ones */
    int32_t out_zero;          /* 8 */
    int32_t multiplier, shift; /* 12: per tensor */
    int32_t first;             /* 20: elements of the first vector */
    int32_t depth;             /* 24 */
} helia_fully_connected_s8_mve_loops;

typedef void helia_fully_connected_s8_mve_core(const int8_t *in, const uint32_t *stream, int8_t *out,
                                               const helia_fully_connected_s8_mve_loops *loops);
helia_fully_connected_s8_mve_core helia_fully_connected_s8_mve_relu, helia_fully_connected_s8_mve_linear;
helia_fully_connected_s8_mve_core helia_fully_connected_s8_mve_channels_relu,
    helia_fully_connected_s8_mve_channels_linear;

#endif
