/* The LiteRT runtime as the yardstick, through the plain C interface of its shared library. */
#include "golden/litert.h"

#include <dlfcn.h>
#include <string.h>

#include "support/arena.h"

/* ---- the library's interface ------------------------------------------------------------------ */
typedef void *Handle;
typedef struct Layout {
    unsigned int rank : 7, has_strides : 1;
    int32_t dimensions[8];
    uint32_t strides[8];
} Layout;
typedef struct RankedType {
    int element_type;
    Layout layout;
} RankedType;
_Static_assert(sizeof(RankedType) == 72, "as the library has it");

enum { HOST_MEMORY = 1, ON_CPU = 1, LOCK_READ = 0, LOCK_WRITE = 1 };

/* Functions return a status, 0 for done, but for those that destroy. */
/* clang-format off */
#define FUNCTIONS(F)                                                                                                   \
    F(int, CreateEnvironment, (int n, const void *options, Handle *env))                                               \
    F(int, CreateModelFromFile, (Handle env, const char *path, Handle *model))                                         \
    F(int, CreateOptions, (Handle *options))                                                                          \
    F(int, SetOptionsHardwareAccelerators, (Handle options, int set))                                                  \
    F(int, CreateOpaqueOptions, (const char *id, void *payload, void (*deleter)(void *), Handle *opaque))              \
    F(int, AddOpaqueOptions, (Handle options, Handle opaque))                                                          \
    F(int, CreateCompiledModel, (Handle env, Handle model, Handle options, Handle *compiled))                         \
    F(int, GetCompiledModelInputTensorLayout, (Handle compiled, size_t signature, size_t i, Layout *layout))          \
    F(int, GetCompiledModelOutputTensorLayouts, (Handle, size_t signature, size_t n, Layout *, bool update))           \
    F(int, GetCompiledModelInputBufferRequirements, (Handle compiled, size_t signature, size_t i, Handle *needs))     \
    F(int, GetCompiledModelOutputBufferRequirements, (Handle compiled, size_t signature, size_t i, Handle *needs))    \
    F(int, GetTensorBufferRequirementsBufferSize, (Handle needs, size_t *bytes))                                      \
    F(int, CreateManagedTensorBuffer, (Handle env, int memory, const RankedType *type, size_t bytes, Handle *buffer))  \
    F(int, LockTensorBuffer, (Handle buffer, void **address, int mode))                                                \
    F(int, UnlockTensorBuffer, (Handle buffer))                                                                        \
    F(int, RunCompiledModel, (Handle compiled, size_t signature, size_t, Handle *in, size_t, Handle *out))           \
    F(void, DestroyTensorBuffer, (Handle buffer))                                                                      \
    F(void, DestroyCompiledModel, (Handle compiled))                                                                   \
    F(void, DestroyOptions, (Handle options))                                                                          \
    F(void, DestroyModel, (Handle model))                                                                              \
    F(void, DestroyEnvironment, (Handle env))

#define POINTER(result, name, parameters) result (*name) parameters;
typedef struct Library {
    FUNCTIONS(POINTER)
} Library;
/* clang-format on */

/* ---- the runtime ------------------------------------------------------------------------------ */
typedef struct Port {
    size_t bytes;   /* of the tensor */
    uint32_t index; /* among the signature's */
    Handle buffer;  /* NULL: not made */
    AirTensor *tensor;
} Port;

struct LitertRuntime {
    HeliaArena *arena;
    HeliaDiag *diag;
    HeliaLoc at;
    Library call;
    Handle env, model, options, compiled;
    uint32_t n_in, n_out;
    Port *in, *out;                   /* in the graph's order */
    Handle *in_buffers, *out_buffers; /* in the signature's order */
    Layout *layouts;                  /* of outputs, in the signature's order */
};

static bool done(const LitertRuntime *r, const char *what, int status)
{
    return status == 0 || helia_error(r->diag, r->at, "LiteRT: %s failed with status %d", what, status);
}

static bool load_library(LitertRuntime *r, const char *path)
{
    /* It keeps threads and exit handlers, so it is never unloaded. */
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!handle)
        return helia_error(r->diag, r->at,
                           "cannot open the LiteRT runtime: %s; expected the file libLiteRt.so of the PyPI package "
                           "ai-edge-litert",
                           dlerror());
    bool ok = true;
#define LOAD(result, name, parameters)                                                                                 \
    {                                                                                                                  \
        void *symbol = dlsym(handle, "LiteRt" #name);                                                                  \
        memcpy(&r->call.name, &symbol, sizeof(symbol)); /* C has no cast from objects to functions */                  \
        if (!symbol)                                                                                                   \
            ok = helia_error(r->diag, r->at, "%s has no function LiteRt" #name "; tried with ai-edge-litert 2.3.0",    \
                             path);                                                                                    \
    }
    FUNCTIONS(LOAD)
#undef LOAD
    dlclose(handle);
    return ok;
}

static void close_runtime(void *object)
{
    LitertRuntime *r = object;
    for (uint32_t i = 0; i < r->n_in; i++)
        if (r->in[i].buffer)
            r->call.DestroyTensorBuffer(r->in[i].buffer);
    for (uint32_t i = 0; i < r->n_out; i++)
        if (r->out[i].buffer)
            r->call.DestroyTensorBuffer(r->out[i].buffer);
    if (r->compiled)
        r->call.DestroyCompiledModel(r->compiled);
    if (r->options)
        r->call.DestroyOptions(r->options);
    if (r->model)
        r->call.DestroyModel(r->model);
    if (r->env)
        r->call.DestroyEnvironment(r->env);
}

static void keep_payload(void *payload)
{
    (void)payload; /* the arena's */
}

/* Without this option the interpreter hands operators to XNNPACK, which rounds differently. */
static bool compile_model(LitertRuntime *r, const char *path)
{
    const Library *call = &r->call;
    Handle opaque = NULL;
    char *payload = helia_strdup(r->arena, "kernel_mode = \"reference\"\nnum_threads = 1\n");
    return done(r, "CreateEnvironment", call->CreateEnvironment(0, NULL, &r->env)) &&
           done(r, "CreateModelFromFile", call->CreateModelFromFile(r->env, path, &r->model)) &&
           done(r, "CreateOptions", call->CreateOptions(&r->options)) &&
           done(r, "SetOptionsHardwareAccelerators", call->SetOptionsHardwareAccelerators(r->options, ON_CPU)) &&
           done(r, "CreateOpaqueOptions", call->CreateOpaqueOptions("xnnpack", payload, keep_payload, &opaque)) &&
           done(r, "AddOpaqueOptions", call->AddOpaqueOptions(r->options, opaque)) &&
           done(r, "CreateCompiledModel", call->CreateCompiledModel(r->env, r->model, r->options, &r->compiled));
}

/* TfLiteType, which counts otherwise than the model file's TensorType. */
static int element_type(AirType type)
{
    static const int types[AIR_NUM_TYPES] = {
        [AIR_F32] = 1, [AIR_F16] = 10, [AIR_S32] = 2,  [AIR_U8] = 3,   [AIR_S64] = 4, [AIR_BOOL] = 6,
        [AIR_S16] = 7, [AIR_S8] = 9,   [AIR_U64] = 13, [AIR_U32] = 16, [AIR_U16] = 17};
    return types[type];
}

/* The default signature is the first one, and has an order of its own; without one it is the subgraph's. */
static uint32_t signature_index(const LitertModel *model, const AirTensor *t, bool is_input, uint32_t i)
{
    if (!model->signature_defs.len)
        return i;
    const LitertSignature *s = &model->signature_defs.at[0];
    const LitertTensorMap *map = is_input ? s->inputs : s->outputs;
    const uint32_t n = is_input ? s->n_inputs : s->n_outputs;
    for (uint32_t k = 0; k < n; k++)
        if ((int32_t)map[k].tensor_index == t->litert_index)
            return k;
    return UINT32_MAX;
}

static bool check_layout(const LitertRuntime *r, const AirTensor *t, const Layout *layout, const char *what, uint32_t i)
{
    bool same = layout->rank == (unsigned)t->rank;
    for (int32_t k = 0; same && k < t->rank; k++)
        same = layout->dimensions[k] == t->dim[k];
    return same || helia_error(r->diag, r->at, "LiteRT: %s %u has another shape than the module's %s", what, i,
                               air_shape_text(r->arena, t));
}

static bool make_buffer(LitertRuntime *r, Port *p, const Layout *layout, Handle needs)
{
    RankedType type = {element_type(p->tensor->type), *layout};
    size_t size = 0;
    if (!done(r, "GetTensorBufferRequirementsBufferSize", r->call.GetTensorBufferRequirementsBufferSize(needs, &size)))
        return false;
    size = size > p->bytes ? size : p->bytes;
    return done(r, "CreateManagedTensorBuffer",
                r->call.CreateManagedTensorBuffer(r->env, HOST_MEMORY, &type, size, &p->buffer));
}

static bool make_input(LitertRuntime *r, uint32_t i)
{
    Port *p = &r->in[i];
    Handle needs = NULL;
    Layout layout = {0};
    if (!done(r, "GetCompiledModelInputTensorLayout",
              r->call.GetCompiledModelInputTensorLayout(r->compiled, 0, p->index, &layout)) ||
        !check_layout(r, p->tensor, &layout, "input", i) ||
        !done(r, "GetCompiledModelInputBufferRequirements",
              r->call.GetCompiledModelInputBufferRequirements(r->compiled, 0, p->index, &needs)) ||
        !make_buffer(r, p, &layout, needs))
        return false;
    r->in_buffers[p->index] = p->buffer;
    return true;
}

static bool make_output(LitertRuntime *r, uint32_t i)
{
    Port *p = &r->out[i];
    Handle needs = NULL;
    const Layout *layout = &r->layouts[p->index];
    if (!check_layout(r, p->tensor, layout, "output", i) ||
        !done(r, "GetCompiledModelOutputBufferRequirements",
              r->call.GetCompiledModelOutputBufferRequirements(r->compiled, 0, p->index, &needs)) ||
        !make_buffer(r, p, layout, needs))
        return false;
    r->out_buffers[p->index] = p->buffer;
    return true;
}

/* Each input and output of the graph is one of the signature's, all different. */
static bool find_ports(LitertRuntime *r, const LitertModel *model, const AirGraph *g)
{
    const LitertSignature *s = model->signature_defs.len ? &model->signature_defs.at[0] : NULL;
    if ((s ? s->subgraph_index : 0) != g->index)
        return helia_error(r->diag, r->at, "LiteRT runs its default signature, which is not of subgraph %u", g->index);
    r->in = HELIA_NEW_N(r->arena, Port, g->inputs.len);
    r->out = HELIA_NEW_N(r->arena, Port, g->outputs.len);
    bool ok = !s || (s->n_inputs == g->inputs.len && s->n_outputs == g->outputs.len);
    for (uint32_t i = 0; ok && i < g->inputs.len + g->outputs.len; i++) {
        const bool is_input = i < g->inputs.len;
        const uint32_t k = is_input ? i : i - g->inputs.len;
        AirTensor *t = is_input ? g->inputs.at[k] : g->outputs.at[k];
        Port p = {air_bytes(t), signature_index(model, t, is_input, k), NULL, t};
        ok = p.index != UINT32_MAX && element_type(t->type) != 0;
        *(is_input ? &r->in[k] : &r->out[k]) = p;
    }
    if (!ok)
        return helia_error(
            r->diag, r->at,
            "LiteRT: the model's signature does not have each input and output of the graph once, of a type "
            "that LiteRT has buffers for");
    r->n_in = g->inputs.len;
    r->n_out = g->outputs.len;
    return true;
}

static bool make_buffers(LitertRuntime *r)
{
    r->in_buffers = HELIA_NEW_N(r->arena, Handle, r->n_in);
    r->out_buffers = HELIA_NEW_N(r->arena, Handle, r->n_out);
    r->layouts = HELIA_NEW_N(r->arena, Layout, r->n_out);
    bool ok = done(r, "GetCompiledModelOutputTensorLayouts",
                   r->call.GetCompiledModelOutputTensorLayouts(r->compiled, 0, r->n_out, r->layouts, true));
    for (uint32_t i = 0; ok && i < r->n_in; i++)
        ok = make_input(r, i);
    for (uint32_t i = 0; ok && i < r->n_out; i++)
        ok = make_output(r, i);
    return ok;
}

LitertRuntime *litert_runtime_open(HeliaArena *arena, HeliaDiag *diag, HeliaLoc at, const char *library,
                                   const char *model_path, const LitertModel *model, const AirGraph *graph)
{
    LitertRuntime *r = HELIA_NEW(arena, LitertRuntime);
    r->arena = arena;
    r->diag = diag;
    r->at = at;
    arena_guard(arena, close_runtime, r);
    const char *path = strchr(library, '/') ? library : helia_format(arena, "./%s", library); /* no search path */
    return load_library(r, path) && find_ports(r, model, graph) && compile_model(r, model_path) && make_buffers(r)
               ? r
               : NULL;
}

/* ---- running ---------------------------------------------------------------------------------- */
static bool copy(LitertRuntime *r, Port *p, const void *from, void *to)
{
    void *address = NULL;
    if (!done(r, "LockTensorBuffer", r->call.LockTensorBuffer(p->buffer, &address, from ? LOCK_WRITE : LOCK_READ)))
        return false;
    if (p->bytes)
        memcpy(from ? address : to, from ? from : address, p->bytes);
    return done(r, "UnlockTensorBuffer", r->call.UnlockTensorBuffer(p->buffer));
}

bool litert_runtime_run(LitertRuntime *r, const void *const *inputs, void *const *outputs)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < r->n_in; i++)
        ok = copy(r, &r->in[i], inputs[i], NULL);
    ok = ok && done(r, "RunCompiledModel",
                    r->call.RunCompiledModel(r->compiled, 0, r->n_in, r->in_buffers, r->n_out, r->out_buffers));
    for (uint32_t i = 0; ok && i < r->n_out; i++)
        ok = copy(r, &r->out[i], NULL, outputs[i]);
    return ok;
}

/* ---- documented differences ------------------------------------------------------------------- */
/* Where the kernels here follow TensorFlow Lite Micro and LiteRT's reference kernels round otherwise: by how much for one
 * operator; NO_YARDSTICK: LiteRT's results are wrong. */
enum { NO_YARDSTICK = -1, S8 = 1 << AIR_S8, S16 = 1 << AIR_S16 };
static const struct {
    const char *op_type;
    unsigned types; /* of output 0 */
    int by;
} differences[] = {
    {"FULLY_CONNECTED", S8 | S16, 1},        /* scaled in double precision */
    {"MUL", S8 | S16, 1},                    /* the product of the scales is rounded to float32 */
    {"LOGISTIC", S8, 1},                     /* a table of float values */
    {"TANH", S8, 1},                         /* the same */
    {"ADD", S16, 1},                         /* another form where all scales are powers of two */
    {"SUB", S16, 1},                         /* the same */
    {"SVDF", S8, 1},                         /* multipliers from float32 products */
    {"UNIDIRECTIONAL_SEQUENCE_LSTM", S8, 1}, /* activations of 16 bits */
    {"SUM", S8 | S16, NO_YARDSTICK},         /* reads and writes the data as uint8 */
};

bool litert_difference(HeliaArena *arena, HeliaDiag *diag, const AirGraph *g, uint32_t *allowed, const char **why)
{
    bool ok = true;
    *allowed = 0;
    *why = "";
    for (size_t d = 0; d < sizeof(differences) / sizeof(differences[0]); d++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < g->nodes.len; i++) {
            const AirNode *n = g->nodes.at[i];
            if (strcmp(n->op_type, differences[d].op_type) != 0 || !n->n_out || !n->out[0] ||
                !(differences[d].types >> n->out[0]->type & 1))
                continue;
            count++;
            if (differences[d].by == NO_YARDSTICK)
                ok = helia_error(diag, air_node_loc(g, n),
                                 "test.reference: litert: LiteRT's reference kernel gives wrong results for %s; use "
                                 "builtin",
                                 air_type_doc(n->out[0]->type));
        }
        if (!count || differences[d].by == NO_YARDSTICK)
            continue;
        *allowed += count * (uint32_t)differences[d].by;
        *why = helia_format(arena, "%s%s%u x %s (%d each)", *why, **why ? ", " : "", count, differences[d].op_type,
                            differences[d].by);
    }
    return ok;
}
