/* The inner loops of helia_fully_connected_s8_dsp in portable C, on the same stream: what a module for a DSP core runs
 * elsewhere. */
#include "helia_fully_connected_s8_dsp.h"

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
static int8_t requantize(int32_t a, const int32_t scale[3], int32_t relu)
{
    int32_t y = helia_wrap_add((int32_t)(((int64_t)a * scale[0]) >> 32), scale[1]) - (relu || a >= 0 ? 0 : 128);
    return (int8_t)helia_clamp(y >> scale[2], INT8_MIN, INT8_MAX);
}

static void core(const uint32_t *row, const uint32_t *stream, int8_t *out, const helia_fully_connected_dsp_loops *loops,
                 int32_t each, int32_t relu)
{
    for (int32_t i = 0; i < loops->fours; i++, out += 4) {
        int32_t acc[4];
        for (int32_t k = 0; k < 4; k++)
            acc[k] = (int32_t)*stream++;
        for (int32_t k = 0; k < loops->steps * 4; k++) {
            for (int32_t j = 0; j < 4; j += 2) {
                uint32_t w = *stream++;
                acc[j] = helia_wrap_add(acc[j], dot(w, row[k]));
                acc[j + 1] = helia_wrap_add(acc[j + 1], dot(low_bytes(w), row[k]));
            }
        }
        for (int32_t k = 0; k < 4; k++) {
            int32_t scale[3] = {loops->m, loops->c, loops->r};
            for (int32_t j = 0; each && j < 3; j++)
                scale[j] = (int32_t)*stream++;
            int32_t a = k % 2 ? helia_wrap_shl(acc[k], 8) : helia_wrap_sub(acc[k], acc[k + 1]);
            out[k] = requantize(a, scale, relu);
        }
    }
}

void helia_fully_connected_dsp_one_relu(const uint32_t *row, const uint32_t *stream, int8_t *out,
                                        const helia_fully_connected_dsp_loops *loops)
{
    core(row, stream, out, loops, 0, 1);
}

void helia_fully_connected_dsp_one_linear(const uint32_t *row, const uint32_t *stream, int8_t *out,
                                          const helia_fully_connected_dsp_loops *loops)
{
    core(row, stream, out, loops, 0, 0);
}

void helia_fully_connected_dsp_each_relu(const uint32_t *row, const uint32_t *stream, int8_t *out,
                                         const helia_fully_connected_dsp_loops *loops)
{
    core(row, stream, out, loops, 1, 1);
}

void helia_fully_connected_dsp_each_linear(const uint32_t *row, const uint32_t *stream, int8_t *out,
                                           const helia_fully_connected_dsp_loops *loops)
{
    core(row, stream, out, loops, 1, 0);
}

#else
typedef int helia_fully_connected_s8_dsp_core_c_is_elsewhere; /* helia_fully_connected_s8_dsp_core.c */
#endif
