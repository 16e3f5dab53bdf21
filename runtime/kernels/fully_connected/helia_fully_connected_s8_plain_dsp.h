/* int8 FULLY_CONNECTED for cores with the DSP extension, without conditions on weights, sums and scales and without working
 * memory: what helia_fully_connected_s8_dsp cannot have, what has few units, and what shall be small.
 *
 * Four units at a time, then two. Stream, 32-bit words for each group; a last single unit has one of zeros beside it:
 *   bias of each unit, the zero points folded in
 *   a word of weights of each unit    for each four elements of the depth; what is behind it is 0
 *   multiplier of each unit, then shift of each unit    only where channels have their own (per_channel)
 * Sums wrap as the reference's do, and the requantisation is the reference's. */
#ifndef HELIA_FULLY_CONNECTED_S8_PLAIN_DSP_H
#define HELIA_FULLY_CONNECTED_S8_PLAIN_DSP_H

#include <stdint.h>

typedef struct helia_fully_connected_s8_plain_dsp_params {
    int32_t rows, depth, units; /* in [rows][depth], out [rows][units] */
    int32_t weights_zero, out_zero;
    int32_t per_channel;
    int32_t multiplier, shift; /* otherwise */
    int32_t min, max;          /* the fused activation's range */
} helia_fully_connected_s8_plain_dsp_params;

/* Words of the stream for one unit. */
static inline int32_t helia_fully_connected_s8_plain_dsp_words(const helia_fully_connected_s8_plain_dsp_params *p)
{
    return 1 + (p->depth + 3) / 4 + (p->per_channel ? 2 : 0);
}

/* Words of the stream. */
static inline int32_t helia_fully_connected_s8_plain_dsp_stream_words(
    const helia_fully_connected_s8_plain_dsp_params *p)
{
    return (p->units + 1) / 2 * 2 * helia_fully_connected_s8_plain_dsp_words(p);
}

void helia_fully_connected_s8_plain_dsp(const helia_fully_connected_s8_plain_dsp_params *p, const int8_t *in,
                                        const uint32_t *stream, int8_t *out);

#endif
