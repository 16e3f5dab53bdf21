/* Loading plug-ins: every check comes before anything of the plug-in touches the registries. */
#include "plugin/load.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "config/keys.h"
#include "op/registry.h"
#include "plugin/elf.h"
#include "support/file.h"

static HeliaLoc at_plugin(const ConfigPlugin *p)
{
    return helia_at_file(p->path);
}

static bool is_name(HeliaArena *arena, const char *text)
{
    return text && *text && check_identifier.fault(arena, text) == NULL;
}

static bool is_version(const char *text)
{
    size_t n = text ? strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-") : 0;
    return n > 0 && n <= 64 && !text[n];
}

/* The recorded configuration and messages tell plug-ins by their names. */
static bool check_name(HeliaDiag *diag, const ConfigPlugin *p, const HeliaPluginInfo *info, const Plugins *loaded)
{
    bool ok = true;
    for (uint32_t i = 0; i < loaded->len; i++)
        if (loaded->at[i].info && strcmp(loaded->at[i].info->name, info->name) == 0)
            ok = helia_error(diag, at_plugin(p),
                             "the plug-in's name is \"%s\", which %s has, too; expected one plug-in of a name",
                             info->name, loaded->at[i].config->path);
    return ok;
}

static bool check_info(HeliaArena *arena, HeliaDiag *diag, const ConfigPlugin *p, const HeliaPluginInfo *info)
{
    HeliaLoc at = at_plugin(p);
    if (info->abi != HELIA_PLUGIN_ABI)
        return helia_error(diag, at,
                           "the plug-in has ABI %u; helia-aot " HELIA_AOT_VERSION
                           " takes %u: build it with this version's "
                           "headers",
                           info->abi, HELIA_PLUGIN_ABI);
    if (info->size != sizeof(HeliaPluginInfo))
        return helia_error(diag, at,
                           "the plug-in describes itself in %u bytes; expected %zu: build it with this version's "
                           "headers",
                           info->size, sizeof(HeliaPluginInfo));
    if (info->layout != HELIA_PLUGIN_LAYOUT)
        return helia_error(
            diag, at,
            "the plug-in was built with headers in which structs have other sizes (0x%08x; expected 0x%08x): "
            "build it with this version's headers",
            info->layout, HELIA_PLUGIN_LAYOUT);
    if (!is_name(arena, info->name))
        return helia_error(diag, at, "the plug-in's name is \"%s\"; expected %s",
                           helia_printable(arena, info->name ? info->name : ""), check_identifier.expected);
    if (!is_version(info->version))
        return helia_error(diag, at, "the plug-in's version is \"%s\"; expected letters, digits and . _ + -",
                           helia_printable(arena, info->version ? info->version : ""));
    if (!info->customize)
        return helia_error(diag, at, "the plug-in has no customize function");
    if (p->name && strcmp(p->name, info->name) != 0)
        return helia_error(diag, p->at, "plugins: name is \"%s\"; that of %s is \"%s\"",
                           helia_printable(arena, p->name), p->path, info->name);
    if (p->version && strcmp(p->version, info->version) != 0)
        return helia_error(diag, p->at, "plugins: version of \"%s\" is \"%s\"; that of %s is \"%s\"", info->name,
                           helia_printable(arena, p->version), p->path, info->version);
    return true;
}

typedef const HeliaPluginInfo *(*InitFunction)(const HeliaPluginHost *host);

/* A function as dlsym() returns it: ISO C has no conversion from an object pointer. */
static InitFunction init_function(void *handle)
{
    InitFunction f = NULL;
    void *symbol = dlsym(handle, "helia_plugin_init");
    memcpy(&f, &symbol, sizeof(f));
    return f;
}

static bool load(HeliaArena *arena, HeliaDiag *diag, ConfigPlugin *p, Plugins *loaded)
{
    static const HeliaPluginHost host = {HELIA_PLUGIN_ABI, sizeof(HeliaPluginHost), HELIA_AOT_VERSION};
    HeliaLoc at = at_plugin(p);
    if (access(p->path, R_OK) != 0)
        return helia_fatal(diag, at, "cannot read the plug-in: there is no such file, or it is not readable");
    FileBytes file;
    if (!file_read(arena, diag, p->path, &file))
        return false;
    const char *fault = elf_fault(arena, file.at, file.size);
    if (fault)
        return helia_error(diag, at, "cannot load the plug-in: %s", fault);
    /* A name without a slash would be looked for in the system's folders. */
    void *handle = dlopen(helia_format(arena, "%s%s", strchr(p->path, '/') ? "" : "./", p->path),
                          RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char *why = dlerror();
        return helia_error(diag, at, "cannot load the plug-in: %s", why ? why : "unknown reason");
    }
    Plugin plugin = {handle, NULL, p};
    HELIA_PUSH(arena, loaded, plugin);
    InitFunction init = init_function(handle);
    if (!init)
        return helia_error(diag, at, "this is no plug-in: it does not define helia_plugin_init");
    const HeliaPluginInfo *info = init(&host);
    if (!info)
        return helia_error(diag, at, "the plug-in refuses helia-aot " HELIA_AOT_VERSION);
    if (!check_info(arena, diag, p, info) || !check_name(diag, p, info, loaded))
        return false;
    loaded->at[loaded->len - 1].info = info;
    p->name = helia_strdup(arena, info->name);
    p->version = helia_strdup(arena, info->version);
    return true;
}

/* A customizer for each plug-in: what the context says of whose code runs is set around it. */
static bool customize_plugin(HeliaRegistryContext *context, void *user)
{
    const Plugin *p = user;
    ContextState *s = registry_state(context);
    bool others = s->allow_override;
    s->allow_override = p->config->allow_override;
    s->who = helia_format(context->arena, "plug-in %s", p->info->name);
    s->beside = p->config->path;
    if (!p->info->customize(context, p->info->user))
        return false;
    s->allow_override = others;
    s->who = s->beside = NULL;
    helia_info(context->diag, 1, "plug-in: %s %s, %s", p->info->name, p->info->version, p->config->path);
    return true;
}

HeliaRegistryContext *plugin_registry_context(HeliaArena *arena, HeliaDiag *diag, ConfigPlugins *list, Plugins *loaded,
                                              const HeliaCustomizer *customizers, void *const *users, uint32_t n,
                                              bool allow_override)
{
    bool ok = true;
    for (uint32_t i = 0; i < list->len; i++)
        ok = load(arena, diag, &list->at[i], loaded) && ok;
    if (!ok)
        return NULL;
    HELIA_VEC(HeliaCustomizer) all = {0};
    HELIA_VEC(void *) all_users = {0};
    for (uint32_t i = 0; i < loaded->len; i++) {
        HELIA_PUSH(arena, &all, customize_plugin);
        HELIA_PUSH(arena, &all_users, (void *)&loaded->at[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        HELIA_PUSH(arena, &all, customizers[i]);
        HELIA_PUSH(arena, &all_users, users ? users[i] : NULL);
    }
    return helia_build_default_registry_context(arena, diag, all.at, all_users.at, all.len, allow_override);
}

void plugin_unload(Plugins *loaded)
{
    while (loaded->len)
        dlclose(loaded->at[--loaded->len].handle);
}
