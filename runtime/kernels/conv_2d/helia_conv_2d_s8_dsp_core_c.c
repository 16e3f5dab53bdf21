/* The inner loops of helia_conv_2d_s8_dsp in portable C, on the same stream: what a module for a DSP core runs elsewhere. */
#include "helia_conv_2d_s8_dsp.h"

#include "helia_math.h"

#if !defined(__ARM_FEATURE_DSP)

static int32_t dot(uint32_t a, uint32_t b)
{
    int32_t low = (int16_t)(a & 0xffffu) * (int16_t)(b & 0xffffu);
    int32_t high = (int16_t)(a >> 16) * (int16_t)(b >> 16);
    return helia_wrap_add(low, high);
}

static uint32_t low_bytes(uint32_t w)
{
    return (uint32_t)(uint16_t)(int8_t)(w & 0xffu) | (uint32_t)(uint16_t)(int8_t)(w >> 16 & 0xffu) << 16;
}

/* a is 256 times the accumulator. */
static int8_t requantize(int32_t a, const uint32_t *record, int32_t relu)
{
    int32_t m = (int32_t)record[0], c = (int32_t)record[1], r = (int32_t)record[2];
    int32_t n = relu || a >= 0 ? 0 : (int32_t)record[3];
    int32_t y = helia_wrap_add((int32_t)(((int64_t)a * m) >> 32), c) - n;
    return (int8_t)helia_clamp(y >> r, INT8_MIN, INT8_MAX);
}

static void core(const uint32_t *windows, const uint32_t *stream, int8_t *out, const helia_conv_2d_s8_dsp_loops *loops,
                 int32_t relu)
{
    int32_t pairs = loops->window_bytes / 12, record = relu ? 3 : 4;
    for (int32_t n = 0; n < loops->channel_pairs; n++, stream += 2 + pairs + 2 * record, out += 2) {
        for (int32_t j = 0; j < 3; j++) {
            int32_t both = (int32_t)stream[0], b = (int32_t)stream[1];
            for (int32_t i = 0; i < pairs; i++) {
                both = helia_wrap_add(both, dot(stream[2 + i], windows[3 * i + j]));
                b = helia_wrap_add(b, dot(low_bytes(stream[2 + i]), windows[3 * i + j]));
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
