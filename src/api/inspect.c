/* Sessions: looking at what the run has made. */
#include "api/session.h"

#include "emit/module.h"

const HeliaRegistryContext *helia_session_registries(const HeliaSession *s)
{
    return s->compile.registry;
}

const AirModel *helia_session_air(const HeliaSession *s)
{
    return s->compile.air;
}

static void print_air(HeliaSession *s, void *text)
{
    *(const char **)text = air_print(s->work, s->compile.air, s->compile.registry);
}

const char *helia_session_air_text(HeliaSession *s)
{
    const char *text = NULL;
    if (s->compile.air)
        session_guard(s, print_air, (void *)&text);
    return s->work ? text : NULL;
}

static void explain(HeliaSession *s, void *text)
{
    *(const char **)text = compile_explain(&s->compile);
}

const char *helia_session_explain(HeliaSession *s)
{
    const char *text = NULL;
    if (s->compile.plan)
        session_guard(s, explain, (void *)&text);
    return s->work ? text : NULL;
}

/* ---- the plan --------------------------------------------------------------------------------- */
uint32_t helia_session_num_regions(const HeliaSession *s)
{
    return s->compile.plan ? s->compile.plan->regions.len : 0;
}

bool helia_session_region(const HeliaSession *s, uint32_t index, HeliaRegion *region)
{
    if (index >= helia_session_num_regions(s))
        return false;
    const MemoryRegion *r = &s->compile.plan->regions.at[index];
    *region = (HeliaRegion){memory_role_name(r->role), memory_name(r->memory), r->size, r->align};
    return true;
}

static bool place_of(const MemorySlot *slot, HeliaPlace *place)
{
    if (slot->region < 0)
        return false;
    *place = (HeliaPlace){(uint32_t)slot->region, slot->offset, slot->size, slot->first, slot->last};
    return true;
}

bool helia_session_tensor_place(const HeliaSession *s, const AirTensor *tensor, HeliaPlace *place)
{
    const MemoryPlan *plan = s->compile.plan;
    return plan && tensor && tensor->id < s->compile.air->main->tensors.len &&
           place_of(&plan->tensors[tensor->id], place);
}

bool helia_session_scratch_place(const HeliaSession *s, uint32_t position, HeliaPlace *place)
{
    const MemoryPlan *plan = s->compile.plan;
    return plan && position < s->compile.air->main->nodes.len && place_of(&plan->scratch[position], place);
}

/* ---- the module ------------------------------------------------------------------------------- */
uint32_t helia_session_num_files(const HeliaSession *s)
{
    return s->compile.module ? s->compile.module->files.len : 0;
}

bool helia_session_file(const HeliaSession *s, uint32_t index, HeliaModuleFile *file)
{
    if (index >= helia_session_num_files(s))
        return false;
    const ModuleFile *f = &s->compile.module->files.at[index];
    *file = (HeliaModuleFile){f->path, f->bytes, f->size};
    return true;
}
