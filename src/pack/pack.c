/* What the packers of all cores share. */
#include "pack/pack.h"

#include "helia_math.h"

double channel_scale(const AirNode *n, int32_t channel)
{
    const AirQuant *q = n->in[1]->quant;
    return (double)scale_of(n->in[0]) * (double)q->scale[q->n > 1 ? channel : 0] / (double)scale_of(n->out[0]);
}

int32_t channel_bias(const AirNode *n, int32_t channel)
{
    const AirTensor *bias = weights_bias(n);
    return bias ? ((const int32_t *)bias->data)[channel] : 0;
}

void pack_args(const HeliaOpContext *c, AirNode *n, const char *name, const uint32_t *words, int32_t count)
{
    air_arg(n, c->graph, n->in[0], false);
    air_arg(n, c->graph,
            air_constant_new(c->graph, helia_format(c->arena, "%s_%s", n->cname, name), AIR_U32, 1, &count, words),
            false);
    air_arg(n, c->graph, n->out[0], true);
}

/* Scales below 2^-32 have multiplier 0 and any shift. */
void packed_multiplier(double scale, int32_t *multiplier, int32_t *shift)
{
    quantize_multiplier(scale, multiplier, shift);
    if (*multiplier == 0)
        *shift = -1;
}

PackedChannel packed_channel(const int8_t *weights, int32_t taps, int32_t step, int32_t in_zero, int32_t bias,
                             double scale)
{
    PackedChannel channel = {.bias = bias};
    for (int32_t k = 0; k < taps; k++)
        channel.bias = helia_wrap_sub(channel.bias, weights[k * step] * in_zero);
    packed_multiplier(scale, &channel.multiplier, &channel.shift);
    return channel;
}

const char *packed_scale_misfit(HeliaArena *arena, double scale)
{
    int32_t m, e;
    packed_multiplier(scale, &m, &e);
    return m < 0 || e > -1 ? helia_format(arena, "a channel's scale is %g; supported are scales below 0.5", scale)
                           : NULL;
}

const char *packed_scales_misfit(HeliaArena *arena, const AirNode *n, int32_t channels)
{
    const char *why = NULL;
    for (int32_t i = 0; !why && i < channels; i++)
        why = packed_scale_misfit(arena, channel_scale(n, i));
    return why;
}
