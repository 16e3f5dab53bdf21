/* A plug-in that can be wrong in each way; tests/unit/plugin_load.c compiles it with the macro of one of them. */
#include <helia_aot/plugin.h>

#ifndef ABI
#define ABI HELIA_PLUGIN_ABI
#endif
#ifndef SIZE
#define SIZE sizeof(HeliaPluginInfo)
#endif
#ifndef LAYOUT
#define LAYOUT HELIA_PLUGIN_LAYOUT
#endif
#ifndef NAME
#define NAME "variant"
#endif
#ifndef VERSION
#define VERSION "1.2"
#endif
#ifndef CUSTOMIZE
#define CUSTOMIZE customize
#endif
#ifndef ENTRY
#define ENTRY helia_plugin_init
#endif

#ifdef REPLACE
/* What the replaced operator emits, as a mask; 0: an error. */
enum { HEADER = 1, RUN = 2, INIT = 4, INIT_CALLED = 8 };

static void function(HeliaEmitter *e, HeliaOut *o, const AirNode *n, const char *what)
{
    const char *p = helia_emit_prefix(e);
    helia_out_line(o, "int32_t %s_%s_%s(%s_model_context_t *ctx) /* with a remark */", p, n->cname, what, p);
    helia_out_line(o, "{");
    helia_out_line(o, "    (void)ctx; /* %s_%s_run(ctx) is another */", p, n->cname);
    helia_out_line(o, "    return 0;");
    helia_out_line(o, "}");
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    const char *file = helia_format(helia_emit_arena(e), "src/%s_%s.c", helia_emit_prefix(e), n->cname);
    if (!(REPLACE))
        return helia_error(helia_emit_diag(e), air_node_loc(helia_emit_graph(e), n), "the replacement emits nothing");
    HeliaOut *o = (REPLACE)&HEADER ? helia_emit_operator(e, n) : helia_emit_file(e, file);
    if ((REPLACE)&RUN)
        function(e, o, n, "run");
    if ((REPLACE)&INIT)
        function(e, o, n, "init");
    return o != NULL;
}
#endif

#ifdef PARSER
static bool parse(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    return self && p && node;
}
#endif

#ifdef SILENT
/* Each fails without a word. */
static bool hook(const struct HeliaModelHook *self, LitertModel *model, HeliaDiag *diag)
{
    return !self || !model || !diag;
}

static bool transform(const struct HeliaTransform *self, const HeliaOpContext *c, const HeliaRegistryContext *r)
{
    return !self || !c || !r;
}

static bool parse_nothing(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    return !self || !p || !node;
}

static bool about(const HeliaOpContext *c, AirNode *node)
{
    return !c || !node;
}

static bool emit_nothing(HeliaEmitter *e, const AirNode *n)
{
    return !e || !n;
}

static bool eval_nothing(HeliaEval *v, const AirNode *n)
{
    return !v || !n;
}

static bool silent(HeliaRegistryContext *context, char which)
{
    static const HeliaModelHook model_hook = {hook, NULL};
    static const HeliaTransform pass = {.name = "silent", .run = transform};
    static const HeliaLitertParser parser = {parse_nothing, NULL};
    HeliaOpClass *copy = helia_memdup(context->arena, helia_registry_get(context->aot_operator_classes, "ADD"),
                                      sizeof(HeliaOpClass));
    switch (which) {
    case 'h':
        return helia_registry_register(context->litert_model_hooks, "silent", &model_hook, false);
    case 't':
        return helia_registry_register(context->transforms, "silent", &pass, false);
    case 'p':
        return helia_registry_register(context->litert_parsers, "ADD", &parser, true);
    case 'i':
        copy->infer = about;
        break;
    case 'r':
        copy->on_resolve = about;
        break;
    case 'e':
        copy->emit = emit_nothing;
        break;
    default:
        copy->eval = eval_nothing;
        break;
    }
    return helia_registry_register(context->aot_operator_classes, "ADD", copy, true);
}
#endif

bool customize(HeliaRegistryContext *context, void *user);
bool customize(HeliaRegistryContext *context, void *user)
{
    (void)user;
#if defined(FAIL)
    return context == NULL;
#elif defined(SILENT)
    return silent(context, SILENT);
#elif defined(REPLACE)
    HeliaOpClass *copy = helia_memdup(context->arena, helia_registry_get(context->aot_operator_classes, "ADD"),
                                      sizeof(HeliaOpClass));
    copy->emit = emit;
    copy->has_init = (REPLACE)&INIT_CALLED;
    return helia_registry_register(context->aot_operator_classes, "ADD", copy, true);
#elif defined(PARSER)
    static const HeliaLitertParser parser = {parse, NULL};
    return helia_registry_register(context->litert_parsers, PARSER, &parser, false);
#elif defined(SOURCE)
    return helia_register_kernel_source(context, SOURCE, "int helia_x;\n", 13);
#else
    return context != NULL;
#endif
}

HELIA_PLUGIN_EXPORT const HeliaPluginInfo *ENTRY(const HeliaPluginHost *host);
const HeliaPluginInfo *ENTRY(const HeliaPluginHost *host)
{
    static const HeliaPluginInfo info = {ABI, (uint32_t)(SIZE), LAYOUT, NAME, VERSION, CUSTOMIZE, NULL};
#ifdef REFUSE
    return host->abi == 0 ? &info : NULL;
#else
    return host->size >= sizeof(HeliaPluginHost) ? &info : NULL;
#endif
}
