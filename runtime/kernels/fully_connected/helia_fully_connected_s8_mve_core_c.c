/* The inner loops of helia_fully_connected_s8_mve in portable C, on the same stream (little-endian): what a module for
 * a core with MVE runs elsewhere. */
#include "helia_fully_connected_s8_mve.h"

#include "helia_mve.h"

#if !defined(__ARM_FEATURE_MVE)

static void core(const int8_t *in, const uint32_t *stream, int8_t *out, const helia_fully_connected_s8_mve_loops *loops,
                 int32_t per_channel)
{
    const int32_t depth = loops->depth, first = loops->first;
    for (int32_t pass = 0; pass < loops->passes; pass++, stream += 2 * depth + (per_channel ? 24 : 8), out += 8) {
        const uint32_t *record = stream + 2 * depth;
        for (int32_t unit = 0; unit < 8; unit++) {
            const int8_t *begin = (const int8_t *)stream, *w = begin + 8 * first + 16 * unit;
            const int32_t lane = unit / 2 + unit % 2 * 4;
            int32_t acc = (int32_t)record[lane];
            for (int32_t k = 0; k < first; k++)
                acc = helia_wrap_add(acc, begin[first * unit + k] * in[k]);
            for (int32_t k = 0; k < depth - first; k++)
                acc = helia_wrap_add(acc, w[k / 16 * 128 + k % 16] * in[first + k]);
            out[unit] = helia_mve_requantize(acc, per_channel ? (int32_t)record[8 + lane] : loops->multiplier,
                                             per_channel ? (int32_t)record[16 + lane] : loops->shift, loops->out_zero);
        }
    }
}

void helia_fully_connected_s8_mve_relu(const int8_t *in, const uint32_t *stream, int8_t *out,
                                       const helia_fully_connected_s8_mve_loops *loops)
{
    core(in, stream, out, loops, 0);
}

void helia_fully_connected_s8_mve_linear(const int8_t *in, const uint32_t *stream, int8_t *out,
                                         const helia_fully_connected_s8_mve_loops *loops)
{
    core(in, stream, out, loops, 0);
}

void helia_fully_connected_s8_mve_channels_relu(const int8_t *in, const uint32_t *stream, int8_t *out,
                                                const helia_fully_connected_s8_mve_loops *loops)
{
    core(in, stream, out, loops, 1);
}

void helia_fully_connected_s8_mve_channels_linear(const int8_t *in, const uint32_t *stream, int8_t *out,
                                                  const helia_fully_connected_s8_mve_loops *loops)
{
    core(in, stream, out, loops, 1);
}

#else
typedef int helia_fully_connected_s8_mve_core_c_is_elsewhere; /* helia_fully_connected_s8_mve_core.c */
#endif
