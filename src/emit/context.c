/* The context handler. */
#include "emit/emit_int.h"

/* C has no arrays without elements. */
static const char *array_size(HeliaEmitter *e, const char *macro, uint32_t n)
{
    return n ? helia_format(e->arena, "%s_%s", e->PREFIX, macro) : "1";
}

bool emit_context(HeliaEmitter *e)
{
    bool table = e->config->module.schedule == SCHEDULE_TABLE;
    const TemplateKey keys[] = {
        {"NUM_TENSORS", array_size(e, "NUM_TENSORS", e->tensors.len)},
        {"NUM_REGIONS", array_size(e, "NUM_REGIONS", e->plan->regions.len)},
        {"NUM_INPUTS", array_size(e, "NUM_INPUTS", e->graph->inputs.len)},
        {"NUM_OUTPUTS", array_size(e, "NUM_OUTPUTS", e->graph->outputs.len)},
        {"CALLBACK", table ? "set after init; NULL: none" : "not called: this module has the schedule \"static\""},
    };
    return emit_template(e, helia_format(e->arena, "includes-api/%s_context.h", e->prefix), "context.h.in", keys, 5);
}
