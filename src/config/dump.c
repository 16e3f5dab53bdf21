/* The effective configuration as YAML text: the same configuration gives the same bytes on every machine. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "config/keys.h"
#include "support/file.h"

typedef struct Text {
    HeliaArena *arena;
    HELIA_VEC(char) chars;
} Text;

static void put(Text *t, const char *text)
{
    for (; *text; text++)
        HELIA_PUSH(t->arena, &t->chars, *text);
}

static void put_indent(Text *t, int depth)
{
    for (int i = 0; i < depth; i++)
        put(t, "  ");
}

#define WORD_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"

/* Reads back as the same text without quotes: a word that YAML takes for nothing else. */
static bool is_plain_word(const char *text)
{
    static const char *const special[] = {"true", "false", "null", "yes", "no", "on", "off", "y", "n", NULL};
    size_t n = strspn(text, WORD_CHARACTERS);
    if (!n || text[n] || !isalpha((unsigned char)text[0]))
        return false;
    for (size_t i = 0; special[i]; i++) {
        size_t k = 0;
        while (special[i][k] && tolower((unsigned char)text[k]) == special[i][k])
            k++;
        if (!special[i][k] && !text[k])
            return false;
    }
    return true;
}

/* Length and code of the UTF-8 sequence at p; the text has been checked. */
static uint32_t decode(const unsigned char *p, uint32_t *code)
{
    uint32_t n = p[0] < 0x80 ? 1 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    *code = n == 1 ? p[0] : p[0] & (0x7fu >> n);
    for (uint32_t i = 1; i < n; i++)
        *code = *code << 6 | (p[i] & 0x3fu);
    return n;
}

static void put_quoted(Text *t, const char *text)
{
    put(t, "\"");
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        uint32_t code, n = decode(p, &code);
        if (code == '"' || code == '\\')
            put(t, helia_format(t->arena, "\\%c", (int)code));
        else if (code == '\n')
            put(t, "\\n");
        else if (code >= 0x20 && code < 0x7f)
            put(t, helia_format(t->arena, "%c", (int)code));
        else
            put(t, helia_format(t->arena, code < 0x100 ? "\\x%02x" : code < 0x10000 ? "\\u%04x" : "\\U%08x", code));
        p += n;
    }
    put(t, "\"");
}

static void put_text(Text *t, const char *text)
{
    if (is_plain_word(text))
        put(t, text);
    else
        put_quoted(t, text);
}

/* What is not quoted may be a number, a boolean or null and keeps its spelling; nothing such has other characters. */
static void put_node_text(Text *t, const YamlNode *node)
{
    if (yaml_is_null(node))
        put(t, "null");
    else if (node->plain && *node->text && !node->text[strspn(node->text, WORD_CHARACTERS "+")])
        put(t, node->text);
    else
        put_text(t, node->text);
}

static void put_node(Text *t, const YamlNode *node, int depth);

/* Behind "key:" or "- ". A nested list or mapping goes on new lines, but for the first line of a mapping in a list. */
static void put_entries(Text *t, const YamlNode *node, int depth, bool behind_dash)
{
    for (uint32_t i = 0; i < node->entries.len; i++) {
        const YamlEntry *e = &node->entries.at[i];
        if (i || !behind_dash)
            put_indent(t, depth);
        if (!e->key) {
            put(t, "- ");
            if (e->value->kind == YAML_MAP && e->value->entries.len) {
                put_entries(t, e->value, depth + 1, true);
                continue;
            }
        } else {
            put_text(t, e->key);
            put(t, ": ");
        }
        put_node(t, e->value, depth + 1);
    }
}

static void put_node(Text *t, const YamlNode *node, int depth)
{
    if (node->kind == YAML_TEXT) {
        put_node_text(t, node);
    } else if (!node->entries.len) {
        put(t, node->kind == YAML_LIST ? "[]" : "{}");
    } else {
        t->chars.len--; /* the space behind the colon or dash */
        put(t, "\n");
        put_entries(t, node, depth, false);
        return;
    }
    put(t, "\n");
}

/* As few digits as read back to the same value. */
static const char *real_text(HeliaArena *arena, double real)
{
    const char *text = "";
    for (int digits = 1; digits <= 17; digits++) {
        text = helia_format(arena, "%.*g", digits, real);
        if (strtod(text, NULL) == real)
            break;
    }
    return text;
}

/* NULL: the key has no value. */
static const YamlNode *effective(HeliaArena *arena, const Config *config, uint32_t index)
{
    const ConfigKey *key = &config_keys[index];
    const void *field = (const char *)config + key->offset;
    const char *text = NULL;
    int32_t integer;
    double real;
    switch (key->kind) {
    case KEY_STRUCT:
        if (config->origins && config->origins->nodes[index])
            return config->origins->nodes[index];
        text = key->fallback;
        break;
    case KEY_PATH:
        memcpy(&text, field, sizeof(text));
        text = text ? file_base_name(text) : NULL;
        break;
    case KEY_TEXT:
    case KEY_WORD:
        memcpy(&text, field, sizeof(text));
        break;
    case KEY_ENUM:
        memcpy(&integer, field, sizeof(integer));
        text = key->words[integer];
        break;
    case KEY_INT:
        memcpy(&integer, field, sizeof(integer));
        if (!key->fallback && integer < key->lowest)
            break; /* not given */
        text = helia_format(arena, "%d", integer);
        break;
    case KEY_FLOAT:
        memcpy(&real, field, sizeof(real));
        text = real_text(arena, real);
        break;
    case KEY_BOOL:
        text = *(const bool *)field ? "true" : "false";
        break;
    }
    return text ? key_text_node(arena, key, text, HELIA_NOWHERE) : NULL;
}

const char *config_dump(HeliaArena *arena, const Config *config, const char *model_sha256)
{
    Text t = {.arena = arena};
    put(&t,
        "# The configuration this module was made with, every choice stated. Converting with it again gives the same\n"
        "# module. Where the model is not beside this file, name it with --model.path.\n");
    const char *section = "";
    size_t section_length = 0;
    for (uint32_t i = 0; i < num_config_keys; i++) {
        const ConfigKey *key = &config_keys[i];
        const YamlNode *value = NULL;
        if (strcmp(key->path, "model.sha256") == 0)
            value = key_text_node(arena, key, model_sha256, HELIA_NOWHERE);
        else if (strcmp(key->path, "model.path") == 0)
            value = key_text_node(arena, key, config->model.file_name, HELIA_NOWHERE);
        else if (key->recorded)
            value = effective(arena, config, i);
        if (!value)
            continue;
        size_t n = key_section(key);
        if (n && (n != section_length || strncmp(section, key->path, n) != 0))
            put(&t, helia_format(arena, "%.*s:\n", (int)n, key->path));
        section = key->path;
        section_length = n;
        put_indent(&t, n ? 1 : 0);
        put(&t, helia_format(arena, "%s: ", key->path + (n ? n + 1 : 0)));
        put_node(&t, value, n ? 2 : 1);
    }
    return helia_strndup(arena, t.chars.at, t.chars.len);
}
