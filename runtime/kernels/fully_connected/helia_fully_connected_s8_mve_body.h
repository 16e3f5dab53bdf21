/* The body of helia_fully_connected_s8_mve. Inline, so that an operator's constants can reach it. */
#ifndef HELIA_FULLY_CONNECTED_S8_MVE_BODY_H
#define HELIA_FULLY_CONNECTED_S8_MVE_BODY_H

#include "helia_fully_connected_s8_mve.h"
#include "helia_mve.h"

HELIA_INLINE helia_fully_connected_s8_mve_core *helia_fully_connected_s8_mve_core_of(
    const helia_fully_connected_s8_mve_params *p)
{
    if (p->per_channel)
        return p->relu ? helia_fully_connected_s8_mve_channels_relu : helia_fully_connected_s8_mve_channels_linear;
    return p->relu ? helia_fully_connected_s8_mve_relu : helia_fully_connected_s8_mve_linear;
}

HELIA_INLINE void helia_fully_connected_s8_mve_body(const helia_fully_connected_s8_mve_params *p, const int8_t *in,
                                                    const uint32_t *stream, int8_t *out, void *scratch)
{
    helia_fully_connected_s8_mve_core *core = helia_fully_connected_s8_mve_core_of(p);
    const int32_t passes = p->units / 8, rest = p->units % 8;
    const helia_fully_connected_s8_mve_loops loops = {passes, (p->depth + 15) / 16 - 1, p->out_zero, p->multiplier,
                                                      p->shift};
    helia_fully_connected_s8_mve_loops last = loops;
    last.passes = 1;
    for (int32_t r = 0; r < p->rows; r++, in += p->depth, out += p->units) {
        const int8_t *x = in;
        if (p->depth % 16) {
            int8_t *padded = scratch;
            helia_copy_bytes(padded, in, p->depth / 16 * 16);
            helia_copy_padded(padded + p->depth / 16 * 16, in + p->depth / 16 * 16, p->depth % 16);
            x = padded;
        }
        if (passes)
            core(x, stream, out, &loops);
        if (rest) {
            int8_t results[8];
            core(x, stream + passes * helia_fully_connected_s8_mve_words(p), results, &last);
            memcpy(out + 8 * passes, results, (size_t)rest);
        }
        helia_clamp_bytes(out, p->units, p->min, p->max);
    }
}

#endif
