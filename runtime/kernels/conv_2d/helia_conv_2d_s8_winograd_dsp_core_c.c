/* The inner loops of helia_conv_2d_s8_winograd_dsp in portable C, on the same lines and stream: what a module for a DSP core
 * runs elsewhere. */
#include "helia_conv_2d_s8_winograd_dsp.h"

#include "helia_dsp.h"
#include "helia_math.h"

#if !defined(__ARM_FEATURE_DSP)

/* a is 2^k times the accumulator. */
static int8_t requantize(int32_t a, const uint32_t *record, int32_t relu)
{
    return (int8_t)helia_short_requantize(a, (int32_t)record[0], (int32_t)record[1], (int32_t)record[2],
                                          relu ? 0 : (int32_t)record[3]);
}

static void core(const uint32_t *stream, int8_t *out, const helia_winograd_loops *loops, int32_t relu)
{
    static const int32_t order[4] = {1, 2, 0, 3};
    const int32_t pairs = loops->row_bytes / 16, record = relu ? 3 : 4, column = loops->tile_bytes / 2;
    for (int32_t n = 0; n < loops->channel_pairs; n++, stream += 2 + 2 * record + 24 * pairs, out += 2) {
        for (int32_t tile = 0; tile < 4; tile++) {
            for (int32_t channel = 0; channel < 2; channel++) {
                int32_t sum[4];
                const uint32_t *w = stream + 2 + 2 * record + channel;
                for (int32_t i = 0; i < 4; i++) {
                    int32_t acc = 0;
                    for (int32_t r = 0; r < 3; r++) {
                        const uint32_t *x = loops->row[r] + order[i] * (loops->component / 4) + tile;
                        for (int32_t k = 0; k < pairs; k++, w += 2)
                            acc = helia_smlad(*w, x[4 * k], acc);
                    }
                    sum[order[i]] = acc;
                }
                int32_t first = helia_wrap_add((int32_t)stream[channel], sum[1]);
                const uint32_t *scale = stream + 2 + channel * record;
                int8_t *at = out + tile * loops->tile_bytes + channel;
                at[0] = requantize(helia_wrap_add(helia_wrap_add(first, sum[2]), sum[0]), scale, relu);
                at[column] = requantize(helia_wrap_add(helia_wrap_sub(first, sum[2]), sum[3]), scale, relu);
            }
        }
    }
}

void helia_winograd_core_relu(const uint32_t *stream, int8_t *out, const helia_winograd_loops *loops)
{
    core(stream, out, loops, 1);
}

void helia_winograd_core_linear(const uint32_t *stream, int8_t *out, const helia_winograd_loops *loops)
{
    core(stream, out, loops, 0);
}

#else
typedef int helia_conv_2d_s8_winograd_dsp_core_c_is_elsewhere; /* helia_conv_2d_s8_winograd_dsp_core.c */
#endif
