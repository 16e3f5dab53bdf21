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
static bool emit(HeliaEmitter *e, const AirNode *n)
{
    return helia_error(helia_emit_diag(e), air_node_loc(helia_emit_graph(e), n), "the replacement emits nothing");
}
#endif

bool customize(HeliaRegistryContext *context, void *user);
bool customize(HeliaRegistryContext *context, void *user)
{
    (void)user;
#if defined(FAIL)
    return context == NULL;
#elif defined(REPLACE)
    HeliaOpClass *copy = helia_memdup(context->arena, helia_registry_get(context->aot_operator_classes, "ADD"),
                                      sizeof(HeliaOpClass));
    copy->emit = emit;
    return helia_registry_register(context->aot_operator_classes, "ADD", copy, true);
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
