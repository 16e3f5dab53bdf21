/* FULLY_CONNECTED for cores with MVE: conditions and the weight stream. */
#include "pack/fully_connected_mve.h"

#include <helia_aot/emit.h>

#include "helia_fully_connected_s8_mve.h"

static const char *fits(const HeliaOpContext *c, const AirNode *n)
{
    const char *type_misfit = fits_weights_s8(c, n);
    if (type_misfit)
        return type_misfit;
    const DenseLayer *facts = n->facts;
    const int64_t depth = facts->depth, units = facts->units;
    if ((units + 7) * (depth + 12) > PACK_MOST_BYTES)
        return "the padded weights are too large";
    if (c->target->goal == HELIA_GOAL_SIZE && units % 8 && 8 - units % 8 > units / 4)
        return "the goal is size, and eight units at a time need too much padding";
    return NULL;
}

const char *fully_connected_mve_fits(const HeliaOpContext *c, const AirNode *n)
{
    const char *why = fits(c, n);
    const DenseLayer *facts = n->facts;
    if (why)
        return why;
    if (facts->per_channel)
        return "the weights have a scale for each channel";
    return zero_of(n->in[1]) ? "the weights have a zero point" : packed_scale_misfit(c->arena, facts->scale);
}

const char *fully_connected_per_channel_mve_fits(const HeliaOpContext *c, const AirNode *n)
{
    const char *why = fits(c, n);
    const DenseLayer *facts = n->facts;
    if (why)
        return why;
    return facts->per_channel ? packed_scales_misfit(c->arena, n, facts->units) : "the weights have one scale";
}

/* Eight units from `first` on. */
static void pack_units(const AirNode *n, const helia_fully_connected_s8_mve_params *p, const int8_t *weights,
                       int32_t first, uint32_t *words)
{
    const int32_t front = helia_fully_connected_s8_mve_first(p->depth);
    int8_t *bytes = (int8_t *)words, *chunks = bytes + 8 * front;
    uint32_t *record = words + 2 * p->depth;
    for (int32_t k = 0; k < 8 && first + k < p->units; k++) {
        const int8_t *w = weights + (size_t)(first + k) * (size_t)p->depth;
        for (int32_t i = 0; i < front; i++)
            bytes[front * k + i] = w[i];
        for (int32_t i = 0; i < p->depth - front; i++)
            chunks[i / 16 * 128 + 16 * k + i % 16] = w[front + i];
        const int32_t lane = k / 2 + k % 2 * 4;
        double scale = p->per_channel ? channel_scale(n, first + k) : 1.0;
        PackedChannel facts = packed_channel(w, p->depth, 1, zero_of(n->in[0]), channel_bias(n, first + k), scale);
        record[lane] = (uint32_t)facts.bias;
        if (p->per_channel) {
            record[8 + lane] = (uint32_t)facts.multiplier;
            record[16 + lane] = (uint32_t)facts.shift;
        }
    }
}

bool fully_connected_mve_prepare(const HeliaOpContext *c, AirNode *n)
{
    const DenseLayer *facts = n->facts;
    helia_fully_connected_s8_mve_params *p = HELIA_NEW(c->arena, helia_fully_connected_s8_mve_params);
    p->depth = facts->depth;
    p->units = facts->units;
    p->rows = facts->rows;
    p->out_zero = zero_of(n->out[0]);
    p->relu = facts->min >= p->out_zero;
    p->min = facts->min;
    p->max = facts->max;
    p->per_channel = facts->per_channel;
    if (!p->per_channel)
        packed_multiplier(facts->scale, &p->multiplier, &p->shift);
    const int8_t *weights = weights_as_int8(c, n)->data;
    const int32_t passes = (p->units + 7) / 8, words = helia_fully_connected_s8_mve_words(p), dim[1] = {passes * words};
    uint32_t *stream = HELIA_NEW_N(c->arena, uint32_t, (size_t)dim[0]);
    for (int32_t i = 0; i < passes; i++)
        pack_units(n, p, weights, 8 * i, stream + (size_t)i * (size_t)words);
    n->params = p;
    pack_args(c, n, "stream", stream, dim[0]);
    return true;
}

static void print(HeliaOut *o, const void *params)
{
    const helia_fully_connected_s8_mve_params *p = params;
    PRINT_INT(o, p, rows);
    PRINT_INT(o, p, depth);
    PRINT_INT(o, p, units);
    PRINT_INT(o, p, out_zero);
    PRINT_INT(o, p, relu);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
    PRINT_INT(o, p, per_channel);
    PRINT_INT(o, p, multiplier);
    PRINT_INT(o, p, shift);
}

bool fully_connected_mve_emit(struct HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_fully_connected_s8_mve_params", print);
}
