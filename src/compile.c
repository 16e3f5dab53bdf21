/* The pipeline: Load, Transform, Resolve, Plan, Emit, Export. A reader sees every stage in compile(). */
#include "compile.h"

#include <stdio.h>
#include <string.h>

#include "air/import.h"
#include "emit/module.h"
#include "golden/test_case.h"
#include "op/resolve.h"
#include "passes/input_shapes.h"
#include "passes/rules.h"
#include "support/blame.h"
#include "support/file.h"

static void print_out(Compile *c, const char *bytes, size_t n)
{
    if (c->print)
        c->print(c->print_user, bytes, n);
    else
        fwrite(bytes, 1, n, stdout);
}

/* After a stage: prints what --dump asked for; false when the pipeline is to stop here. */
static bool done(Compile *c, const char *stage)
{
    if (helia_diag_errors(c->diag))
        return false;
    if (c->dump && strcmp(c->dump, stage) == 0) {
        const char *text = air_print(c->arena, c->air, c->registry);
        print_out(c, text, strlen(text));
        if (c->plan)
            print_out(c, "\n", 1), text = plan_report_text(c->arena, c->air->main, c->plan),
                                   print_out(c, text, strlen(text));
    }
    c->stopped = c->stop_after && strcmp(c->stop_after, stage) == 0;
    return !c->stopped;
}

static bool run_hooks(Compile *c)
{
    const HeliaRegistry *hooks = c->registry->litert_model_hooks;
    for (uint32_t i = 0; i < helia_registry_count(hooks); i++) {
        const HeliaModelHook *hook = helia_registry_get(hooks, helia_registry_key(hooks, i));
        uint32_t errors = helia_diag_errors(c->diag);
        if (!blame(c->diag, hook->run(hook, c->litert, c->diag), errors, HELIA_NOWHERE,
                   helia_format(c->arena, "the model hook %s", helia_registry_key(hooks, i))))
            return false;
        helia_info(c->diag, 2, "model hook %s", helia_registry_key(hooks, i));
    }
    if (helia_registry_count(hooks) && !litert_check(c->diag, c->litert))
        return false;
    if (c->dump && strcmp(c->dump, "hooks") == 0) {
        LitertBytes file = litert_write(c->arena, c->diag, c->litert);
        if (!file.at)
            return false;
        print_out(c, (const char *)file.at, file.len);
    }
    c->stopped = c->stop_after && strcmp(c->stop_after, "hooks") == 0;
    return helia_diag_errors(c->diag) == 0 && !c->stopped;
}

static bool load(Compile *c)
{
    const Config *config = c->config;
    FileBytes file;
    if (!file_read(c->arena, c->diag, config->model.path, &file))
        return false;
    char sha256[65];
    sha256_hex(file.at, file.size, sha256);
    HeliaLoc at = helia_at_file(config->model.path);
    if (config->model.sha256 && strcmp(config->model.sha256, sha256) != 0)
        return helia_error(c->diag, at, "model.sha256 is %s; the file's is %s", config->model.sha256, sha256);
    c->litert = litert_read(c->arena, c->diag, config->model.path, file.at, file.size);
    if (!c->litert || !run_hooks(c))
        return false;
    c->air = air_import(c->arena, c->diag, c->registry, c->litert, config->model.subgraph);
    if (!c->air)
        return false;
    const HeliaOpContext oc = {c->air->main, c->arena, c->diag, &c->target};
    if (!input_shapes_apply(&oc, c->registry, &c->litert->subgraphs.at[c->air->main->index],
                            &config->model.input_shapes))
        return false;
    memcpy(c->air->sha256, sha256, sizeof(sha256));
    c->air->file_name = config->model.file_name;
    helia_info(c->diag, 1, "load: %s, %u operators, %u tensors", config->model.path, c->air->main->nodes.len,
               c->air->main->tensors.len);
    return done(c, "load");
}

static bool transform(Compile *c, const HeliaOpContext *oc)
{
    const HeliaRegistry *transforms = c->registry->transforms;
    if (!transform_rules_check(c->arena, c->diag, c->config, transforms))
        return false;
    for (uint32_t i = 0; i < helia_registry_count(transforms); i++) {
        const char *name = helia_registry_key(transforms, i);
        const HeliaTransform *t = helia_registry_get(transforms, name);
        uint32_t before = c->air->main->nodes.len;
        uint32_t errors = helia_diag_errors(c->diag);
        if (config_transform_enabled(c->config, name) &&
            !blame(c->diag, t->run(t, oc, c->registry), errors, HELIA_NOWHERE,
                   helia_format(c->arena, "the transform %s", name)))
            return false;
        if (!air_verify(c->air))
            return helia_error(c->diag, HELIA_NOWHERE, "transform %s left the graph broken", name);
        helia_info(c->diag, 2, "transform: %s, %u -> %u operators", name, before, c->air->main->nodes.len);
        if (!done(c, name))
            return false;
    }
    return done(c, "transform");
}

static bool resolve(Compile *c, const HeliaOpContext *oc)
{
    if (!resolve_graph(oc, c->registry))
        return false;
    helia_info(c->diag, 1, "resolve: %u operators for %s (%s)", c->air->main->nodes.len, c->target.platform,
               c->target.cpu);
    compile_tell_operators(c);
    return done(c, "resolve");
}

static bool plan(Compile *c)
{
    c->plan = plan_memory(c->arena, c->air->main, c->platform, c->config);
    if (!c->plan)
        return false;
    for (uint32_t i = 0; i < c->plan->regions.len; i++)
        helia_info(c->diag, 1, "plan: %s %s %zu bytes", memory_role_name(c->plan->regions.at[i].role),
                   memory_name(c->plan->regions.at[i].memory), c->plan->regions.at[i].size);
    return done(c, "plan");
}

static uint32_t library_bits(KernelLibrary library)
{
    return library == LIBRARY_NS_CMSIS_NN ? HELIA_LIB_CMSIS_NN | HELIA_LIB_NS_CMSIS_NN
           : library == LIBRARY_CMSIS_NN  ? HELIA_LIB_CMSIS_NN
                                          : 0;
}

static void set_target(Compile *c)
{
    c->platform = config_platform(c->arena, c->config);
    const char *cpu = c->config->platform.cpu;
    if (cpu && !c->portable && !platform_find(cpu) && strcmp(cpu, platform_find(c->config->platform.name)->cpu) != 0 &&
        !c->config->platform.capabilities.given)
        helia_warn(c->diag, config_loc(c->config, "platform.cpu"),
                   "the core \"%s\" is not known (the nearest known name is \"%s\"): kernels are portable C unless "
                   "platform.capabilities says what it has",
                   cpu, platform_nearest(cpu));
    c->target = (HeliaTarget){c->platform->name,
                              c->platform->cpu,
                              c->portable ? HELIA_ISA_C : c->platform->isa | library_bits(c->config->kernels.library),
                              c->config->optimization.goal,
                              c->config->optimization.kernel_entry,
                              c->platform->min_alignment,
                              c->config->optimization.allow_numeric_changes};
}

/* What the pipeline over the same model says again is not wanted again, but for what is wrong. */
static void only_errors(void *user, HeliaSeverity severity, const char *text)
{
    if (severity == HELIA_ERROR || severity == HELIA_FATAL)
        helia_error(user, HELIA_NOWHERE, "reference evaluation: %s", text);
}

/* The generated test's inputs and outputs, where it needs them from the same model with the portable kernels. */
static bool make_test(Compile *c)
{
    Compile portable = {.arena = c->arena,
                        .diag = helia_diag_new(c->arena, only_errors, c->diag, 0),
                        .config = c->config,
                        .registry = c->registry,
                        .portable = true,
                        .last = STAGE_RESOLVE};
    const bool needed = test_case_needs_reference(c->config);
    if (needed && !compile(&portable))
        return false;
    c->test = test_case_make(c->arena, c->diag, c->config, c->air->main, needed ? portable.air->main : NULL,
                             c->registry, c->litert);
    return c->test != NULL;
}

bool compile(Compile *c)
{
    set_target(c);
    if (!load(c))
        return c->stopped;
    HeliaOpContext oc = {c->air->main, c->arena, c->diag, &c->target};
    if (c->last >= STAGE_TRANSFORM && !transform(c, &oc))
        return c->stopped;
    if (c->last >= STAGE_RESOLVE && !resolve(c, &oc))
        return c->stopped;
    if (c->last >= STAGE_PLAN && !plan(c))
        return c->stopped;
    if (c->last >= STAGE_EMIT) {
        config_check_test(c->arena, c->diag, c->config);
        if (c->config->test.enabled && !make_test(c))
            return false;
        c->module = emit_module(c->arena, c->air->main, c->plan, c->config, c->platform, c->registry, c->test, c->diag);
        if (!c->module)
            return false;
    }
    return c->last < STAGE_EXPORT || module_write(c->module, c->config, c->diag);
}
