/* The inner loops of helia_depthwise_conv_2d_s8_dsp in portable C, on the same lines and records: what a module for a DSP
 * core runs elsewhere. */
#include "helia_depthwise_conv_2d_s8_dsp.h"

#include "helia_dsp.h"
#include "helia_math.h"

#if !defined(__ARM_FEATURE_DSP)

static int32_t low(uint32_t w)
{
    return (int16_t)(w & 0xffffu);
}

static int32_t high(uint32_t w)
{
    return (int16_t)(w >> 16);
}

/* a is 2^k times the accumulator. */
static int8_t requantize(int32_t a, const uint32_t *record, int32_t relu)
{
    return (int8_t)helia_short_requantize(a, (int32_t)record[8], (int32_t)record[9], (int32_t)record[7],
                                          relu ? 0 : (int32_t)record[10]);
}

/* Column x of the first row (second 0) or the second one. */
static int32_t accumulate(const uint32_t *upper, const uint32_t *lower, const uint32_t *record, int32_t second)
{
    int32_t acc = (int32_t)record[0];
    for (int32_t i = 0; i < 3; i++) {
        int32_t w0 = low(record[1 + i]), w1 = high(record[1 + i]), w2 = high(record[4 + i]);
        int32_t r0 = low(upper[i]), r1 = high(upper[i]), r2 = low(lower[i]), r3 = high(lower[i]);
        acc = helia_wrap_add(acc, second ? w0 * r1 + w1 * r2 : w0 * r0 + w1 * r1);
        acc = helia_wrap_add(acc, second ? w2 * r3 : w2 * r2);
    }
    return acc;
}

static void core(const uint32_t *upper, const uint32_t *lower, const uint32_t *records, int8_t *out,
                 const helia_depthwise_dsp_loops *loops, int32_t stride, int32_t relu)
{
    const int32_t width = loops->columns + loops->twos * 2 + loops->ones;
    const int32_t consumed = (loops->columns + 3) / 4 * 4 + loops->twos * 2;
    const int32_t line = loops->line_advance / 4 + stride * consumed;
    for (int32_t c = 0; c < 4; c++, records += HELIA_DEPTHWISE_DSP_RECORD, out++) {
        for (int32_t x = 0; x < width; x++) {
            const uint32_t *a = upper + c * line + x * stride, *b = lower + c * line + x * stride;
            out[x * loops->channels] = requantize(accumulate(a, b, records, 0), records, relu);
            if (loops->row_bytes)
                out[x * loops->channels + loops->row_bytes] = requantize(accumulate(a, b, records, 1), records, relu);
        }
    }
}

void helia_depthwise_dsp_s1_relu(const uint32_t *upper, const uint32_t *lower, const uint32_t *records, int8_t *out,
                                 const helia_depthwise_dsp_loops *loops)
{
    core(upper, lower, records, out, loops, 1, 1);
}

void helia_depthwise_dsp_s1_linear(const uint32_t *upper, const uint32_t *lower, const uint32_t *records, int8_t *out,
                                   const helia_depthwise_dsp_loops *loops)
{
    core(upper, lower, records, out, loops, 1, 0);
}

void helia_depthwise_dsp_s2_relu(const uint32_t *upper, const uint32_t *lower, const uint32_t *records, int8_t *out,
                                 const helia_depthwise_dsp_loops *loops)
{
    core(upper, lower, records, out, loops, 2, 1);
}

void helia_depthwise_dsp_s2_linear(const uint32_t *upper, const uint32_t *lower, const uint32_t *records, int8_t *out,
                                   const helia_depthwise_dsp_loops *loops)
{
    core(upper, lower, records, out, loops, 2, 0);
}

#else
typedef int helia_depthwise_conv_2d_s8_dsp_core_c_is_elsewhere; /* helia_depthwise_conv_2d_s8_dsp_core.c */
#endif
