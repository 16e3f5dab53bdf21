/* fold_batch_scale: what scales or shifts the channels of a float convolution behind it moves into its weights and bias.
 *
 *     x -> CONV_2D w, b -> t -> MUL k -> u -> ADD s {RELU} -> y          x -> CONV_2D w * k, b * k + s {RELU} -> y
 *
 * That is batch normalisation as converters leave it behind. The sums are the same numbers rounded otherwise, so it is done
 * with optimization.allow_numeric_changes only. Weights, bias, k and s are float32 constants; k and s have a value for
 * each channel, or one; t and u have no other reader. FULLY_CONNECTED and DEPTHWISE_CONV_2D likewise. */
#include "passes/passes_int.h"

#include <string.h>

#include "op/quant.h"

/* The dimension of the weights that counts output channels; -1: no such operator. */
static int32_t channel_axis(const AirNode *n)
{
    return strcmp(n->op_type, "CONV_2D") == 0 || strcmp(n->op_type, "FULLY_CONNECTED") == 0 ? 0
           : strcmp(n->op_type, "DEPTHWISE_CONV_2D") == 0                                   ? 3
                                                                                            : -1;
}

static bool is_constant_float(const AirTensor *t)
{
    return t && air_is_constant(t) && t->type == AIR_F32;
}

/* A value for each channel, or one for all. */
static bool is_by_channel(const AirTensor *k, int32_t channels)
{
    return is_constant_float(k) && (air_count(k) == 1 || (air_count(k) == channels && k->dim[k->rank - 1] == channels));
}

static float by_channel(const AirTensor *k, int32_t channel)
{
    return ((const float *)k->data)[air_count(k) == 1 ? 0 : channel];
}

/* A layer and the element-wise operator behind it. */
typedef struct Pair {
    AirNode *layer;
    const AirNode *behind;
    const AirTensor *k;
    int32_t axis, channels;
} Pair;

static bool find_layer(const AirGraph *g, const AirNode *n, uint32_t operand, Pair *p)
{
    const AirTensor *t = n->in[operand];
    *p = (Pair){t ? pass_only_for(g, t) : NULL, n, n->in[1 - operand], -1, 0};
    if (!p->layer || (p->axis = channel_axis(p->layer)) < 0 || p->layer->n_in < 2 || t->type != AIR_F32)
        return false;
    const AirTensor *w = p->layer->in[1], *bias = p->layer->n_in > 2 ? p->layer->in[2] : NULL;
    if (!is_constant_float(w) || w->rank <= p->axis || w->uses.len != 1 || (bias && !is_constant_float(bias)))
        return false;
    p->channels = w->dim[p->axis];
    return p->channels > 0 && t->rank > 0 && t->dim[t->rank - 1] == p->channels && p->k && p->k->rank <= t->rank &&
           is_by_channel(p->k, p->channels) && (!bias || air_count(bias) == p->channels);
}

static void scale_weights(const HeliaOpContext *c, const Pair *p)
{
    const AirTensor *w = p->layer->in[1];
    const int64_t count = air_count(w), step = p->axis == 0 ? count / p->channels : 1;
    float *values = helia_memdup(c->arena, w->data, (size_t)count * sizeof(float));
    for (int64_t i = 0; i < count; i++)
        values[i] *= by_channel(p->k, (int32_t)(i / step % p->channels));
    p->layer->in[1] = air_constant_new(c->graph, w->name, AIR_F32, w->rank, w->dim, values);
}

/* bias * k, bias + k or bias - k; a bias that is absent is 0. */
static void change_bias(const HeliaOpContext *c, const Pair *p, char operation)
{
    AirNode *n = p->layer;
    const AirTensor *bias = n->n_in > 2 ? n->in[2] : NULL;
    if (!bias && operation == '*')
        return;
    float *values = HELIA_NEW_N(c->arena, float, (size_t)p->channels);
    for (int32_t i = 0; i < p->channels; i++) {
        const float b = bias ? by_channel(bias, i) : 0.0f, k = by_channel(p->k, i);
        values[i] = operation == '*' ? b * k : operation == '+' ? b + k : b - k;
    }
    if (n->n_in < 3) {
        AirTensor **in = HELIA_NEW_N(c->arena, AirTensor *, 3);
        memcpy(in, n->in, n->n_in * sizeof(*in));
        n->in = in;
        n->n_in = 3;
    }
    n->in[2] = air_constant_new(c->graph, bias ? bias->name : p->k->name, AIR_F32, 1, &p->channels, values);
}

static char operation_of(const AirNode *n)
{
    return strcmp(n->op_type, "MUL") == 0   ? '*'
           : strcmp(n->op_type, "ADD") == 0 ? '+'
           : strcmp(n->op_type, "SUB") == 0 ? '-'
                                            : 0;
}

static bool fold(const HeliaOpContext *c, const HeliaRegistryContext *registry, const AirNode *n)
{
    Pair p;
    const char operation = operation_of(n);
    if (!operation || n->n_in != 2 || n->n_out != 1)
        return false;
    if (!find_layer(c->graph, n, 0, &p) && (operation == '-' || !find_layer(c->graph, n, 1, &p)))
        return false;
    int32_t *fused = pass_option(registry, p.layer, "fused_activation_function");
    const int32_t *behind = pass_option(registry, n, "fused_activation_function");
    if (!fused || !behind || *fused != ACT_NONE || n->out[0]->type != AIR_F32)
        return false;
    if (operation == '*')
        scale_weights(c, &p);
    change_bias(c, &p, operation);
    *fused = *behind;
    p.layer->out[0] = n->out[0];
    return true;
}

bool fold_batch_scale(const HeliaTransform *self, const HeliaOpContext *c, const HeliaRegistryContext *registry)
{
    (void)self;
    AirGraph *g = c->graph;
    for (uint32_t i = 0; c->target->allow_numeric_changes && i < g->nodes.len;) {
        if (!fold(c, registry, g->nodes.at[i])) {
            i++;
            continue;
        }
        memmove(&g->nodes.at[i], &g->nodes.at[i + 1], (g->nodes.len - i - 1) * sizeof(g->nodes.at[0]));
        g->nodes.len--;
        air_rebuild_uses(g);
    }
    return true;
}
