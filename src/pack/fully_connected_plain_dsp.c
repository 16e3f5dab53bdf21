/* FULLY_CONNECTED for cores with the DSP extension, whatever the weights: the weight stream. */
#include "pack/fully_connected_plain_dsp.h"

#include <helia_aot/emit.h>

#include "helia_math.h"

const char *fully_connected_plain_dsp_size_misfit(int64_t depth, int64_t units)
{
    return units + 1 > PACK_MOST_BYTES / (depth + 16) ? "the padded weights are too large" : NULL;
}

const char *fully_connected_plain_dsp_fits(const HeliaOpContext *c, const AirNode *n)
{
    const char *type_misfit = fits_weights_s8(c, n);
    if (type_misfit)
        return type_misfit;
    const DenseLayer *facts = n->facts;
    return fully_connected_plain_dsp_size_misfit(facts->depth, facts->units);
}

/* `n_units` units from `first` on; those from `end` on are zeros. Behind the group's words. */
static uint32_t *pack_group(const AirNode *n, const helia_fully_connected_s8_plain_dsp_params *p, const int8_t *weights,
                            int32_t first, int32_t end, int32_t n_units, uint32_t *words)
{
    const int32_t steps = (p->depth + 3) / 4, in_zero = zero_of(n->in[0]);
    uint32_t *scales = words + n_units * (1 + steps);
    for (int32_t i = 0; i < n_units && first + i < end; i++) {
        const int8_t *w = weights + (size_t)(first + i) * (size_t)p->depth;
        int32_t bias = channel_bias(n, first + i);
        for (int32_t k = 0; k < p->depth; k++) {
            bias = helia_wrap_sub(bias, helia_wrap_mul(w[k] - p->weights_zero, in_zero));
            words[n_units * (1 + k / 4) + i] |= (uint32_t)(uint8_t)w[k] << k % 4 * 8;
        }
        words[i] = (uint32_t)bias;
        if (p->per_channel) {
            int32_t multiplier, shift;
            quantize_multiplier(channel_scale(n, first + i), &multiplier, &shift);
            scales[i] = (uint32_t)multiplier;
            scales[n_units + i] = (uint32_t)shift;
        }
    }
    return scales + (p->per_channel ? 2 * n_units : 0);
}

bool fully_connected_plain_dsp_stream(const HeliaOpContext *c, AirNode *n,
                                      const helia_fully_connected_s8_plain_dsp_params *p, int32_t layers)
{
    for (int32_t unit = 0; p->per_channel && unit < layers * p->units; unit++) {
        int32_t multiplier, shift;
        if (!check_multiplier(c, n, "the weights", channel_scale(n, unit), &multiplier, &shift))
            return false;
    }
    const int8_t *weights = weights_as_int8(c, n)->data;
    const int32_t dim[1] = {layers * helia_fully_connected_s8_plain_dsp_stream_words(p)};
    uint32_t *stream = HELIA_NEW_N(c->arena, uint32_t, (size_t)dim[0]), *s = stream;
    for (int32_t layer = 0; layer < layers; layer++) {
        int32_t unit = layer * p->units, end = unit + p->units;
        for (; unit + 4 <= end; unit += 4)
            s = pack_group(n, p, weights, unit, end, 4, s);
        for (; unit < end; unit += 2)
            s = pack_group(n, p, weights, unit, end, 2, s);
    }
    pack_args(c, n, "stream", stream, dim[0]);
    return true;
}

bool fully_connected_plain_dsp_prepare(const HeliaOpContext *c, AirNode *n)
{
    const DenseLayer *facts = n->facts;
    helia_fully_connected_s8_plain_dsp_params *p = HELIA_NEW(c->arena, helia_fully_connected_s8_plain_dsp_params);
    *p = (helia_fully_connected_s8_plain_dsp_params){.rows = facts->rows,
                                                     .depth = facts->depth,
                                                     .units = facts->units,
                                                     .weights_zero = facts->per_channel ? 0 : zero_of(n->in[1]),
                                                     .out_zero = zero_of(n->out[0]),
                                                     .per_channel = facts->per_channel,
                                                     .min = facts->min,
                                                     .max = facts->max};
    n->params = p;
    if (!p->per_channel && !check_multiplier(c, n, "the weights", facts->scale, &p->multiplier, &p->shift))
        return false;
    return fully_connected_plain_dsp_stream(c, n, p, 1);
}

static void print(HeliaOut *o, const void *params)
{
    const helia_fully_connected_s8_plain_dsp_params *p = params;
    PRINT_INT(o, p, rows);
    PRINT_INT(o, p, depth);
    PRINT_INT(o, p, units);
    PRINT_INT(o, p, weights_zero);
    PRINT_INT(o, p, out_zero);
    PRINT_INT(o, p, per_channel);
    PRINT_INT(o, p, multiplier);
    PRINT_INT(o, p, shift);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

bool fully_connected_plain_dsp_emit(struct HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_fully_connected_s8_plain_dsp_params", print);
}
