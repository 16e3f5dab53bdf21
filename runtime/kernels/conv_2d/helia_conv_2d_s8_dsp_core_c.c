/* The inner loops of helia_conv_2d_s8_dsp in portable C, on the same stream: what a module for a DSP core runs elsewhere. */
#include "helia_conv_2d_s8_dsp.h"

#include "helia_dsp.h"
#include "helia_math.h"

#if !defined(__ARM_FEATURE_DSP)

/* a is 256 times the accumulator. */
static int8_t requantize(int32_t a, const uint32_t *record, int32_t relu)
{
    return (int8_t)helia_short_requantize(a, (int32_t)record[0], (int32_t)record[1], (int32_t)record[2],
                                          relu ? 0 : (int32_t)record[3]);
}

static void core(const uint32_t *windows, const uint32_t *stream, int8_t *out, const helia_conv_2d_s8_dsp_loops *loops,
                 int32_t relu)
{
    int32_t pairs = loops->window_bytes / 12, record = relu ? 3 : 4;
    for (int32_t n = 0; n < loops->channel_pairs; n++, stream += 2 + pairs + 2 * record, out += 2) {
        for (int32_t j = 0; j < 3; j++) {
            int32_t both = (int32_t)stream[0], b = (int32_t)stream[1];
            for (int32_t i = 0; i < pairs; i++) {
                both = helia_smlad(stream[2 + i], windows[3 * i + j], both);
                b = helia_smlad(helia_sxtb16(stream[2 + i]), windows[3 * i + j], b);
            }
            const uint32_t *records = stream + 2 + pairs;
            out[j * loops->out_c] = requantize(helia_wrap_sub(both, b), records, relu);
            out[j * loops->out_c + 1] = requantize(helia_wrap_shl(b, 8), records + record, relu);
        }
    }
}

void helia_conv_2d_s8_dsp_core_relu(const uint32_t *windows, const uint32_t *stream, int8_t *out,
                                    const helia_conv_2d_s8_dsp_loops *loops)
{
    core(windows, stream, out, loops, 1);
}

void helia_conv_2d_s8_dsp_core_linear(const uint32_t *windows, const uint32_t *stream, int8_t *out,
                                      const helia_conv_2d_s8_dsp_loops *loops)
{
    core(windows, stream, out, loops, 0);
}

#else
typedef int helia_conv_2d_s8_dsp_core_c_is_elsewhere; /* helia_conv_2d_s8_dsp_core.c */
#endif
