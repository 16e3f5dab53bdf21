/* The generated module in memory, and its export. */
#ifndef EMIT_MODULE_H
#define EMIT_MODULE_H

#include <helia_aot/registry.h>

#include "config/config.h"
#include "plan/plan.h"
#include "target/target.h"

typedef struct ModuleFile {
    const char *path; /* in the module: "src/aot_model.c" */
    const char *bytes;
    size_t size;
} ModuleFile;

typedef struct Module {
    HeliaArena *arena;
    const char *name, *prefix, *PREFIX; /* module.name; "aot"; "AOT" */
    const char *model_file;             /* its last component */
    const char *version, *description;  /* of the model, for packages */
    const char *cpu;
    bool needs_math;             /* some of its code calls the C mathematics library */
    HELIA_VEC(ModuleFile) files; /* by path */
} Module;

struct TestCase;

/* The handlers in their order: platform, tensors, context, operators, model, test, documentation. `registry` has the
 * kernel sources beside the runtime's; NULL: none. `test`: of the generated test; NULL: none. NULL after reporting. */
Module *emit_module(HeliaArena *arena, const AirGraph *graph, const MemoryPlan *plan, const Config *config,
                    const Platform *platform, const HeliaRegistryContext *registry, const struct TestCase *test,
                    HeliaDiag *diag);

void module_sort_files(Module *module); /* by path */

/* Adds the build integration of module.type and writes the folder <module.path>/<module.name>, or the archive. What is
 * there already stays, with an error, unless `force` is set; a failure leaves nothing behind. */
bool module_write(const Module *module, const Config *config, HeliaDiag *diag);

#endif
