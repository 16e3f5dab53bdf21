/* Defaults, then the YAML file, then the command line: the effective configuration. */
#include "config/config.h"

#include <string.h>

#include "config/keys.h"
#include "support/file.h"

typedef struct Loader {
    ConfigReader reader;
    Config *config;
    const YamlNode **nodes; /* by key: the value that won so far */
} Loader;

/* Null takes back what was given before. */
static void clear(const ConfigKey *key, Config *config)
{
    const size_t size = key->kind == KEY_STRUCT ? key->structure->size
                        : key->kind == KEY_INT  ? sizeof(int32_t)
                                                : sizeof(const char *);
    memset((char *)config + key->offset, 0, size);
}

static bool set(Loader *l, uint32_t index, const YamlNode *node)
{
    const ConfigKey *key = &config_keys[index];
    l->nodes[index] = node;
    if (yaml_is_null(node) && !key->fallback)
        clear(key, l->config);
    return key_read(&l->reader, key, key->path, node, l->config);
}

static bool is_section(const char *path)
{
    size_t n = strlen(path);
    for (uint32_t i = 0; i < num_config_keys; i++)
        if (key_section(&config_keys[i]) == n && strncmp(config_keys[i].path, path, n) == 0)
            return true;
    return false;
}

static void unknown_key(Loader *l, const YamlEntry *entry, const char *path)
{
    HeliaArena *arena = l->reader.arena;
    uint32_t distance;
    const char *nearest = key_nearest(arena, path, true, &distance);
    const char *shown = helia_printable(arena, path);
    if (strchr(entry->key, '.') && distance == 0)
        helia_error(l->reader.diag, entry->at, "unknown key \"%s\"; write \"%s\" as a key inside its section", shown,
                    nearest);
    else
        helia_error(l->reader.diag, entry->at, "unknown key \"%s\"; the nearest known one is \"%s\"", shown, nearest);
}

/* A mapping of keys and sections. Every problem is reported by the caller's diag; reading goes on. */
static void read_section(Loader *l, const YamlNode *node, const char *section)
{
    if (yaml_is_missing(node) || yaml_is_null(node))
        return; /* all keys are commented out */
    if (node->kind != YAML_MAP) {
        key_expect(&l->reader, section[0] ? section : "configuration", "a mapping", node);
        return;
    }
    for (uint32_t i = 0; i < node->entries.len; i++) {
        const YamlEntry *e = &node->entries.at[i];
        const char *path = helia_format(l->reader.arena, "%s%s%s", section, section[0] ? "." : "", e->key);
        uint32_t key = strchr(e->key, '.') ? UINT32_MAX : key_find(path);
        if (key != UINT32_MAX)
            set(l, key, e->value);
        else if (!strchr(e->key, '.') && is_section(path))
            read_section(l, e->value, path);
        else
            unknown_key(l, e, path);
    }
}

static void read_file(Loader *l, const char *path)
{
    FileBytes file;
    if (!file_read(l->reader.arena, l->reader.diag, path, &file))
        return;
    const YamlNode *root = yaml_parse(l->reader.arena, l->reader.diag, path, file.at, file.size);
    l->reader.beside = path;
    if (root)
        read_section(l, root, "");
    l->reader.beside = NULL;
    if (l->nodes[key_find("model.path")] && l->config->model.sha256)
        l->config->model.file_name = file_base_name(l->config->model.path);
}

static void read_flags(Loader *l, const ConfigFlags *flags)
{
    for (uint32_t i = 0; i < flags->len; i++) {
        const ConfigFlag *flag = &flags->at[i];
        const ConfigKey *key = &config_keys[flag->key];
        HeliaLoc at = helia_at_file(flag->name);
        const YamlNode *node = key->kind == KEY_STRUCT ? yaml_parse(l->reader.arena, l->reader.diag, flag->name,
                                                                    flag->value, strlen(flag->value))
                                                       : key_text_node(l->reader.arena, key, flag->value, at);
        if (node)
            set(l, flag->key, node);
    }
}

static void read_defaults(Loader *l)
{
    for (uint32_t i = 0; i < num_config_keys; i++) {
        const ConfigKey *key = &config_keys[i];
        if (key->fallback)
            key_read(&l->reader, key, key->path, key_text_node(l->reader.arena, key, key->fallback, HELIA_NOWHERE),
                     l->config);
    }
}

static const char *type_of_file(const char *path)
{
    const char *dot = strrchr(file_base_name(path), '.');
    return dot && strcmp(dot, ".litert") == 0 ? "litert" : "tflite";
}

Config *config_load(HeliaArena *arena, HeliaDiag *diag, const char *yaml_path, const ConfigFlags *flags)
{
    uint32_t errors = helia_diag_errors(diag);
    ConfigOrigins *origins = HELIA_NEW(arena, ConfigOrigins);
    origins->nodes = HELIA_NEW_N(arena, const YamlNode *, num_config_keys);
    Loader l = {{arena, diag, NULL}, HELIA_NEW(arena, Config), origins->nodes};
    l.config->origins = origins;
    read_defaults(&l);
    if (yaml_path)
        read_file(&l, yaml_path);
    if (flags)
        read_flags(&l, flags);
    if (helia_diag_errors(diag) != errors)
        return NULL;
    if (!l.config->model.file_name)
        l.config->model.file_name = file_base_name(l.config->model.path);
    if (!l.config->model.type)
        l.config->model.type = type_of_file(l.config->model.path);
    return l.config;
}

HeliaLoc config_loc(const Config *config, const char *path)
{
    uint32_t key = key_find(path);
    const YamlNode *node = config->origins && key != UINT32_MAX ? config->origins->nodes[key] : NULL;
    return node ? node->at : HELIA_NOWHERE;
}

ConfigOptions config_fields(HeliaArena *arena, const Config *config, const char *path)
{
    ConfigOptions fields = {0};
    const uint32_t key = key_find(path);
    const YamlNode *node = config->origins && key != UINT32_MAX ? config->origins->nodes[key] : NULL;
    for (uint32_t i = 0; node && i < node->entries.len; i++) {
        const YamlEntry *e = &node->entries.at[i];
        if (e->key && e->value->kind == YAML_TEXT && !yaml_is_null(e->value))
            HELIA_PUSH(arena, &fields, ((ConfigOption){e->at, e->key, e->value->text}));
    }
    return fields;
}

static const ConfigTransform *last_rule(const Config *config, const char *name)
{
    for (uint32_t i = config->transforms.len; i-- > 0;)
        if (strcmp(config->transforms.at[i].name, name) == 0)
            return &config->transforms.at[i];
    return NULL;
}

bool config_transform_enabled(const Config *config, const char *name)
{
    const ConfigTransform *rule = last_rule(config, name);
    return !rule || rule->enabled;
}

const ConfigOptions *config_transform_options(const Config *config, const char *name)
{
    const ConfigTransform *rule = last_rule(config, name);
    return rule && rule->options.len ? &rule->options : NULL;
}
