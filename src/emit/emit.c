/* Emit: the handlers in their order, and the part of the emitter that operator classes see. */
#include "emit/emit_int.h"

#include <stdlib.h>
#include <string.h>

#include "support/file.h"

static const EmitHandler handlers[] = {
    emit_platform, emit_tensors, emit_context,       emit_operators, emit_model,
    emit_debug,    emit_test,    emit_documentation, emit_residency, emit_html,
};

HeliaArena *helia_emit_arena(HeliaEmitter *e)
{
    return e->arena;
}

HeliaDiag *helia_emit_diag(HeliaEmitter *e)
{
    return e->diag;
}

const AirGraph *helia_emit_graph(const HeliaEmitter *e)
{
    return e->graph;
}

const char *helia_emit_prefix(const HeliaEmitter *e)
{
    return e->prefix;
}

const char *helia_emit_PREFIX(const HeliaEmitter *e)
{
    return e->PREFIX;
}

const char *helia_emit_tensor(HeliaEmitter *e, const AirTensor *tensor)
{
    if (!tensor)
        return "NULL";
    const char *name = e->tensor_names[tensor->id];
    if (!name) {
        helia_error(
            e->diag, air_tensor_loc(e->graph, tensor),
            "an operator's code uses the tensor, but the operator does not list it: with node->args, those tensors "
            "have storage; without, its inputs and outputs");
        return "NULL";
    }
    return helia_format(e->arena, "ctx->tensor_ptrs[%s]", name);
}

const char *helia_emit_scratch(HeliaEmitter *e, const AirNode *node)
{
    const MemorySlot *slot = scratch_slot(e, node);
    if (!slot)
        return "NULL";
    const char *base = helia_format(e->arena, "ctx->arena_buffers[%s]", region_name(e, (uint32_t)slot->region));
    if (slot->offset == 0)
        return base;
    return helia_format(e->arena, "(void *)((uint8_t *)%s + %zuu)", base, slot->offset);
}

HeliaOut *helia_emit_file(HeliaEmitter *e, const char *path)
{
    for (uint32_t i = 0; i < e->files.len; i++)
        if (strcmp(e->files.at[i].path, path) == 0)
            return e->files.at[i].out;
    EmitFile file = {helia_strdup(e->arena, path), helia_out_new(e->arena)};
    HELIA_PUSH(e->arena, &e->files, file);
    return file.out;
}

bool emit_template(HeliaEmitter *e, const char *path, const char *name, const TemplateKey *keys, uint32_t n)
{
    enum { MAX_KEYS = 32 };
    TemplateKey all[MAX_KEYS] = {{"p", e->prefix}, {"P", e->PREFIX}, {"ORIGIN", e->origin}};
    if (n > MAX_KEYS - 3)
        return helia_error(e->diag, HELIA_NOWHERE, "internal: too many keys for the template %s", name);
    if (n)
        memcpy(all + 3, keys, n * sizeof(*keys));
    const char *text = template_expand(e->arena, e->diag, name, all, n + 3);
    if (!text)
        return false;
    helia_out_text(helia_emit_file(e, path), text, strlen(text));
    return true;
}

bool needs_math(const HeliaEmitter *e)
{
    for (uint32_t i = 0; i < e->files.len; i++)
        if (strstr(helia_out_string(e->files.at[i].out, NULL), "#include <math.h>"))
            return true;
    return false;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const ModuleFile *)a)->path, ((const ModuleFile *)b)->path);
}

void module_sort_files(Module *module)
{
    qsort(module->files.at, module->files.len, sizeof(*module->files.at), by_path);
}

static Module *finish(HeliaEmitter *e)
{
    Module *m = HELIA_NEW(e->arena, Module);
    m->arena = e->arena;
    m->name = e->config->module.name;
    m->prefix = e->prefix;
    m->PREFIX = e->PREFIX;
    m->model_file = e->graph->model->file_name;
    m->version = e->config->model.version;
    m->description = e->config->model.description;
    m->cpu = e->platform->cpu;
    m->needs_math = needs_math(e);
    for (uint32_t i = 0; i < e->files.len; i++) {
        ModuleFile file = {e->files.at[i].path, NULL, 0};
        file.bytes = helia_out_string(e->files.at[i].out, &file.size);
        HELIA_PUSH(e->arena, &m->files, file);
    }
    module_sort_files(m);
    return m;
}

Module *emit_module(HeliaArena *arena, const AirGraph *graph, const MemoryPlan *plan, const Config *config,
                    const Platform *platform, const HeliaRegistryContext *registry, const TestCase *test,
                    HeliaDiag *diag)
{
    HeliaEmitter *e = HELIA_NEW(arena, HeliaEmitter);
    e->arena = arena;
    e->diag = diag;
    e->graph = graph;
    e->plan = plan;
    e->config = config;
    e->platform = platform;
    e->registry = registry;
    e->test = test;
    e->prefix = config->module.prefix;
    e->origin = helia_format(arena, "made by helia-aot " HELIA_AOT_VERSION " from %s",
                             comment_text(arena, graph->model->file_name));
    uint32_t errors = helia_diag_errors(diag);
    bool ok = plan_names(e);
    for (uint32_t i = 0; ok && i < sizeof(handlers) / sizeof(handlers[0]); i++)
        ok = handlers[i](e);
    if (!ok || helia_diag_errors(diag) != errors)
        return NULL;
    helia_info(diag, 1, "emit: %u files, %u operators", e->files.len, e->operators.len);
    return finish(e);
}
