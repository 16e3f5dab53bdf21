/* The five registries of a conversion. Built-ins enter through the same functions as a plug-in. */
#ifndef HELIA_AOT_REGISTRY_H
#define HELIA_AOT_REGISTRY_H

#include <helia_aot/op.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rewrites the whole LiteRT model before parsing; false after reporting. */
typedef struct HeliaModelHook {
    bool (*run)(const struct HeliaModelHook *self, LitertModel *model, HeliaDiag *diag);
    const void *user;
} HeliaModelHook;

typedef struct HeliaTransform {
    const char *name; /* its key, as in the configuration */
    const char *doc;  /* one line */
    bool (*run)(const struct HeliaTransform *self, const HeliaOpContext *c,
                const struct HeliaRegistryContext *registry);
    const void *user;
} HeliaTransform;

/* An ordered map from a key to a pointer that outlives it. */
typedef struct HeliaRegistry HeliaRegistry;
/* False (with a reason to be had from helia_registry_error) when the registry is frozen, the key is present and
 * overwrite is false, or the key is malformed. Keeping its place, an overwritten entry holds the new value. */
bool helia_registry_register(HeliaRegistry *registry, const char *key, const void *value, bool overwrite);
bool helia_registry_remove(HeliaRegistry *registry, const char *key);
const void *helia_registry_get(const HeliaRegistry *registry, const char *key); /* NULL: absent */
uint32_t helia_registry_count(const HeliaRegistry *registry);
const char *helia_registry_key(const HeliaRegistry *registry, uint32_t index); /* in order of registration */

typedef struct HeliaRegistryContext {
    HeliaRegistry *litert_model_hooks;   /* name -> HeliaModelHook */
    HeliaRegistry *litert_parsers;       /* operator key -> HeliaLitertParser */
    HeliaRegistry *air_options;          /* operator key -> HeliaOptionsClass */
    HeliaRegistry *aot_operator_classes; /* operator key -> HeliaOpClass */
    HeliaRegistry *transforms;           /* name -> HeliaTransform; runs in this order */
    HeliaArena *arena;
    HeliaDiag *diag; /* failed registrations are reported here */
} HeliaRegistryContext;

typedef bool (*HeliaCustomizer)(HeliaRegistryContext *context, void *user);

/* The built-ins, then each customizer, then frozen. Replacing or removing a built-in without allow_override makes
 * it fail, whatever `overwrite` said. NULL after reporting. */
HeliaRegistryContext *helia_build_default_registry_context(HeliaArena *arena, HeliaDiag *diag,
                                                           const HeliaCustomizer *customizers, void *const *users,
                                                           uint32_t n, bool allow_override);

/* Trims, upper-cases and turns '-' into '_', nothing else: "custom-noop" -> "CUSTOM_NOOP". NULL after reporting
 * when the result is no C identifier. */
const char *helia_custom_code_to_op_key(HeliaArena *arena, HeliaDiag *diag, HeliaLoc at, const char *custom_code);

/* One operator with its three entries; what the files in src/ops call. */
bool helia_register_op(HeliaRegistryContext *context, const HeliaOpClass *op, const HeliaLitertParser *parser,
                       const HeliaOptionsClass *options);

/* A kernel source or header for modules, beside those of the runtime: kernel rows name it by `name` ("helia_x.c"), other
 * sources include it by that. Its text and name follow the runtime's rule: what begins with helia_ gets the module's
 * prefix as it is copied, so two modules share nothing. The bytes are copied; they are C text without a NUL. */
bool helia_register_kernel_source(HeliaRegistryContext *context, const char *name, const void *bytes, size_t size);
/* The same from a file. A relative path of a plug-in is beside the plug-in's own file. */
bool helia_register_kernel_file(HeliaRegistryContext *context, const char *path);

#ifdef __cplusplus
}
#endif
#endif
