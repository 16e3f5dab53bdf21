/* The key `plugins`: read, completed from the command line, and recorded as what was loaded. */
#include <string.h>

#include "config/keys.h"
#include "support/file.h"

/* clang-format off */
static const ConfigKey plugin_fields[] = {
    {"path", KEY_PATH, OFFSET_PATH(ConfigPlugin, path), NULL, ANY, .required = true,
     .doc = "The shared object, beside the configuration file."},
    {"name", KEY_TEXT, OFFSET_TEXT(ConfigPlugin, name), NULL, ANY, .doc = "Checked against the plug-in's own name."},
    {"version", KEY_TEXT, OFFSET_TEXT(ConfigPlugin, version), NULL, ANY,
     .doc = "Checked against the plug-in's own version."},
    {"allow_override", KEY_BOOL, OFFSET_BOOL(ConfigPlugin, allow_override), "false", ANY,
     .doc = "Whether it may replace or remove built-in operators and transforms."},
};
/* clang-format on */
enum { NUM_FIELDS = sizeof(plugin_fields) / sizeof(plugin_fields[0]) };

static bool read_plugins(ConfigReader *r, const ConfigKey *key, const YamlNode *node, void *field)
{
    ConfigPlugins *plugins = field;
    bool ok = true;
    for (uint32_t i = 0; i < node->entries.len; i++) {
        const YamlNode *item = node->entries.at[i].value;
        ConfigPlugin p = {.at = item->at};
        ok = key_read_fields(r, key, plugin_fields, NUM_FIELDS, item, &p) && ok;
        HELIA_PUSH(r->arena, plugins, p);
    }
    return ok;
}

const KeyStructure structure_plugins = {true, plugin_fields, NUM_FIELDS, sizeof(ConfigPlugins), read_plugins};

void config_add_plugin(HeliaArena *arena, ConfigPlugins *plugins, const char *path, bool allow_override)
{
    for (uint32_t i = 0; i < plugins->len; i++) {
        ConfigPlugin *p = &plugins->at[i];
        const bool configured = p->at.file != NULL; /* two of the command line are two, wherever they are */
        if (strcmp(configured ? file_base_name(p->path) : p->path, configured ? file_base_name(path) : path) == 0) {
            p->path = path;
            p->allow_override = p->allow_override || allow_override;
            return;
        }
    }
    ConfigPlugin p = {.at = HELIA_NOWHERE, .path = path, .allow_override = allow_override};
    HELIA_PUSH(arena, plugins, p);
}

static void put(HeliaArena *arena, YamlNode *map, const char *key, const YamlNode *value)
{
    HELIA_PUSH(arena, &map->entries, ((YamlEntry){key, HELIA_NOWHERE, value}));
}

static void put_field(HeliaArena *arena, YamlNode *map, uint32_t field, const char *text)
{
    put(arena, map, plugin_fields[field].path, key_text_node(arena, &plugin_fields[field], text, HELIA_NOWHERE));
}

void config_record_plugins(HeliaArena *arena, const Config *config)
{
    if (!config->origins || !config->plugins.len)
        return;
    YamlNode *list = HELIA_NEW(arena, YamlNode);
    list->kind = YAML_LIST;
    list->at = HELIA_NOWHERE;
    for (uint32_t i = 0; i < config->plugins.len; i++) {
        const ConfigPlugin *p = &config->plugins.at[i];
        YamlNode *map = HELIA_NEW(arena, YamlNode);
        map->kind = YAML_MAP;
        map->at = HELIA_NOWHERE;
        put_field(arena, map, 0, file_base_name(p->path));
        put_field(arena, map, 1, p->name);
        put_field(arena, map, 2, p->version);
        put_field(arena, map, 3, p->allow_override ? "true" : "false");
        put(arena, list, NULL, map);
    }
    config->origins->nodes[key_find("plugins")] = list;
}
