/* The key table as JSON Schema, for editors. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "config/keys.h"

static json_t *key_schema(const ConfigKey *key);

static void set_text(json_t *object, const char *name, const char *value)
{
    json_object_set_new(object, name, json_string(value));
}

static json_t *words_schema(const char *const *words)
{
    if (!words)
        return json_pack("{s:[s,s]}", "type", "string", "integer");
    json_t *list = json_array();
    for (size_t i = 0; words[i]; i++)
        json_array_append_new(list, json_string(words[i]));
    return json_pack("{s:s,s:o}", "type", "string", "enum", list);
}

static json_t *list_schema(json_t *items)
{
    return json_pack("{s:s,s:o}", "type", "array", "items", items);
}

/* Fields of a structured value; free names with single values where it has none. */
static json_t *fields_schema(const KeyStructure *s)
{
    json_t *object = json_object();
    set_text(object, "type", "object");
    json_t *properties = json_object(), *required = json_array();
    for (uint32_t i = 0; i < s->n_fields; i++) {
        json_object_set_new(properties, s->fields[i].path, key_schema(&s->fields[i]));
        if (s->fields[i].required)
            json_array_append_new(required, json_string(s->fields[i].path));
    }
    json_object_set_new(object, "properties", properties);
    json_object_set_new(object, "required", required);
    json_object_set_new(object, "additionalProperties",
                        s->n_fields ? json_false()
                        : s->item   ? key_schema(s->item)
                                    : json_pack("{s:[s,s,s]}", "type", "string", "number", "boolean"));
    return object;
}

static json_t *structure_schema(const KeyStructure *s)
{
    json_t *item = s->list && s->item        ? key_schema(s->item)
                   : s->list && !s->n_fields ? words_schema(s->words)
                                             : fields_schema(s);
    if (s->pairs) {
        item = list_schema(item);
        json_object_set_new(item, "minItems", json_integer(2));
        json_object_set_new(item, "maxItems", json_integer(2));
    }
    json_t *value = s->list ? list_schema(item) : item;
    return s->or_text ? json_pack("{s:[o,o]}", "anyOf", words_schema(s->words), value) : value;
}

static json_t *scalar_schema(const ConfigKey *key)
{
    static const char *const types[] = {"string", "string", "string", "string", "integer", "number", "boolean"};
    json_t *object = json_object();
    if (key->kind == KEY_TEXT && !key->check) /* a version may look like a number */
        json_object_set_new(object, "type", json_pack("[s,s,s]", "string", "number", "boolean"));
    else
        set_text(object, "type", types[key->kind]);
    if (key->kind == KEY_INT) {
        json_object_set_new(object, "minimum", json_integer(key->lowest));
        json_object_set_new(object, "maximum", json_integer(key->highest));
    } else if (key->kind == KEY_FLOAT) {
        json_object_set_new(object, "minimum", json_integer(0));
    } else if (key->kind == KEY_PATH) {
        json_object_set_new(object, "minLength", json_integer(1));
    }
    if (key->check && key->check->pattern)
        set_text(object, "pattern", key->check->pattern);
    if (key->words) {
        json_decref(object);
        return words_schema(key->words);
    }
    return object;
}

static json_t *fallback_schema(const ConfigKey *key)
{
    switch (key->kind) {
    case KEY_INT:
        return json_integer(strtoll(key->fallback, NULL, 10));
    case KEY_FLOAT:
        return json_real(strtod(key->fallback, NULL));
    case KEY_BOOL:
        return json_boolean(strcmp(key->fallback, "true") == 0);
    default:
        return json_string(key->fallback);
    }
}

static json_t *key_schema(const ConfigKey *key)
{
    json_t *object = key->kind == KEY_STRUCT ? structure_schema(key->structure) : scalar_schema(key);
    set_text(object, "description", key->doc);
    if (key->fallback) {
        json_object_set_new(object, "default", fallback_schema(key));
        return object;
    }
    if (key->required)
        return object;
    return json_pack("{s:[o,{s:s}]}", "anyOf", object, "type", "null"); /* null: not given */
}

/* The section's object inside root, made on first use. */
static json_t *section_of(json_t *root, HeliaArena *arena, const ConfigKey *key)
{
    size_t n = key_section(key);
    json_t *properties = json_object_get(root, "properties");
    if (!n)
        return properties;
    const char *name = helia_strndup(arena, key->path, n);
    if (!json_object_get(properties, name))
        json_object_set_new(
            properties, name,
            json_pack("{s:[s,s],s:b,s:{}}", "type", "object", "null", "additionalProperties", 0, "properties"));
    return json_object_get(json_object_get(properties, name), "properties");
}

const char *config_schema(HeliaArena *arena)
{
    json_t *root = json_pack("{s:s,s:s,s:s,s:b,s:{}}", "$schema", "https://json-schema.org/draft/2020-12/schema",
                             "title", "helia-aot configuration", "type", "object", "additionalProperties", 0,
                             "properties");
    for (uint32_t i = 0; i < num_config_keys; i++) {
        const ConfigKey *key = &config_keys[i];
        size_t n = key_section(key);
        json_object_set_new(section_of(root, arena, key), key->path + (n ? n + 1 : 0), key_schema(key));
    }
    char *text = json_dumps(root, JSON_INDENT(2));
    const char *copy = text ? helia_format(arena, "%s\n", text) : NULL;
    free(text);
    json_decref(root);
    return copy;
}
