/* FULLY_CONNECTED for cores with the DSP extension: proofs and the weight stream. */
#include "pack/fully_connected_dsp.h"

#include <helia_aot/emit.h>

#include "helia_fully_connected_s8_dsp.h"

static bool per_channel(const AirNode *n)
{
    return ((const DenseLayer *)n->facts)->per_channel;
}

static double scale_at(const AirNode *n, int32_t unit)
{
    return per_channel(n) ? channel_scale(n, unit) : ((const DenseLayer *)n->facts)->scale;
}

static const char *unit_facts(const HeliaOpContext *c, const AirNode *n, const DspLayer *layer, const int8_t *weights,
                              int32_t unit, DspChannel *out)
{
    const int32_t depth = ((const DenseLayer *)n->facts)->depth;
    const char *why = dsp_channel(c->arena, layer, weights + unit * depth, depth, 1, channel_bias(n, unit),
                                  scale_at(n, unit), 8, out);
    if (why)
        return why;
    if (!out->constant)
        return out->n ? NULL : "a unit's scale is 1/2 or more";
    /* With one scale for all a constant unit has no constants of its own: it is computed as any other. */
    if (!per_channel(n) && (out->low <= -(1 << 23) || out->high >= 1 << 23))
        return "an accumulator is not proven to stay below 2^23";
    return NULL;
}

/* The constants that all units share. */
static const char *common_scale(const HeliaOpContext *c, const AirNode *n, const DspLayer *layer, DspChannel *out)
{
    double scale = scale_at(n, 0);
    int32_t m, e;
    quantize_multiplier(scale, &m, &e);
    if (e >= 0 || -e > 15)
        return helia_format(c->arena, "the scale is %g; supported are scales from 2^-16 to 1/2", scale);
    *out = (DspChannel){.k = 8, .m = m, .r = 7 - e, .n = 128};
    out->c = 64 + (1 << (out->r - 1)) + layer->out_zero * (1 << out->r);
    return NULL;
}

const char *fully_connected_dsp_fits(const HeliaOpContext *c, const AirNode *n)
{
    const char *type_misfit = fits_weights_s8(c, n);
    if (type_misfit)
        return type_misfit;
    const DenseLayer *facts = n->facts;
    if (c->target->goal == HELIA_GOAL_SIZE)
        return "the goal is size, for which plain sums take less";
    if (facts->units < 4)
        return "there are fewer than four units";
    const DspLayer layer = dsp_layer(n, facts->min, facts->max);
    if (!per_channel(n) && zero_of(n->in[1]) != 0)
        return "the weights have a zero point";
    DspChannel common = {0};
    const char *why = per_channel(n) ? NULL : common_scale(c, n, &layer, &common);
    const int8_t *weights = weights_as_int8(c, n)->data;
    for (int32_t unit = 0; !why && unit < facts->units; unit++) {
        DspChannel unit_channel;
        why = unit_facts(c, n, &layer, weights, unit, &unit_channel);
        for (int32_t k = 0; !why && unit % 2 && k < facts->depth; k++)
            if (!dsp_pair_fits(weights[(unit - 1) * facts->depth + k], weights[unit * facts->depth + k]))
                why = "a weight is -128";
    }
    return why;
}

/* Units first to first + 3; those behind the last one are zeros. */
static uint32_t *four_units(const HeliaOpContext *c, const AirNode *n, const DspLayer *layer, const int8_t *weights,
                            int32_t first, int32_t steps, uint32_t *s)
{
    static const int32_t order[4] = {0, 2, 1, 3};
    const DenseLayer *facts = n->facts;
    const int32_t depth = facts->depth, units = facts->units;
    DspChannel u[4] = {{0}};
    for (int32_t j = 0; j < 4 && first + j < units; j++) {
        unit_facts(c, n, layer, weights, first + j, &u[j]);
        if (!per_channel(n) && u[j].constant) {
            int64_t folded = channel_bias(n, first + j);
            for (int32_t k = 0; k < depth; k++)
                folded -= (int64_t)weights[(first + j) * depth + k] * layer->in_zero;
            u[j].bias = (int32_t)folded;
            u[j].constant = false;
        }
    }
    for (int32_t j = 0; j < 4; j += 2) {
        *s++ = (uint32_t)u[j].bias * 256u + (uint32_t)u[j + 1].bias;
        *s++ = (uint32_t)u[j + 1].bias;
    }
    for (int32_t pair = 0; pair < steps * 4; pair++) {
        for (int32_t j = 0; j < 4; j += 2, s++) {
            for (int32_t half = 0; half < 2; half++) {
                int32_t i = 2 * pair + half, k = i / 4 * 4 + order[i % 4], ab[2] = {0, 0};
                for (int32_t q = 0; q < 2; q++)
                    if (k < depth && first + j + q < units && !u[j + q].constant)
                        ab[q] = weights[(first + j + q) * depth + k];
                *s |= (uint32_t)(uint16_t)(256 * ab[0] + ab[1]) << 16 * half;
            }
        }
    }
    for (int32_t j = 0; per_channel(n) && j < 4; j++) {
        *s++ = (uint32_t)u[j].m;
        *s++ = (uint32_t)u[j].c;
        *s++ = (uint32_t)u[j].r;
    }
    return s;
}

bool fully_connected_dsp_prepare(const HeliaOpContext *c, AirNode *n)
{
    const DenseLayer *facts = n->facts;
    const DspLayer layer = dsp_layer(n, facts->min, facts->max);
    helia_fully_connected_s8_dsp_params *p = HELIA_NEW(c->arena, helia_fully_connected_s8_dsp_params);
    *p = (helia_fully_connected_s8_dsp_params){.rows = facts->rows,
                                               .depth = facts->depth,
                                               .units = facts->units,
                                               .relu = layer.relu,
                                               .per_channel = facts->per_channel,
                                               .min = layer.min,
                                               .max = layer.max};
    if (!p->per_channel) {
        DspChannel common = {0};
        common_scale(c, n, &layer, &common);
        p->m = common.m;
        p->c = common.c;
        p->r = common.r;
    }
    const int8_t *weights = weights_as_int8(c, n)->data;
    const int32_t dim[1] = {(p->units + 3) / 4 * helia_fully_connected_s8_dsp_words(p)};
    uint32_t *stream = HELIA_NEW_N(c->arena, uint32_t, (size_t)dim[0]), *s = stream;
    for (int32_t first = 0; first < p->units; first += 4)
        s = four_units(c, n, &layer, weights, first, helia_fully_connected_s8_dsp_steps(p), s);
    n->params = p;
    pack_args(c, n, "stream", stream, dim[0]);
    return true;
}

static void print(HeliaOut *o, const void *params)
{
    const helia_fully_connected_s8_dsp_params *p = params;
    PRINT_INT(o, p, rows);
    PRINT_INT(o, p, depth);
    PRINT_INT(o, p, units);
    PRINT_INT(o, p, relu);
    PRINT_INT(o, p, per_channel);
    PRINT_INT(o, p, m);
    PRINT_INT(o, p, c);
    PRINT_INT(o, p, r);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

bool fully_connected_dsp_emit(struct HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_fully_connected_s8_dsp_params", print);
}
