/* Plug-ins: shared objects that add to the registries of a conversion. */
#ifndef PLUGIN_LOAD_H
#define PLUGIN_LOAD_H

#include <helia_aot/plugin.h>

#include "config/config.h"

/* A loaded plug-in. Its code stays until plugin_unload(), which must come after the last use of the registries. */
typedef struct Plugin {
    void *handle;
    const HeliaPluginInfo *info;
    const ConfigPlugin *config;
} Plugin;
typedef HELIA_VEC(Plugin) Plugins;

/* Loads and checks every plug-in of a list, whose names and versions it fills in, then builds the registry context:
 * built-ins, plug-ins in order, the customizers. Each plug-in may override built-ins if its own entry says so,
 * the customizers if allow_override does. NULL after reporting; what was loaded is in *loaded either way. */
HeliaRegistryContext *plugin_registry_context(HeliaArena *arena, HeliaDiag *diag, ConfigPlugins *list, Plugins *loaded,
                                              const HeliaCustomizer *customizers, void *const *users, uint32_t n,
                                              bool allow_override);
void plugin_unload(Plugins *loaded);

#endif
