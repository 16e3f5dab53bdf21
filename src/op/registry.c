/* The registries: ordered maps, frozen once the context is built, built-ins protected from replacement. */
#include "op/registry.h"

#include <ctype.h>
#include <string.h>

#include "op/op_list.h"
#include "passes/pass.h"

typedef struct Entry {
    const char *key;
    const void *value;
    bool builtin;
} Entry;

struct HeliaRegistry {
    HeliaRegistryContext *context;
    const char *name;
    HELIA_VEC(Entry) entries;
};

static ContextState *state_of(const HeliaRegistry *r)
{
    return registry_state(r->context);
}

static bool refuse(const HeliaRegistry *r, const char *key, const char *why)
{
    return helia_error(r->context->diag, HELIA_NOWHERE, "registry %s: \"%s\": %s", r->name,
                       helia_printable(r->context->arena, key ? key : "(null)"), why);
}

static bool is_identifier(const char *key)
{
    if (!isalpha((unsigned char)key[0]) && key[0] != '_')
        return false;
    for (const char *p = key; *p; p++)
        if (!isalnum((unsigned char)*p) && *p != '_')
            return false;
    return true;
}

static Entry *find(const HeliaRegistry *r, const char *key)
{
    for (uint32_t i = 0; i < r->entries.len; i++)
        if (strcmp(r->entries.at[i].key, key) == 0)
            return &r->entries.at[i];
    return NULL;
}

static bool may_touch(const HeliaRegistry *r, const Entry *e, const char *what)
{
    ContextState *s = state_of(r);
    if (!e->builtin || s->allow_override || s->building_builtins)
        return true;
    s->violated = true;
    return refuse(r, e->key,
                  helia_format(r->context->arena,
                               "a built-in can be %s only where overriding is allowed (allow_override)", what));
}

bool helia_registry_register(HeliaRegistry *r, const char *key, const void *value, bool overwrite)
{
    if (state_of(r)->frozen)
        return refuse(r, key, "the registry context is frozen: register before it is built");
    if (!key || !is_identifier(key))
        return refuse(r, key, "a key must be a C identifier (letters, digits and _, not starting with a digit)");
    if (!value)
        return refuse(r, key, "the value is missing");
    Entry *e = find(r, key);
    if (!e) {
        Entry fresh = {helia_strdup(r->context->arena, key), value, state_of(r)->building_builtins};
        HELIA_PUSH(r->context->arena, &r->entries, fresh);
        return true;
    }
    if (!overwrite)
        return refuse(r, key, "registered already (pass overwrite to replace it)");
    if (!may_touch(r, e, "replaced"))
        return false;
    e->value = value;
    return true;
}

bool helia_registry_remove(HeliaRegistry *r, const char *key)
{
    if (state_of(r)->frozen)
        return refuse(r, key, "the registry context is frozen");
    Entry *e = key ? find(r, key) : NULL;
    if (!e)
        return refuse(r, key, "not registered");
    if (!may_touch(r, e, "removed"))
        return false;
    size_t behind = (size_t)(r->entries.at + r->entries.len - (e + 1));
    memmove(e, e + 1, behind * sizeof(*e));
    r->entries.len--;
    return true;
}

const void *helia_registry_get(const HeliaRegistry *r, const char *key)
{
    const Entry *e = find(r, key);
    return e ? e->value : NULL;
}

uint32_t helia_registry_count(const HeliaRegistry *r)
{
    return r->entries.len;
}

const char *helia_registry_key(const HeliaRegistry *r, uint32_t index)
{
    return index < r->entries.len ? r->entries.at[index].key : NULL;
}

static HeliaRegistry *registry_new(HeliaRegistryContext *context, const char *name)
{
    HeliaRegistry *r = HELIA_NEW(context->arena, HeliaRegistry);
    r->context = context;
    r->name = name;
    return r;
}

static bool register_builtins(HeliaRegistryContext *c)
{
    bool ok = true;
#define OP(name) ok = op_##name##_register(c) && ok;
#include "op_list.inc"
#undef OP
    return passes_register(c) && ok;
}

/* ---- what was registered, before it is used ---------------------------------------------------- */
static const char *class_fault(HeliaArena *arena, const char *key, const HeliaOpClass *op)
{
    if (!op->type || strcmp(op->type, key) != 0)
        return helia_format(arena, "the class has the type \"%s\"; key and type must be equal",
                            helia_printable(arena, op->type ? op->type : "(null)"));
    for (uint32_t i = 0; i < op->n_kernels; i++)
        if (!op->kernels || !op->kernels[i].symbol || !op->kernels[i].file || !op->kernels[i].fits)
            return helia_format(arena, "kernel row %u has no symbol, file or fits function", i);
    return op->max_in < op->min_in ? "max_in is less than min_in" : NULL;
}

static const char *transform_fault(HeliaArena *arena, const char *key, const HeliaTransform *t)
{
    if (!t->name || strcmp(t->name, key) != 0)
        return helia_format(arena, "the transform has the name \"%s\"; key and name must be equal",
                            helia_printable(arena, t->name ? t->name : "(null)"));
    return t->run ? NULL : "the transform has no run function";
}

static const char *entry_fault(const HeliaRegistryContext *c, const HeliaRegistry *r, const Entry *e)
{
    if (r == c->aot_operator_classes)
        return class_fault(c->arena, e->key, e->value);
    if (r == c->litert_parsers)
        return ((const HeliaLitertParser *)e->value)->parse ? NULL : "the parser has no parse function";
    if (r == c->litert_model_hooks)
        return ((const HeliaModelHook *)e->value)->run ? NULL : "the hook has no run function";
    if (r == c->transforms)
        return transform_fault(c->arena, e->key, e->value);
    return ((const HeliaOptionsClass *)e->value)->name ? NULL : "the options class has no name";
}

static bool check_entries(const HeliaRegistryContext *c)
{
    const HeliaRegistry *const all[] = {c->litert_model_hooks, c->litert_parsers, c->air_options,
                                        c->aot_operator_classes, c->transforms};
    bool ok = true;
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        for (uint32_t k = 0; k < all[i]->entries.len; k++) {
            const Entry *e = &all[i]->entries.at[k];
            const char *fault = entry_fault(c, all[i], e);
            ok = (!fault || refuse(all[i], e->key, fault)) && ok;
        }
    return ok;
}

HeliaRegistryContext *helia_build_default_registry_context(HeliaArena *arena, HeliaDiag *diag,
                                                           const HeliaCustomizer *customizers, void *const *users,
                                                           uint32_t n, bool allow_override)
{
    ContextState *s = HELIA_NEW(arena, ContextState);
    HeliaRegistryContext *c = &s->context;
    c->arena = arena;
    c->diag = diag;
    c->litert_model_hooks = registry_new(c, "litert_model_hooks");
    c->litert_parsers = registry_new(c, "litert_parsers");
    c->air_options = registry_new(c, "air_options");
    c->aot_operator_classes = registry_new(c, "aot_operator_classes");
    c->transforms = registry_new(c, "transforms");
    s->building_builtins = true;
    bool ok = register_builtins(c);
    s->building_builtins = false;
    s->allow_override = allow_override;
    for (uint32_t i = 0; i < n; i++)
        if (!customizers[i](c, users ? users[i] : NULL))
            ok = helia_error(diag, HELIA_NOWHERE, "%s failed to set up the registries",
                             s->who ? s->who : helia_format(arena, "customizer %u", i));
    s->frozen = true;
    return check_entries(c) && ok && !s->violated ? c : NULL;
}

const char *helia_custom_code_to_op_key(HeliaArena *arena, HeliaDiag *diag, HeliaLoc at, const char *custom_code)
{
    const char *begin = custom_code ? custom_code : "";
    while (isspace((unsigned char)*begin))
        begin++;
    size_t n = strlen(begin);
    while (n && isspace((unsigned char)begin[n - 1]))
        n--;
    char *key = helia_strndup(arena, begin, n);
    for (char *p = key; *p; p++)
        *p = *p == '-' ? '_' : (char)toupper((unsigned char)*p);
    if (is_identifier(key))
        return key;
    helia_error(
        diag, at,
        "custom_code \"%s\" gives the operator key \"%s\", which is no C identifier; accepted are letters, digits, "
        "'-' and '_', not starting with a digit",
        helia_printable(arena, custom_code ? custom_code : ""), helia_printable(arena, key));
    return NULL;
}

bool helia_register_op(HeliaRegistryContext *c, const HeliaOpClass *op, const HeliaLitertParser *parser,
                       const HeliaOptionsClass *options)
{
    bool ok = helia_registry_register(c->aot_operator_classes, op->type, op, false);
    ok = helia_registry_register(c->litert_parsers, op->type, parser, false) && ok;
    if (options)
        ok = helia_registry_register(c->air_options, op->type, options, false) && ok;
    return ok;
}
