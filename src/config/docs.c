/* The key table as text: --help and the page of the documentation. */
#include <string.h>

#include "config/keys.h"

static const char *value_name(const ConfigKey *key)
{
    static const char *const names[] = {"PATH", "TEXT", "WORD", "WORD", "N", "X", "", "JSON"};
    return names[key->kind];
}

static const char *with_dashes(HeliaArena *arena, const char *path)
{
    char *name = helia_strdup(arena, path);
    for (char *c = name; *c; c++)
        if (*c == '_')
            *c = '-';
    return name;
}

static const char *fallback_text(const ConfigKey *key)
{
    return !key->fallback ? "none" : *key->fallback ? key->fallback : "empty";
}

/* "memory.planner", or a field of a structure: "memory.planner_options.seed". NULL: there is none. */
static const ConfigKey *find_key_or_field(const char *path)
{
    for (uint32_t i = 0; i < num_config_keys; i++) {
        const ConfigKey *key = &config_keys[i];
        const size_t n = strlen(key->path);
        if (strcmp(key->path, path) == 0)
            return key;
        for (uint32_t k = 0; key->kind == KEY_STRUCT && k < key->structure->n_fields; k++)
            if (strncmp(key->path, path, n) == 0 && path[n] == '.' &&
                strcmp(key->structure->fields[k].path, path + n + 1) == 0)
                return &key->structure->fields[k];
    }
    return NULL;
}

/* What a key says, accepts and is where it is not given. */
static const char *key_text(HeliaArena *arena, const ConfigKey *key)
{
    return helia_format(arena, "%s\n      %s; default: %s", key->doc, key_expected(arena, key), fallback_text(key));
}

const char *config_key_help(HeliaArena *arena, const char *path)
{
    return key_text(arena, find_key_or_field(path));
}

const char *config_help(HeliaArena *arena)
{
    const char *text = "";
    for (uint32_t i = 0; i < num_config_keys; i++) {
        const ConfigKey *key = &config_keys[i];
        const char *flag = with_dashes(arena, key->path);
        text = key->kind == KEY_BOOL ? helia_format(arena, "%s  --%s, --no-%s\n", text, flag, flag)
                                     : helia_format(arena, "%s  --%s %s\n", text, flag, value_name(key));
        text = helia_format(arena, "%s      %s\n", text, key_text(arena, key));
    }
    return text;
}

/* In a table cell: '|' ends it. */
static const char *cell(HeliaArena *arena, const char *text)
{
    const char *out = "";
    for (const char *bar; (bar = strchr(text, '|')); text = bar + 1)
        out = helia_format(arena, "%s%.*s\\|", out, (int)(bar - text), text);
    return helia_format(arena, "%s%s", out, text);
}

static const char *fields_table(HeliaArena *arena, const ConfigKey *key)
{
    const KeyStructure *s = key->structure;
    const char *text = helia_format(
        arena, "\n### `%s`: fields%s\n\n| field | accepts | default | meaning |\n|---|---|---|---|\n", key->path,
        s->list ? " of an item" : "");
    for (uint32_t i = 0; i < s->n_fields; i++) {
        const ConfigKey *field = &s->fields[i];
        text = helia_format(arena, "%s| `%s` | %s | %s | %s |\n", text, field->path,
                            cell(arena, key_expected(arena, field)),
                            field->required ? "required" : fallback_text(field), cell(arena, field->doc));
    }
    return text;
}

const char *config_markdown(HeliaArena *arena)
{
    const char *text = "# Configuration keys\n\n"
                       "Made by `helia-aot schema --markdown` from `src/config/config_keys.inc`; do not edit.\n\n"
                       "A key `section.name` stands in the YAML file as `name` inside the mapping `section`, and on "
                       "the command line as\n"
                       "`--section.name VALUE` (`-` and `_` are equal); switches are `--x` and `--no-x`, lists and "
                       "mappings are JSON text.\n"
                       "The command line wins over the YAML file, and the file over the defaults. Keys marked *local* "
                       "are not recorded in\n"
                       "the module's `helia_aot.yaml`.\n\n"
                       "| key | accepts | default | meaning |\n|---|---|---|---|\n";
    const char *tables = "";
    for (uint32_t i = 0; i < num_config_keys; i++) {
        const ConfigKey *key = &config_keys[i];
        text = helia_format(arena, "%s| `%s` | %s | %s | %s%s |\n", text, key->path,
                            cell(arena, key_expected(arena, key)), fallback_text(key), cell(arena, key->doc),
                            key->recorded ? "" : " *local*");
        if (key->kind == KEY_STRUCT && key->structure->n_fields)
            tables = helia_format(arena, "%s%s", tables, fields_table(arena, key));
    }
    return helia_format(arena, "%s%s", text, tables);
}
