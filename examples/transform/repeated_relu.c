/* A graph transform: a RELU of a RELU changes nothing, so the later operators read the first one's result.
 *
 *     x -> RELU -> a -> RELU -> b -> ...          x -> RELU -> a -> ...
 *
 * One that makes a graph output stays: the output needs storage of its own. */
#include <helia_aot/plugin.h>

#include <string.h>

static bool is_relu(const AirNode *n)
{
    return n && strcmp(n->op_type, "RELU") == 0;
}

static bool is_output(const AirGraph *g, const AirTensor *t)
{
    for (uint32_t i = 0; i < g->outputs.len; i++)
        if (g->outputs.at[i] == t)
            return true;
    return false;
}

static bool run(const HeliaTransform *self, const HeliaOpContext *c, const HeliaRegistryContext *registry)
{
    (void)self;
    (void)registry;
    AirGraph *g = c->graph;
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        AirNode *n = g->nodes.at[i];
        if (is_relu(n) && is_relu(n->in[0]->def) && air_same_quant(n->in[0], n->out[0]) && !is_output(g, n->out[0]))
            air_replace_uses(g, n->out[0], n->in[0]);
    }
    air_remove_dead(g);
    return true;
}

static const HeliaTransform transform = {"drop_repeated_relu", "removes a RELU of a RELU", run, NULL};

static bool customize(HeliaRegistryContext *context, void *user)
{
    (void)user;
    return helia_registry_register(context->transforms, transform.name, &transform, false);
}

HELIA_PLUGIN("repeated_relu", "1.0", customize)
