/* What the packers of all cores share. */
#include "pack/pack.h"

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
