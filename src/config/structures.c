/* Readers of the keys whose value is a list or a mapping. */
#include <string.h>

#include "config/keys.h"

#define FIELD(T, name, kind, fallback, accepts, need, doc_text)                                                        \
    {                                                                                                                  \
#name, KEY_##kind, OFFSET_##kind(T, name), fallback, accepts, .required = need, .doc = doc_text                \
    }
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* A mapping of free names to single values. */
static bool read_options(ConfigReader *r, const ConfigKey *key, const YamlNode *node, void *field)
{
    ConfigOptions *options = field;
    bool ok = true;
    for (uint32_t i = 0; i < node->entries.len; i++) {
        const YamlEntry *e = &node->entries.at[i];
        if (e->value->kind != YAML_TEXT || yaml_is_missing(e->value))
            ok = key_expect(r, helia_format(r->arena, "%s.%s", key->path, helia_printable(r->arena, e->key)),
                            "a single value", e->value);
        else
            HELIA_PUSH(r->arena, options, ((ConfigOption){e->at, e->key, e->value->text}));
    }
    return ok;
}

static const KeyStructure structure_options = {false, NULL, 0, sizeof(ConfigOptions), read_options};

static const ConfigKey transform_fields[] = {
    FIELD(ConfigTransform, name, TEXT, NULL, ANY, true, "Name of the transform."),
    FIELD(ConfigTransform, enabled, BOOL, "true", ANY, false, "Whether it runs."),
    FIELD(ConfigTransform, options, STRUCT, NULL, READ(options), false, "Options of the transform."),
};

static bool read_transforms(ConfigReader *r, const ConfigKey *key, const YamlNode *node, void *field)
{
    ConfigTransforms *transforms = field;
    bool ok = true;
    for (uint32_t i = 0; i < node->entries.len; i++) {
        const YamlNode *item = node->entries.at[i].value;
        ConfigTransform t = {.at = item->at, .enabled = true};
        ok = key_read_fields(r, key, transform_fields, COUNT(transform_fields), item, &t) && ok;
        for (uint32_t k = 0; t.name && k < transforms->len; k++)
            if (transforms->at[k].name && strcmp(transforms->at[k].name, t.name) == 0) {
                ok = helia_error(r->diag, item->at, "%s: \"%s\" is given twice; expected one rule a transform",
                                 key->path, helia_printable(r->arena, t.name));
                break;
            }
        HELIA_PUSH(r->arena, transforms, t);
    }
    return ok;
}

const KeyStructure structure_transforms = {true, transform_fields, COUNT(transform_fields), sizeof(ConfigTransforms),
                                           read_transforms};

static const ConfigKey planner_fields[] = {
    FIELD(ConfigPlannerOptions, iterations, INT, NULL, RANGE(1, INT32_MAX), false, "hill_climb: rounds at most."),
    FIELD(ConfigPlannerOptions, seed, INT, NULL, RANGE(0, INT32_MAX), false, "hill_climb: seed of its random numbers."),
    FIELD(ConfigPlannerOptions, max_stall_iterations, INT, NULL, RANGE(1, INT32_MAX), false,
          "hill_climb: rounds without an improvement before it stops."),
    FIELD(ConfigPlannerOptions, step_limit, INT, NULL, RANGE(1, INT32_MAX), false,
          "optimal: steps of the search before it settles for the best plan found."),
};

static bool read_planner_options(ConfigReader *r, const ConfigKey *key, const YamlNode *node, void *field)
{
    return key_read_fields(r, key, planner_fields, COUNT(planner_fields), node, field);
}

const KeyStructure structure_planner_options = {false, planner_fields, COUNT(planner_fields),
                                                sizeof(ConfigPlannerOptions), read_planner_options};

/* Items [output, input]. */
static bool read_state_feedback(ConfigReader *r, const ConfigKey *key, const YamlNode *node, void *field)
{
    ConfigFeedbacks *pairs = field;
    bool ok = true;
    for (uint32_t i = 0; i < node->entries.len; i++) {
        const YamlNode *item = node->entries.at[i].value;
        const YamlNode *two[2] = {NULL, NULL};
        for (uint32_t k = 0; item->kind == YAML_LIST && item->entries.len == 2 && k < 2; k++)
            two[k] = item->entries.at[k].value;
        bool good = two[0] != NULL;
        for (uint32_t k = 0; good && k < 2; k++)
            good = two[k]->kind == YAML_TEXT && *two[k]->text && !yaml_is_null(two[k]);
        if (good)
            HELIA_PUSH(r->arena, pairs, ((ConfigFeedback){item->at, two[0]->text, two[1]->text}));
        else
            ok = helia_error(r->diag, item->at, "%s: expected [output, input], each an index or a name", key->path);
    }
    return ok;
}

const KeyStructure structure_state_feedback = {
    .list = true, .size = sizeof(ConfigFeedbacks), .read = read_state_feedback, .pairs = true};

static const ConfigKey dimension = {
    "input_shapes", KEY_INT, 0, NULL, RANGE(1, INT32_MAX), .required = true, .doc = "Size of a dimension."};
static const KeyStructure structure_shape = {.list = true, .item = &dimension};
static const ConfigKey shape = {
    "input_shapes", KEY_STRUCT, 0, NULL, READ(shape), .required = true, .doc = "The input's whole shape."};

static bool read_shape(ConfigReader *r, const char *name, const YamlNode *node, ConfigShape *to)
{
    if (node->kind != YAML_LIST)
        return key_expect(r, name, "a list of sizes", node);
    if (node->entries.len > AIR_MAX_RANK)
        return helia_error(r->diag, node->at, "%s: %u dimensions; at most %d are supported", name, node->entries.len,
                           AIR_MAX_RANK);
    bool ok = true;
    for (uint32_t i = 0; i < node->entries.len; i++)
        ok = key_read(r, &dimension, name, node->entries.at[i].value, &to->dim[i]) && ok;
    to->rank = (int32_t)node->entries.len;
    return ok;
}

/* A mapping from free names to shapes. */
static bool read_input_shapes(ConfigReader *r, const ConfigKey *key, const YamlNode *node, void *field)
{
    ConfigShapes *shapes = field;
    bool ok = true;
    for (uint32_t i = 0; i < node->entries.len; i++) {
        const YamlEntry *e = &node->entries.at[i];
        ConfigShape s = {.at = e->at, .name = e->key};
        const char *name = helia_format(r->arena, "%s.%s", key->path, helia_printable(r->arena, e->key));
        ok = read_shape(r, name, e->value, &s) && ok;
        HELIA_PUSH(r->arena, shapes, s);
    }
    return ok;
}

const KeyStructure structure_input_shapes = {.size = sizeof(ConfigShapes), .read = read_input_shapes, .item = &shape};
