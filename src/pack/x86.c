/* Constants for kernels of x86-64. */
#include "pack/x86.h"

#include "helia_x86_tile.h"

PackedChannel x86_channel(const AirNode *n, const int8_t *weights, int32_t taps, int32_t step, int32_t channel,
                          double scale)
{
    return packed_channel(weights, taps, step, zero_of(n->in[0]) + 128, channel_bias(n, channel), scale);
}

void x86_record_lane(uint32_t *record, int32_t lane, const PackedChannel *channel)
{
    const int32_t right = -channel->shift;
    const uint64_t rounding = (UINT64_C(1) << 30) + (UINT64_C(1) << (right + 30));
    uint32_t *at = record + 3 * HELIA_X86_LANES + (lane % 2 ? HELIA_X86_LANES : 0) + lane / 2 * 2;
    record[lane] = (uint32_t)channel->bias;
    record[HELIA_X86_LANES + lane] = (uint32_t)channel->multiplier;
    record[2 * HELIA_X86_LANES + lane] = (uint32_t)(right - 1);
    at[0] = (uint32_t)rounding;
    at[1] = (uint32_t)(rounding >> 32);
}

static int32_t fours_of(const X86Matrix *m)
{
    return m->rows * ((m->run + 3) / 4);
}

const char *x86_matrix_misfit(HeliaArena *arena, const AirNode *n, const X86Matrix *m)
{
    const int64_t words = (int64_t)m->rows * (m->run / 4 + 1) + HELIA_X86_RECORD / HELIA_X86_LANES;
    if (words > PACK_MOST_BYTES / 4 / ((int64_t)m->channels + HELIA_X86_LANES))
        return "the padded weights are too large";
    return m->scale ? packed_scale_misfit(arena, *m->scale) : packed_scales_misfit(arena, n, m->channels);
}

/* Channel number `lane` of a block, whose weights begin at `words` and are `step` words apart. */
static void pack_channel(const int8_t *weights, const X86Matrix *m, uint32_t *words, int32_t step, int32_t lane)
{
    for (int32_t r = 0; r < m->rows; r++, weights += m->run)
        for (int32_t i = 0; i < (m->run + 3) / 4; i++, words += step)
            for (int32_t k = 0; k < 4 && 4 * i + k < m->run; k++)
                words[lane] |= (uint32_t)(uint8_t)weights[4 * i + k] << 8 * k;
}

void x86_matrix_pack(const HeliaOpContext *c, AirNode *n, const X86Matrix *m)
{
    const int32_t blocks = helia_x86_blocks(m->channels), taps = m->rows * m->run;
    const int32_t panel = helia_x86_panel(blocks, fours_of(m)), in_panel = blocks * HELIA_X86_LANES;
    const int32_t count = (m->channels + in_panel - 1) / in_panel * panel;
    const int8_t *weights = weights_as_int8(c, n)->data;
    uint32_t *stream = HELIA_NEW_N(c->arena, uint32_t, (size_t)count);
    for (int32_t i = 0; i < m->channels; i++) {
        const int32_t block = i % in_panel / HELIA_X86_LANES, lane = i % HELIA_X86_LANES;
        const int8_t *w = weights + (size_t)i * (size_t)taps;
        uint32_t *at = stream + (size_t)(i / in_panel) * (size_t)panel;
        pack_channel(w, m, at + block * HELIA_X86_LANES, in_panel, lane);
        const PackedChannel channel = x86_channel(n, w, taps, 1, i, m->scale ? *m->scale : channel_scale(n, i));
        x86_record_lane(at + fours_of(m) * in_panel + block * HELIA_X86_RECORD, lane, &channel);
    }
    pack_args(c, n, "panels", stream, count);
}
