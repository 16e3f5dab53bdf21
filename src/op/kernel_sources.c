/* Kernel sources that customizers bring: files that modules may copy beside those of the runtime. */
#include "op/registry.h"

#include <string.h>

#include "support/file.h"

const EmbeddedFile *registry_kernel_source(const HeliaRegistryContext *context, const char *name)
{
    const ContextState *s = (const ContextState *)(const void *)context;
    for (uint32_t i = 0; i < s->kernel_sources.len; i++)
        if (strcmp(s->kernel_sources.at[i].path, file_base_name(name)) == 0)
            return &s->kernel_sources.at[i];
    return NULL;
}

static bool is_runtime_file(const char *name)
{
    for (const EmbeddedFile *f = embedded_files; f->path; f++)
        if (strncmp(f->path, "runtime/", 8) == 0 && strcmp(file_base_name(f->path), name) == 0)
            return true;
    return false;
}

/* The module gives every such file its prefix, so two modules of a program never share one: hence "helia_". */
static const char *name_fault(const HeliaRegistryContext *context, const char *name)
{
    const char *dot = strrchr(name, '.');
    size_t n = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.");
    if (strncmp(name, "helia_", 6) != 0 || name[n] || !dot || (strcmp(dot, ".c") != 0 && strcmp(dot, ".h") != 0))
        return "accepted are names helia_*.c and helia_*.h of letters, digits and _";
    if (is_runtime_file(name))
        return "the runtime has a file of that name";
    return registry_kernel_source(context, name) ? "registered already" : NULL;
}

bool helia_register_kernel_source(HeliaRegistryContext *context, const char *name, const void *bytes, size_t size)
{
    ContextState *s = registry_state(context);
    const char *fault = s->frozen         ? "the registry context is frozen: register before it is built"
                        : !name || !bytes ? "the name or the bytes are missing"
                                          : name_fault(context, name);
    if (!fault && memchr(bytes, 0, size))
        fault = "the text has a NUL in it";
    if (fault)
        return helia_error(context->diag, HELIA_NOWHERE, "kernel source \"%s\": %s",
                           helia_printable(context->arena, name ? name : "(null)"), fault);
    EmbeddedFile file = {helia_strdup(context->arena, name),
                         (const unsigned char *)helia_strndup(context->arena, bytes, size), size};
    HELIA_PUSH(context->arena, &s->kernel_sources, file);
    return true;
}

bool helia_register_kernel_file(HeliaRegistryContext *context, const char *path)
{
    const ContextState *s = registry_state(context);
    FileBytes file;
    const char *from = s->beside ? file_path_beside(context->arena, s->beside, path) : path;
    return file_read(context->arena, context->diag, from, &file) &&
           helia_register_kernel_source(context, file_base_name(path), file.at, file.size);
}
