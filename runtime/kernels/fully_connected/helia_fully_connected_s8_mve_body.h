/* The body of helia_fully_connected_s8_mve. Inline, so that an operator's constants can reach it. */
#ifndef HELIA_FULLY_CONNECTED_S8_MVE_BODY_H
#define HELIA_FULLY_CONNECTED_S8_MVE_BODY_H

#include "helia_fully_connected_s8_mve.h"
#include "helia_mve.h"

HELIA_INLINE void helia_fully_connected_mve_rows(const helia_fully_connected_s8_mve_params *p, const int8_t *in,
                                                 const uint32_t *stream, helia_fully_connected_s8_mve_core *core,
                                                 int8_t *out)
{
    const int32_t passes = p->units / 8, rest = p->units % 8, first = helia_fully_connected_s8_mve_first(p->depth);
    helia_fully_connected_s8_mve_loops loops = {
        passes, (p->depth - first) / 16, p->out_zero, p->multiplier, p->shift, first, p->depth};
    for (int32_t r = 0; r < p->rows; r++, in += p->depth, out += p->units) {
        loops.passes = passes;
        if (passes)
            core(in, stream, out, &loops);
        if (rest) {
            int8_t results[8];
            loops.passes = 1;
            core(in, stream + passes * helia_fully_connected_s8_mve_words(p), results, &loops);
            helia_copy_bytes(out + 8 * passes, results, rest);
        }
        helia_clamp_bytes(out, p->units, p->min, p->max);
    }
}

HELIA_INLINE void helia_fully_connected_s8_mve_body(const helia_fully_connected_s8_mve_params *p, const int8_t *in,
                                                    const uint32_t *stream, int8_t *out)
{
    helia_fully_connected_mve_rows(
        p, in, stream, p->relu ? helia_fully_connected_s8_mve_relu : helia_fully_connected_s8_mve_linear, out);
}

HELIA_INLINE void helia_fully_connected_per_channel_s8_mve_body(const helia_fully_connected_s8_mve_params *p,
                                                                const int8_t *in, const uint32_t *stream, int8_t *out)
{
    helia_fully_connected_mve_rows(
        p, in, stream,
        p->relu ? helia_fully_connected_s8_mve_channels_relu : helia_fully_connected_s8_mve_channels_linear, out);
}

#endif
