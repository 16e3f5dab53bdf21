/* The pipeline: model and configuration in, module out. */
#ifndef COMPILE_H
#define COMPILE_H

#include <helia_aot/registry.h>
#include "config/config.h"
#include "plan/plan.h"
#include "target/target.h"

struct Module;
struct TestCase;

typedef enum CompileStage {
    STAGE_LOAD, /* verified, hooked, parsed */
    STAGE_TRANSFORM,
    STAGE_RESOLVE, /* kernels, parameters, scratch */
    STAGE_PLAN,    /* offsets */
    STAGE_EMIT,    /* the module in memory */
    STAGE_EXPORT   /* written */
} CompileStage;

typedef struct Compile {
    /* in */
    HeliaArena *arena;
    HeliaDiag *diag;
    const Config *config;
    const HeliaRegistryContext *registry;
    bool portable;          /* resolve with the portable kernels, for evaluation on the host */
    CompileStage last;      /* run up to here, this stage included */
    const char *dump;       /* print what this stage made: hooks, load, a transform's name, resolve, plan; or NULL */
    const char *stop_after; /* stop without error after the stage of that name; or NULL */
    void (*print)(void *user, const char *bytes, size_t n); /* where dumps go; NULL: standard output */
    void *print_user;

    /* out, as far as the pipeline came */
    const Platform *platform;
    HeliaTarget target;
    LitertModel *litert;
    AirModel *air;
    MemoryPlan *plan;
    struct TestCase *test; /* of test.enabled */
    struct Module *module;
    bool stopped; /* by stop_after */
} Compile;

/* False after reporting. Everything it makes lives in c->arena. */
bool compile(Compile *c);

/* After STAGE_RESOLVE, at levels 2 and 3: the kernel, or all, of each operator. */
void compile_tell_operators(const Compile *c);

/* One line an operator: name, shapes, types, kernel and why better ones did not fit, scratch, offsets; then the memory
 * picture. After STAGE_PLAN. */
const char *compile_explain(const Compile *c);

#endif
