/* The key table and what reads values by it. The same rows describe the fields of structured values. */
#ifndef CONFIG_KEYS_H
#define CONFIG_KEYS_H

#include "config/config.h"
#include "config/yaml.h"

typedef enum KeyKind { KEY_PATH, KEY_TEXT, KEY_WORD, KEY_ENUM, KEY_INT, KEY_FLOAT, KEY_BOOL, KEY_STRUCT } KeyKind;

/* What is accepted of a text beyond being one. */
typedef struct KeyCheck {
    const char *expected; /* "a C identifier" */
    const char *pattern;  /* for the schema; NULL: none */
    /* NULL if the text is accepted, else what is wrong with it. */
    const char *(*fault)(HeliaArena *arena, const char *text);
} KeyCheck;

typedef struct ConfigKey ConfigKey;
typedef struct ConfigReader ConfigReader;

/* A list of items or a single mapping, with known fields or, if there are none, free names. */
typedef struct KeyStructure {
    bool list;
    const ConfigKey *fields;
    uint32_t n_fields;
    size_t size; /* of the field in Config; zeroed before reading */
    bool (*read)(ConfigReader *r, const ConfigKey *key, const YamlNode *node, void *field);
    const char *const *words; /* a list of these words, or the single ones that or_text takes; NULL: any text */
    bool or_text;             /* a single text is accepted, too */
    bool pairs;               /* a list whose items are lists of two single values */
    const ConfigKey *item;    /* what the values of free names, or the items of a list, are; NULL: single values */
} KeyStructure;

struct ConfigKey {
    const char *path; /* "module.prefix"; the field's name in a structure */
    KeyKind kind;
    size_t offset;
    const char *fallback;          /* default as text; NULL: none */
    const char *const *words;      /* KEY_WORD, KEY_ENUM; NULL-terminated */
    int64_t lowest, highest;       /* KEY_INT */
    bool power_of_two;             /* KEY_INT */
    const KeyCheck *check;         /* KEY_TEXT; NULL: any */
    const KeyStructure *structure; /* KEY_STRUCT */
    bool required;                 /* in a structure: each item must have it */
    bool recorded;
    const char *doc;
};

/* offsetof that proves the field's type; one for each kind. */
#define OFFSET_OF(T, f, C) _Generic(((T *)0)->f, C : offsetof(T, f))
#define OFFSET_PATH(T, f) OFFSET_OF(T, f, const char *)
#define OFFSET_TEXT(T, f) OFFSET_OF(T, f, const char *)
#define OFFSET_WORD(T, f) OFFSET_OF(T, f, const char *)
#define OFFSET_INT(T, f) OFFSET_OF(T, f, int32_t)
#define OFFSET_FLOAT(T, f) OFFSET_OF(T, f, double)
#define OFFSET_BOOL(T, f) OFFSET_OF(T, f, bool)
#define OFFSET_ENUM(T, f) (offsetof(T, f) + 0 * sizeof(char[sizeof(((T *)0)->f) == sizeof(int) ? 1 : -1]))
#define OFFSET_STRUCT(T, f) offsetof(T, f)

#define ANY .words = NULL
/* clang-format off */
#define WORDS(...) .words = (const char *const[]){__VA_ARGS__, NULL}
/* clang-format on */
#define RANGE(low, high) .lowest = (low), .highest = (high)
#define POWERS_OF_TWO(low, high) RANGE(low, high), .power_of_two = true
#define CHECK(name) .check = &check_##name
#define READ(name) .structure = &structure_##name

extern const ConfigKey config_keys[];
extern const uint32_t num_config_keys;

/* checks.c */
extern const KeyCheck check_sha256, check_identifier, check_module_name, check_platform, check_cpu;
/* structures.c */
extern const KeyStructure structure_transforms, structure_planner_options, structure_state_feedback,
    structure_input_shapes;
/* rules.c */
extern const KeyStructure structure_operators, structure_tensors;
/* platform.c */
extern const KeyStructure structure_memories, structure_capabilities, structure_memory_order, structure_constraints,
    structure_constants;
/* plugins.c */
extern const KeyStructure structure_plugins;

/* ---- reading ---------------------------------------------------------------------------------- */
struct ConfigReader {
    HeliaArena *arena;
    HeliaDiag *diag;
    const char *beside; /* the YAML file, which relative paths are beside; NULL: the working folder */
};

/* The value of one key into base + key->offset. False after reporting. `name` is for messages. */
bool key_read(ConfigReader *r, const ConfigKey *key, const char *name, const YamlNode *node, void *base);
/* The fields of a mapping by a table of keys without dots: unknown and missing ones are reported. */
bool key_read_fields(ConfigReader *r, const ConfigKey *owner, const ConfigKey *fields, uint32_t n, const YamlNode *node,
                     void *base);
/* The index of the word that a node is; reported and UINT32_MAX where it is none. */
uint32_t key_read_choice(ConfigReader *r, const char *name, const char *const *words, const YamlNode *node);
bool key_expect(ConfigReader *r, const char *name, const char *expected, const YamlNode *node);
/* "true or false", "an integer from 0 to 3", "one of a, b, c" */
const char *key_expected(HeliaArena *arena, const ConfigKey *key);

/* A value that was not read from YAML: numbers and booleans by their spelling, texts as they are. */
const YamlNode *key_text_node(HeliaArena *arena, const ConfigKey *key, const char *text, HeliaLoc at);

/* ---- one configuration ------------------------------------------------------------------------ */
typedef struct ConfigOrigins {
    const YamlNode **nodes; /* by key: the value that won; NULL: the default */
} ConfigOrigins;

/* A key by its path; UINT32_MAX: unknown. */
uint32_t key_find(const char *path);
/* The known path (or section, where asked) nearest to an unknown one. A right name in a wrong section is near, too. */
const char *key_nearest(HeliaArena *arena, const char *path, bool sections, uint32_t *distance);
/* Length of the section in front of the last name: 6 in "module.prefix", 0 in "verbose". */
size_t key_section(const ConfigKey *key);

#endif
