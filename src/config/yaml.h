/* A YAML document as a tree that knows its places. JSON is YAML, so lists and mappings on the command line are read
 * by the same function. */
#ifndef CONFIG_YAML_H
#define CONFIG_YAML_H

#include <helia_aot/support.h>

typedef enum YamlKind { YAML_TEXT, YAML_LIST, YAML_MAP } YamlKind;

typedef struct YamlNode YamlNode;
typedef struct YamlEntry {
    const char *key; /* NULL in a list; unique in a mapping */
    HeliaLoc at;     /* of the key */
    const YamlNode *value;
} YamlEntry;

struct YamlNode {
    YamlKind kind;
    HeliaLoc at;
    const char *text; /* YAML_TEXT: UTF-8 without NUL */
    bool plain;       /* not quoted: may stand for null, a boolean or a number */
    HELIA_VEC(YamlEntry) entries;
    uint32_t weight; /* nodes in it, itself included; what an alias stands for counts each time */
};

/* The one document of a text; an empty text is an empty mapping. NULL after reporting. `file` is for messages. */
const YamlNode *yaml_parse(HeliaArena *arena, HeliaDiag *diag, const char *file, const void *bytes, size_t size);

/* A value that was left out: "key:" with nothing behind it. */
bool yaml_is_missing(const YamlNode *node);
/* null, Null, NULL or ~, unquoted. */
bool yaml_is_null(const YamlNode *node);

#endif
