/* The table of build integrations, and what they share. */
#include "emit/writers/writer.h"

#include <string.h>

static const Writer *const writers[] = {&writer_cmake};
enum { N_WRITERS = sizeof(writers) / sizeof(writers[0]) };

const Writer *writer_find(const char *name)
{
    for (uint32_t i = 0; i < N_WRITERS; i++)
        if (strcmp(writers[i]->name, name) == 0)
            return writers[i];
    return NULL;
}

const char *writer_names(HeliaArena *arena)
{
    const char *names = "";
    for (uint32_t i = 0; i < N_WRITERS; i++)
        names = helia_format(arena, "%s%s%s", names, i ? ", " : "", writers[i]->name);
    return names;
}

void module_add(Module *module, const char *path, const char *text)
{
    ModuleFile file = {helia_strdup(module->arena, path), text, strlen(text)};
    uint32_t k = module->files.len;
    HELIA_PUSH(module->arena, &module->files, file);
    for (; k > 0 && strcmp(module->files.at[k - 1].path, file.path) > 0; k--)
        module->files.at[k] = module->files.at[k - 1];
    module->files.at[k] = file;
}

const char *module_sources(const Module *module, const char *indent)
{
    HeliaOut *o = helia_out_new(module->arena);
    for (uint32_t i = 0; i < module->files.len; i++) {
        const char *path = module->files.at[i].path;
        size_t n = strlen(path);
        if (n > 2 && strcmp(path + n - 2, ".c") == 0)
            helia_out_line(o, "%s%s", indent, path);
    }
    return helia_out_string(o, NULL);
}

const char *optimization_flag(const Config *config)
{
    return config->optimization.goal == HELIA_GOAL_SIZE ? "-Os" : "-O2";
}
