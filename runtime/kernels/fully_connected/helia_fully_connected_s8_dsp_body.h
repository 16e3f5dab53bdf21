/* The body of helia_fully_connected_s8_dsp. Inline, so that an operator's constants can reach it. */
#ifndef HELIA_FULLY_CONNECTED_S8_DSP_BODY_H
#define HELIA_FULLY_CONNECTED_S8_DSP_BODY_H

#include "helia_dsp.h"
#include "helia_fully_connected_s8_dsp.h"

HELIA_INLINE void helia_fully_connected_s8_dsp_body(const helia_fully_connected_s8_dsp_params *p, const int8_t *in,
                                                    const uint32_t *stream, int8_t *out, void *scratch)
{
    helia_fully_connected_dsp_core *core =
        p->per_channel ? (p->relu ? helia_fully_connected_dsp_each_relu : helia_fully_connected_dsp_each_linear)
                       : (p->relu ? helia_fully_connected_dsp_one_relu : helia_fully_connected_dsp_one_linear);
    const int32_t steps = helia_fully_connected_s8_dsp_steps(p);
    const helia_fully_connected_dsp_loops loops = {p->units / 4, steps, p->m, p->c, p->r};
    const helia_fully_connected_dsp_loops last = {1, steps, p->m, p->c, p->r};
    uint32_t *row = scratch;
    int8_t *rest = (int8_t *)(row + 4 * steps);
    for (int32_t r = 0; r < p->rows; r++, in += p->depth, out += p->units) {
        HELIA_UNROLL(4)
        for (int32_t i = 0; i < p->depth / 4; i++) {
            uint32_t v = helia_load4(in + 4 * i);
            row[2 * i] = helia_sxtb16(v);
            row[2 * i + 1] = helia_sxtb16_high(v);
        }
        if (p->depth % 8) {
            uint32_t v = 0;
            memcpy(&v, in + p->depth / 4 * 4, (size_t)(p->depth % 4));
            for (int32_t i = p->depth / 4 * 2; i < 4 * steps; i += 2, v = 0) {
                row[i] = helia_sxtb16(v);
                row[i + 1] = helia_sxtb16_high(v);
            }
        }
        if (p->units >= 4)
            core(row, stream, out, &loops);
        if (p->units % 4) {
            core(row, stream + p->units / 4 * helia_fully_connected_s8_dsp_words(p), rest, &last);
            memcpy(out + p->units / 4 * 4, rest, (size_t)(p->units % 4));
        }
    }
    if (p->min > INT8_MIN || p->max < INT8_MAX)
        for (int32_t i = -p->rows * p->units; i < 0; i++)
            out[i] = (int8_t)(out[i] < p->min ? p->min : out[i] > p->max ? p->max : out[i]);
}

#endif
