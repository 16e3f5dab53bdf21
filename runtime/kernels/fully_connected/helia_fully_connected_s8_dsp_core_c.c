/* The inner loops of helia_fully_connected_s8_dsp in portable C, on the same stream: what a module for a DSP core runs
 * elsewhere. */
#include "helia_fully_connected_s8_dsp.h"

#include "helia_dsp.h"
#include "helia_math.h"

#if !defined(__ARM_FEATURE_DSP)

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
                acc[j] = helia_smlad(w, row[k], acc[j]);
                acc[j + 1] = helia_smlad(helia_sxtb16(w), row[k], acc[j + 1]);
            }
        }
        for (int32_t k = 0; k < 4; k++) {
            int32_t scale[3] = {loops->m, loops->c, loops->r};
            for (int32_t j = 0; each && j < 3; j++)
                scale[j] = (int32_t)*stream++;
            /* 256 times the accumulator */
            int32_t a = k % 2 ? helia_wrap_shl(acc[k], 8) : helia_wrap_sub(acc[k], acc[k + 1]);
            out[k] = (int8_t)helia_short_requantize(a, scale[0], scale[1], scale[2], relu ? 0 : 128);
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
