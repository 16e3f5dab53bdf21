/* FULLY_CONNECTED for cores with MVE: conditions and the weight stream. */
#include "pack/fully_connected_mve.h"

#include <helia_aot/emit.h>

#include "helia_fully_connected_s8_mve.h"
#include "pack/dsp.h"

static bool has_channels(const AirNode *n)
{
    return n->in[1]->quant->n > 1;
}

const char *fully_connected_mve_fits(const HeliaOpContext *c, const AirNode *n, double scale)
{
    const int64_t depth = n->in[1]->dim[1], units = n->in[1]->dim[0];
    if ((units + 7) * ((depth + 15) / 16 * 16 + 12) > MVE_MOST_BYTES)
        return "the padded weights are too large";
    if (!has_channels(n))
        return zero_of(n->in[1]) ? "the weights have a zero point" : mve_scale_misfit(c->arena, scale);
    for (int32_t i = 0; i < n->in[1]->dim[0]; i++) {
        const char *why = mve_scale_misfit(c->arena, channel_scale(n, i));
        if (why)
            return why;
    }
    return NULL;
}

/* Eight units from `first` on. */
static void pack_units(const AirNode *n, const helia_fully_connected_s8_mve_params *p, const int8_t *weights,
                       int32_t first, uint32_t *words)
{
    int8_t *bytes = (int8_t *)words;
    uint32_t *record = words + (p->depth + 15) / 16 * 32;
    for (int32_t k = 0; k < 8 && first + k < p->units; k++) {
        const int8_t *w = weights + (size_t)(first + k) * (size_t)p->depth;
        for (int32_t i = 0; i < p->depth; i++)
            bytes[i / 16 * 128 + 16 * k + i % 16] = w[i];
        const int32_t lane = k / 2 + k % 2 * 4;
        double scale = p->per_channel ? channel_scale(n, first + k) : 1.0;
        MveChannel facts = mve_channel(n, w, p->depth, 1, channel_bias(n, first + k), scale);
        record[lane] = (uint32_t)facts.bias;
        if (p->per_channel) {
            record[8 + lane] = (uint32_t)facts.multiplier;
            record[16 + lane] = (uint32_t)facts.shift;
        }
    }
}

bool fully_connected_mve_prepare(const HeliaOpContext *c, AirNode *n, double scale, int32_t min, int32_t max)
{
    helia_fully_connected_s8_mve_params *p = HELIA_NEW(c->arena, helia_fully_connected_s8_mve_params);
    p->depth = n->in[1]->dim[1];
    p->units = n->in[1]->dim[0];
    p->rows = (int32_t)(air_count(n->in[0]) / p->depth);
    p->out_zero = zero_of(n->out[0]);
    p->relu = min >= p->out_zero;
    p->min = min;
    p->max = max;
    p->per_channel = has_channels(n);
    if (!p->per_channel)
        mve_multiplier(scale, &p->multiplier, &p->shift);
    const int8_t *weights = weights_as_int8(c, n)->data;
    const int32_t passes = (p->units + 7) / 8, words = helia_fully_connected_s8_mve_words(p), dim[1] = {passes * words};
    uint32_t *stream = HELIA_NEW_N(c->arena, uint32_t, (size_t)dim[0]);
    for (int32_t i = 0; i < passes; i++)
        pack_units(n, p, weights, 8 * i, stream + (size_t)i * (size_t)words);
    n->params = p;
    air_arg(n, c->graph, n->in[0], false);
    air_arg(n, c->graph,
            air_constant_new(c->graph, helia_format(c->arena, "%s_stream", n->cname), AIR_U32, 1, dim, stream), false);
    air_arg(n, c->graph, n->out[0], true);
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
