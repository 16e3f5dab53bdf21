/* What the transforms share. */
#include "passes/passes_int.h"

#include <string.h>

static const HeliaField *find_field(const HeliaRegistryContext *registry, const AirNode *n, HeliaFieldKind kind,
                                    const char *name)
{
    const HeliaOptionsClass *options = helia_registry_get(registry->air_options, n->op_type);
    for (uint32_t i = 0; options && n->options && i < options->n_fields; i++)
        if (options->fields[i].kind == kind && strcmp(options->fields[i].name, name) == 0)
            return &options->fields[i];
    return NULL;
}

static void *at_offset(const AirNode *n, size_t offset)
{
    return (char *)n->options + offset;
}

int32_t *pass_option(const HeliaRegistryContext *registry, const AirNode *n, const char *name)
{
    const HeliaField *f = find_field(registry, n, HELIA_FIELD_INT, name);
    return f ? at_offset(n, f->offset) : NULL;
}

PassInts pass_option_ints(const HeliaRegistryContext *registry, const AirNode *n, const char *name)
{
    const HeliaField *f = find_field(registry, n, HELIA_FIELD_INTS, name);
    return f ? (PassInts){at_offset(n, f->offset), at_offset(n, f->count_offset)} : (PassInts){NULL, NULL};
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
