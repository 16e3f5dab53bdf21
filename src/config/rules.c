/* The keys `operators` and `memory.tensors`: attribute rules. */
#include <string.h>

#include "config/keys.h"

/* clang-format off */
#define MEMORIES WORDS("ITCM", "DTCM", "SRAM", "PSRAM", "MRAM")
#define ATTRIBUTE(name, index, accepts, text)                                                                          \
    {name, KEY_WORD, offsetof(ConfigRule, attributes) + (index) * sizeof(const char *), NULL, accepts, .doc = text}

static bool read_texts(ConfigReader *r, const ConfigKey *key, const YamlNode *node, void *field);
static bool read_attributes(ConfigReader *r, const ConfigKey *key, const YamlNode *node, void *field);

static const KeyStructure structure_ids = {.list = true, .size = sizeof(ConfigTexts), .read = read_texts,
                                           .or_text = true};

static const ConfigKey operator_attributes[] = {
    ATTRIBUTE("code_placement", ATTRIBUTE_CODE_PLACEMENT, MEMORIES, "Memory of the operator's run function."),
    ATTRIBUTE("scratch_placement", ATTRIBUTE_SCRATCH_PLACEMENT, MEMORIES, "Memory of the operator's working memory."),
    ATTRIBUTE("lut_mode", ATTRIBUTE_LUT_MODE, WORDS("per_op", "universal"),
              "per_op: a look-up table of the operator's own; universal, the default: operators share tables with the same "
              "values."),
};
static const ConfigKey tensor_attributes[] = {
    ATTRIBUTE("memory", ATTRIBUTE_MEMORY, MEMORIES, "Memory of the tensor; of a staged constant, where its blob is."),
    ATTRIBUTE("constant_destination_memory", ATTRIBUTE_DESTINATION, MEMORIES,
              "Memory that init copies the constant to."),
};
enum { N_OPERATOR = sizeof(operator_attributes) / sizeof(operator_attributes[0]),
       N_TENSOR = sizeof(tensor_attributes) / sizeof(tensor_attributes[0]) };

/* The attributes are fields of the rule itself, so their structure begins where the rule does. */
static const KeyStructure structure_operator_attributes = {.fields = operator_attributes, .n_fields = N_OPERATOR,
                                                           .read = read_attributes};
static const KeyStructure structure_tensor_attributes = {.fields = tensor_attributes, .n_fields = N_TENSOR,
                                                         .read = read_attributes};

static const char *role_fault(HeliaArena *arena, const char *text)
{
    (void)arena;
    static const char *const roles[] = {"SCRATCH", "PERSISTENT", "CONSTANT", "*"};
    for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
        if (strcmp(text, roles[i]) == 0)
            return NULL;
    return "it is no role of a tensor";
}
static const KeyCheck check_role = {"SCRATCH, PERSISTENT, CONSTANT or *", "^(SCRATCH|PERSISTENT|CONSTANT|[*])$",
                                    role_fault};

#define ID_FIELD                                                                                                       \
    {"id", KEY_STRUCT, offsetof(ConfigRule, ids), NULL, READ(ids),                                                     \
     .doc = "LiteRT index as text, or name, or a list of them; any where not given."}
static const ConfigKey operator_fields[] = {
    {"type", KEY_TEXT, OFFSET_TEXT(ConfigRule, type), NULL, ANY, .doc = "Operator key such as CONV_2D; * or none: any."},
    ID_FIELD,
    {"attributes", KEY_STRUCT, 0, NULL, READ(operator_attributes), .required = true, .doc = "What the rule sets."},
};
static const ConfigKey tensor_fields[] = {
    {"type", KEY_TEXT, OFFSET_TEXT(ConfigRule, type), NULL, CHECK(role), .doc = "Role of the tensor; * or none: any."},
    ID_FIELD,
    {"attributes", KEY_STRUCT, 0, NULL, READ(tensor_attributes), .required = true, .doc = "What the rule sets."},
};
enum { N_FIELDS = 3 };
/* clang-format on */

static bool read_texts(ConfigReader *r, const ConfigKey *key, const YamlNode *node, void *field)
{
    ConfigTexts *texts = field;
    bool ok = true;
    if (node->kind == YAML_TEXT)
        HELIA_PUSH(r->arena, texts, node->text);
    else if (!node->entries.len)
        ok = helia_error(r->diag, node->at, "%s: the list is empty; expected a text or a list of them", key->path);
    for (uint32_t i = 0; i < node->entries.len; i++) {
        const YamlNode *item = node->entries.at[i].value;
        if (item->kind != YAML_TEXT || yaml_is_missing(item))
            ok = key_expect(r, key->path, "a text", item);
        else
            HELIA_PUSH(r->arena, texts, item->text);
    }
    return ok;
}

static bool read_attributes(ConfigReader *r, const ConfigKey *key, const YamlNode *node, void *field)
{
    return key_read_fields(r, key, key->structure->fields, key->structure->n_fields, node, field);
}

static bool read_rules(ConfigReader *r, const ConfigKey *key, const YamlNode *node, void *field)
{
    ConfigRules *rules = field;
    bool ok = true;
    for (uint32_t i = 0; i < node->entries.len; i++) {
        const YamlNode *item = node->entries.at[i].value;
        ConfigRule rule = {.at = item->at};
        ok = key_read_fields(r, key, key->structure->fields, key->structure->n_fields, item, &rule) && ok;
        if (rule.type && strcmp(rule.type, "*") == 0)
            rule.type = NULL;
        HELIA_PUSH(r->arena, rules, rule);
    }
    return ok;
}

const KeyStructure structure_operators = {true, operator_fields, N_FIELDS, sizeof(ConfigRules), read_rules, NULL,
                                          false};
const KeyStructure structure_tensors = {true, tensor_fields, N_FIELDS, sizeof(ConfigRules), read_rules, NULL, false};
