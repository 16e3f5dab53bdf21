/* What a plug-in includes: everything an operator, a hook or a transform is written with, and the one symbol that the
 * compiler looks for in the shared object.
 *
 *     static bool customize(HeliaRegistryContext *context, void *user) { ...register...; return true; }
 *     HELIA_PLUGIN("my_ops", "1.0", customize)
 *
 * A plug-in is built with hidden visibility (-shared -fPIC -fvisibility=hidden) and links no library: the functions of
 * these headers are those of the program that loads it. It belongs to the version whose headers it was built with:
 * HELIA_PLUGIN_ABI changes when a function or the meaning of a field does, HELIA_PLUGIN_LAYOUT when a struct does, and
 * a plug-in of other numbers is refused before any of its code runs on our structs. It stays loaded as long as anything
 * it registered. Errors are reported through context->diag and by returning false. Running out of memory in one of our
 * functions leaves the plug-in by a jump: C++ code must hold nothing across a call that a destructor would have to
 * free. */
#ifndef HELIA_AOT_PLUGIN_H
#define HELIA_AOT_PLUGIN_H

#include <helia_aot/emit.h>
#include <helia_aot/flexbuffer.h>
#include <helia_aot/registry.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HELIA_PLUGIN_ABI 1u

#define HELIA_PLUGIN_MIX(seed, T) ((uint32_t)((seed)*31u + (uint32_t)sizeof(T)))
#define HELIA_PLUGIN_AIR                                                                                               \
    HELIA_PLUGIN_MIX(HELIA_PLUGIN_MIX(HELIA_PLUGIN_MIX(HELIA_PLUGIN_MIX(1u, AirTensor), AirNode), AirGraph), AirModel)
#define HELIA_PLUGIN_OP                                                                                                \
    HELIA_PLUGIN_MIX(HELIA_PLUGIN_MIX(HELIA_PLUGIN_MIX(HELIA_PLUGIN_AIR, HeliaOpClass), HeliaKernel), HeliaTarget)
#define HELIA_PLUGIN_LITERT                                                                                            \
    HELIA_PLUGIN_MIX(HELIA_PLUGIN_MIX(HELIA_PLUGIN_MIX(HELIA_PLUGIN_OP, LitertModel), LitertOp), LitertTensor)
/* A number of the sizes of the structs that plug-ins share with the compiler. */
#define HELIA_PLUGIN_LAYOUT HELIA_PLUGIN_MIX(HELIA_PLUGIN_MIX(HELIA_PLUGIN_LITERT, HeliaRegistryContext), HeliaParse)

/* The program that loads the plug-in. New fields go to the end. */
typedef struct HeliaPluginHost {
    uint32_t abi;        /* its HELIA_PLUGIN_ABI */
    uint32_t size;       /* sizeof(HeliaPluginHost) there */
    const char *version; /* of helia-aot: "0.1.0" */
} HeliaPluginHost;

/* The plug-in. New fields go to the end. */
typedef struct HeliaPluginInfo {
    uint32_t abi;  /* HELIA_PLUGIN_ABI */
    uint32_t size; /* sizeof(HeliaPluginInfo) */
    uint32_t layout;
    const char *name;    /* a C identifier; recorded in the module's configuration */
    const char *version; /* likewise */
    HeliaCustomizer customize;
    void *user; /* for customize */
} HeliaPluginInfo;

#if defined(__GNUC__)
#define HELIA_PLUGIN_EXPORT __attribute__((visibility("default")))
#else
#define HELIA_PLUGIN_EXPORT
#endif

/* Defined by the plug-in, called once. NULL: it cannot work with this host. */
HELIA_PLUGIN_EXPORT const HeliaPluginInfo *helia_plugin_init(const HeliaPluginHost *host);

/* Defines helia_plugin_init for the usual case. */
#define HELIA_PLUGIN(name, version, customize)                                                                         \
    const HeliaPluginInfo *helia_plugin_init(const HeliaPluginHost *host)                                              \
    {                                                                                                                  \
        static const HeliaPluginInfo info = {                                                                          \
            HELIA_PLUGIN_ABI, (uint32_t)sizeof(HeliaPluginInfo), HELIA_PLUGIN_LAYOUT, name, version, customize, NULL}; \
        (void)host;                                                                                                    \
        return &info;                                                                                                  \
    }

#ifdef __cplusplus
}
#endif
#endif
