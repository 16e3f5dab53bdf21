/* A registry context from inside: what the plug-in loader sets while it fills one, and the emitter's look-up. */
#ifndef OP_REGISTRY_H
#define OP_REGISTRY_H

#include <helia_aot/registry.h>

#include "emit/embedded.h"

/* The state that belongs to all registries of a context; the context is its first member. */
typedef struct ContextState {
    HeliaRegistryContext context;
    bool building_builtins, allow_override, frozen;
    bool violated;      /* a built-in was replaced or removed without allow_override */
    const char *who;    /* whose customizer runs, for messages; NULL: it has no name */
    const char *beside; /* the file that relative paths of its kernel sources are beside; NULL: working folder */
    HELIA_VEC(EmbeddedFile) kernel_sources; /* by name, beyond those of the runtime */
} ContextState;

static inline ContextState *registry_state(HeliaRegistryContext *context)
{
    return (ContextState *)(void *)context;
}

/* A kernel source that a customizer brought, by the last component of its name; NULL: there is none. */
const EmbeddedFile *registry_kernel_source(const HeliaRegistryContext *context, const char *name);

#endif
