/* LiteRT through the C interface of its shared library: see litert.h. Handles are opaque there, so they are here. */
#include "litert.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Layout {
    unsigned rank : 7, has_strides : 1;
    int32_t dimensions[8];
    uint32_t strides[8];
} Layout;
typedef struct RankedType {
    int32_t element;
    Layout layout;
} RankedType;

enum { HOST_MEMORY = 1, ON_CPU = 1, READ = 0, WRITE = 1, DEFAULT_SIGNATURE = 0 };

/* Function, parameters. All return a status, 0 for success. */
#define FUNCTIONS(ROW)                                                                                                 \
    ROW(CreateEnvironment, (int, const void *, void **))                                                               \
    ROW(CreateModelFromFile, (void *, const char *, void **))                                                          \
    ROW(CreateOptions, (void **))                                                                                      \
    ROW(SetOptionsHardwareAccelerators, (void *, int))                                                                 \
    ROW(CreateOpaqueOptions, (const char *, void *, void (*)(void *), void **))                                        \
    ROW(AddOpaqueOptions, (void *, void *))                                                                            \
    ROW(CreateCompiledModel, (void *, void *, void *, void **))                                                        \
    ROW(GetCompiledModelInputTensorLayout, (void *, size_t, size_t, Layout *))                                         \
    ROW(GetCompiledModelOutputTensorLayouts, (void *, size_t, size_t, Layout *, bool))                                 \
    ROW(GetCompiledModelInputBufferRequirements, (void *, size_t, size_t, void **))                                    \
    ROW(GetCompiledModelOutputBufferRequirements, (void *, size_t, size_t, void **))                                   \
    ROW(GetTensorBufferRequirementsBufferSize, (void *, size_t *))                                                     \
    ROW(CreateManagedTensorBuffer, (void *, int, const RankedType *, size_t, void **))                                 \
    ROW(LockTensorBuffer, (void *, void **, int))                                                                      \
    ROW(UnlockTensorBuffer, (void *))                                                                                  \
    ROW(RunCompiledModel, (void *, size_t, size_t, void **, size_t, void **))

struct LiteRt {
#define FIELD(name, parameters) int(*name) parameters;
    FUNCTIONS(FIELD)
#undef FIELD
    void *compiled;
    size_t n_inputs, n_outputs;
    void *inputs[LITERT_MOST_TENSORS], *outputs[LITERT_MOST_TENSORS];
};

static bool find_functions(LiteRt *p, const char *library)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL), *symbol;
    if (!handle)
        return fprintf(stderr, "%s\n", dlerror()), false;
#define FIND(name, parameters)                                                                                         \
    symbol = dlsym(handle, "LiteRt" #name);                                                                            \
    if (!symbol)                                                                                                       \
        return fprintf(stderr, "%s has no LiteRt" #name "\n", library), false;                                         \
    memcpy(&p->name, &symbol, sizeof(symbol));
    FUNCTIONS(FIND)
#undef FIND
    return true;
}

static bool did(int status, const char *what)
{
    if (status)
        fprintf(stderr, "LiteRT: %s gives status %d\n", what, status);
    return status == 0;
}

/* The library frees the text with the options. */
static bool compile_model(LiteRt *p, void *env, const char *path)
{
    static const char one_thread[] = "kernel_mode = \"delegate\"\nnum_threads = 1\n";
    void *model = NULL, *options = NULL, *opaque = NULL;
    char *text = malloc(sizeof(one_thread));
    if (!text)
        return false;
    memcpy(text, one_thread, sizeof(one_thread));
    return did(p->CreateModelFromFile(env, path, &model), path) && did(p->CreateOptions(&options), "options") &&
           did(p->SetOptionsHardwareAccelerators(options, ON_CPU), "choosing the CPU") &&
           did(p->CreateOpaqueOptions("xnnpack", text, free, &opaque), "XNNPACK's options") &&
           did(p->AddOpaqueOptions(options, opaque), "adding XNNPACK's options") &&
           did(p->CreateCompiledModel(env, model, options, &p->compiled), "compiling the model");
}

/* The element type matters to nothing that is done with the buffer: int8. */
static bool make_buffer(LiteRt *p, void *env, const Layout *layout, void *requirements, void **buffer)
{
    const RankedType type = {9, *layout};
    size_t bytes = 0;
    return did(p->GetTensorBufferRequirementsBufferSize(requirements, &bytes), "the size of a buffer") &&
           did(p->CreateManagedTensorBuffer(env, HOST_MEMORY, &type, bytes, buffer), "a buffer");
}

static bool make_buffers(LiteRt *p, void *env)
{
    Layout layouts[LITERT_MOST_TENSORS];
    void *requirements;
    memset(layouts, 0, sizeof(layouts));
    for (size_t i = 0; i < p->n_inputs; i++)
        if (!did(p->GetCompiledModelInputTensorLayout(p->compiled, DEFAULT_SIGNATURE, i, &layouts[i]), "a layout") ||
            !did(p->GetCompiledModelInputBufferRequirements(p->compiled, DEFAULT_SIGNATURE, i, &requirements),
                 "an input's requirements") ||
            !make_buffer(p, env, &layouts[i], requirements, &p->inputs[i]))
            return false;
    if (!did(p->GetCompiledModelOutputTensorLayouts(p->compiled, DEFAULT_SIGNATURE, p->n_outputs, layouts, true),
             "layouts of outputs"))
        return false;
    for (size_t i = 0; i < p->n_outputs; i++)
        if (!did(p->GetCompiledModelOutputBufferRequirements(p->compiled, DEFAULT_SIGNATURE, i, &requirements),
                 "an output's requirements") ||
            !make_buffer(p, env, &layouts[i], requirements, &p->outputs[i]))
            return false;
    return true;
}

LiteRt *litert_open(const char *library, const char *model, size_t n_inputs, size_t n_outputs)
{
    LiteRt *p = calloc(1, sizeof(*p));
    void *env = NULL;
    if (!p || n_inputs > LITERT_MOST_TENSORS || n_outputs > LITERT_MOST_TENSORS)
        return fprintf(stderr, "more than %d inputs or outputs\n", LITERT_MOST_TENSORS), free(p), NULL;
    p->n_inputs = n_inputs;
    p->n_outputs = n_outputs;
    if (find_functions(p, library) && did(p->CreateEnvironment(0, NULL, &env), "the environment") &&
        compile_model(p, env, model) && make_buffers(p, env))
        return p;
    return free(p), NULL;
}

static void *lock(LiteRt *p, void *buffer, int mode)
{
    void *at = NULL;
    return did(p->LockTensorBuffer(buffer, &at, mode), "locking a buffer") ? at : NULL;
}

bool litert_write(LiteRt *p, size_t input, const void *from, size_t bytes)
{
    void *at = lock(p, p->inputs[input], WRITE);
    if (at)
        memcpy(at, from, bytes);
    return at && did(p->UnlockTensorBuffer(p->inputs[input]), "unlocking a buffer");
}

bool litert_read(LiteRt *p, size_t output, void *to, size_t bytes)
{
    const void *at = lock(p, p->outputs[output], READ);
    if (at)
        memcpy(to, at, bytes);
    return at && did(p->UnlockTensorBuffer(p->outputs[output]), "unlocking a buffer");
}

bool litert_run(LiteRt *p)
{
    return did(p->RunCompiledModel(p->compiled, DEFAULT_SIGNATURE, p->n_inputs, p->inputs, p->n_outputs, p->outputs),
               "running");
}
