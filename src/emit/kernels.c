/* Kernels: the embedded runtime, copied into the module with what each file includes, under the module's prefix. */
#include "emit/emit_int.h"

#include <ctype.h>
#include <string.h>

#include "op/registry.h"
#include "support/file.h"

const EmbeddedFile *embedded_find(const char *path)
{
    for (const EmbeddedFile *f = embedded_files; f->path; f++)
        if (strcmp(f->path, path) == 0)
            return f;
    return NULL;
}

/* Runtime files, and those of plug-ins, have unique names, so that a module can hold them in one folder. */
static const EmbeddedFile *find_source(const HeliaEmitter *e, const char *name)
{
    for (const EmbeddedFile *f = embedded_files; f->path; f++)
        if (strncmp(f->path, "runtime/", 8) == 0 && strcmp(file_base_name(f->path), file_base_name(name)) == 0)
            return f;
    return e->registry ? registry_kernel_source(e->registry, name) : NULL;
}

static bool is_identifier(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

const char *rename_kernel_text(HeliaEmitter *e, const char *text, size_t n, size_t *size)
{
    HeliaOut *o = helia_out_new(e->arena);
    size_t from = 0;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && is_identifier(text[i - 1]))
            continue;
        bool is_lower = n - i >= 6 && memcmp(text + i, "helia_", 6) == 0;
        bool is_upper = n - i >= 6 && memcmp(text + i, "HELIA_", 6) == 0;
        if (!is_lower && !is_upper)
            continue;
        const char *prefix = is_lower ? e->prefix : e->PREFIX;
        helia_out_text(o, text + from, i - from);
        helia_out_text(o, prefix, strlen(prefix));
        helia_out_text(o, "_", 1);
        from = i;
    }
    helia_out_text(o, text + from, n - from);
    return helia_out_string(o, size);
}

const char *helia_emit_symbol(HeliaEmitter *e, const char *name)
{
    return rename_kernel_text(e, name, strlen(name), NULL);
}

/* ---- includes --------------------------------------------------------------------------------- */
/* The next `#include "helia_x.h"` at or behind *at; its name, or NULL at the end. */
static const char *next_include(HeliaArena *arena, const char **at)
{
    for (const char *line = *at; line;) {
        const char *c = line + strspn(line, " \t");
        const char *end = strchr(line, '\n');
        if (*c == '#') {
            c++;
            c += strspn(c, " \t");
            if (strncmp(c, "include", 7) == 0) {
                c += 7;
                c += strspn(c, " \t");
                size_t n = *c == '"' ? strcspn(c + 1, "\"\n") : 0;
                if (n && c[n + 1] == '"') {
                    *at = c + n + 2;
                    return helia_strndup(arena, c + 1, n);
                }
            }
        }
        line = end ? end + 1 : NULL;
    }
    *at = NULL;
    return NULL;
}

typedef HELIA_VEC(const EmbeddedFile *) Closure;

/* The file and everything it includes, the file first. */
static bool find_closure(HeliaEmitter *e, const char *name, Closure *closure)
{
    const EmbeddedFile *file = find_source(e, name);
    if (!file)
        return helia_error(e->diag, HELIA_NOWHERE, "there is no kernel source %s in the runtime or from a plug-in",
                           name);
    HELIA_PUSH(e->arena, closure, file);
    for (uint32_t i = 0; i < closure->len; i++) {
        const char *at = (const char *)closure->at[i]->bytes;
        for (const char *include; at && (include = next_include(e->arena, &at));) {
            const EmbeddedFile *f = find_source(e, include);
            if (!f)
                return helia_error(e->diag, HELIA_NOWHERE,
                                   "%s includes %s, which is neither in the runtime nor from a plug-in",
                                   closure->at[i]->path, include);
            bool known = false;
            for (uint32_t k = 0; k < closure->len; k++)
                known = known || closure->at[k] == f;
            if (!known)
                HELIA_PUSH(e->arena, closure, f);
        }
    }
    return true;
}

static void copy_file(HeliaEmitter *e, const EmbeddedFile *file)
{
    for (uint32_t i = 0; i < e->kernel_files.len; i++)
        if (e->kernel_files.at[i] == file->path)
            return;
    HELIA_PUSH(e->arena, &e->kernel_files, file->path);
    HeliaOut *o = helia_emit_file(e, helia_format(e->arena, "src/%s_%s", e->prefix, file_base_name(file->path)));
    size_t size;
    const char *text = rename_kernel_text(e, (const char *)file->bytes, file->size, &size);
    helia_out_text(o, text, size);
}

bool helia_emit_kernel_file(HeliaEmitter *e, const char *file)
{
    Closure closure = {0};
    if (!find_closure(e, file, &closure))
        return false;
    for (uint32_t i = 0; i < closure.len; i++)
        copy_file(e, closure.at[i]);
    return true;
}

/* ---- prototypes ------------------------------------------------------------------------------- */
/* Where a header declares the function: "<type> <symbol>(" at the beginning of a line. */
static const char *find_prototype(const char *text, const char *symbol)
{
    size_t n = strlen(symbol);
    for (const char *at = strstr(text, symbol); at; at = strstr(at + n, symbol)) {
        const char *line = at;
        while (line > text && line[-1] != '\n')
            line--;
        if (at[n] == '(' && line < at && at[-1] == ' ' && is_identifier(line[0]))
            return line;
    }
    return NULL;
}

const char *kernel_header(HeliaEmitter *e, const AirNode *node, bool *returns_status)
{
    Closure closure = {0};
    if (!find_closure(e, node->kernel->file, &closure))
        return NULL;
    for (uint32_t i = 0; i < closure.len; i++) {
        const char *path = closure.at[i]->path, *extension = strrchr(path, '.');
        const char *prototype = find_prototype((const char *)closure.at[i]->bytes, node->kernel->symbol);
        if (!prototype || !extension || strcmp(extension, ".h") != 0)
            continue;
        *returns_status = strncmp(prototype, "void ", 5) != 0;
        return helia_format(e->arena, "%s_%s", e->prefix, file_base_name(path));
    }
    helia_error(e->diag, air_node_loc(e->graph, node), "internal: no header that %s includes declares %s",
                node->kernel->file, node->kernel->symbol);
    return NULL;
}
