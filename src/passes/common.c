/* What the transforms share. */
#include "passes/passes_int.h"

#include <string.h>

int32_t *pass_option(const HeliaRegistryContext *registry, const AirNode *n, const char *name)
{
    const HeliaOptionsClass *options = helia_registry_get(registry->air_options, n->op_type);
    for (uint32_t i = 0; options && n->options && i < options->n_fields; i++)
        if (options->fields[i].kind == HELIA_FIELD_INT && strcmp(options->fields[i].name, name) == 0)
            return (int32_t *)(void *)((char *)n->options + options->fields[i].offset);
    return NULL;
}

bool pass_is_graph_output(const AirGraph *g, const AirTensor *t)
{
    for (uint32_t i = 0; i < g->outputs.len; i++)
        if (g->outputs.at[i] == t)
            return true;
    return false;
}

AirNode *pass_only_for(const AirGraph *g, const AirTensor *t)
{
    return t->def && t->uses.len == 1 && t->def->n_out == 1 && !pass_is_graph_output(g, t) ? t->def : NULL;
}

bool pass_inputs_are_constant(const AirNode *n)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && !air_is_constant(n->in[i]))
            return false;
    return n->n_in > 0;
}
