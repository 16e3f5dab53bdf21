/* Values out of YAML, by the rows of the key table. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/keys.h"
#include "support/file.h"
#include "support/nearest.h"

static const char *one_of(HeliaArena *arena, const char *const *words)
{
    const char *text = words[0];
    for (size_t i = 1; words[i]; i++)
        text = helia_format(arena, "%s%s%s", text, words[i + 1] ? ", " : " or ", words[i]);
    return text;
}

const char *key_expected(HeliaArena *arena, const ConfigKey *key)
{
    switch (key->kind) {
    case KEY_PATH:
        return "a path";
    case KEY_TEXT:
        return key->check ? key->check->expected : "a text";
    case KEY_WORD:
    case KEY_ENUM:
        return one_of(arena, key->words);
    case KEY_INT:
        return helia_format(arena, "%s from %lld to %lld", key->power_of_two ? "a power of two" : "an integer",
                            (long long)key->lowest, (long long)key->highest);
    case KEY_FLOAT:
        return "a finite number from 0";
    case KEY_BOOL:
        return "true or false";
    case KEY_STRUCT:
        break;
    }
    const KeyStructure *s = key->structure;
    const char *what = s->pairs ? "a list of pairs" : s->list ? "a list" : "a mapping";
    if (s->or_text)
        return s->words ? helia_format(arena, "%s, or %s", one_of(arena, s->words), what)
                        : helia_format(arena, "a text or %s", what);
    return s->words ? helia_format(arena, "%s of %s", what, one_of(arena, s->words)) : what;
}

bool key_expect(ConfigReader *r, const char *name, const char *expected, const YamlNode *node)
{
    if (yaml_is_missing(node))
        return helia_error(r->diag, node->at, "%s: a value is missing; expected %s", name, expected);
    if (node->kind != YAML_TEXT)
        return helia_error(r->diag, node->at, "%s: expected %s, found a %s", name, expected,
                           node->kind == YAML_LIST ? "list" : "mapping");
    if (yaml_is_null(node))
        return helia_error(r->diag, node->at, "%s: expected %s, found null", name, expected);
    return helia_error(r->diag, node->at, "%s: expected %s, found \"%s\"", name, expected,
                       helia_printable(r->arena, node->text));
}

static bool read_bool(const YamlNode *node, bool *value)
{
    static const char *const words[] = {"false", "False", "FALSE", "true", "True", "TRUE"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (node->plain && strcmp(node->text, words[i]) == 0) {
            *value = i >= 3;
            return true;
        }
    return false;
}

/* Decimal, 0x or 0o, with a sign, as in YAML 1.2. */
static bool read_int(const ConfigKey *key, const YamlNode *node, int32_t *value)
{
    const char *digits = node->text;
    bool negative = *digits == '-';
    if (*digits == '-' || *digits == '+')
        digits++;
    int base = 10;
    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'o')) {
        base = digits[1] == 'x' ? 16 : 8;
        digits += 2;
    }
    const char *allowed = base == 16 ? "0123456789abcdefABCDEF" : base == 8 ? "01234567" : "0123456789";
    size_t n = strspn(digits, allowed);
    if (!node->plain || !n || digits[n])
        return false;
    errno = 0;
    long long number = strtoll(digits, NULL, base);
    if (errno)
        return false;
    number = negative ? -number : number;
    if (number < key->lowest || number > key->highest || (key->power_of_two && number & (number - 1)))
        return false;
    *value = (int32_t)number;
    return true;
}

static bool read_float(const YamlNode *node, double *value)
{
    char *end;
    size_t n = strspn(node->text, "+-.0123456789eE");
    if (!node->plain || !n || node->text[n])
        return false;
    *value = strtod(node->text, &end);
    return !*end && isfinite(*value) && *value >= 0;
}

static bool read_word(const ConfigKey *key, const YamlNode *node, void *field)
{
    for (int i = 0; key->words[i]; i++)
        if (strcmp(node->text, key->words[i]) == 0) {
            if (key->kind == KEY_ENUM)
                memcpy(field, &i, sizeof(i));
            else
                memcpy(field, &key->words[i], sizeof(const char *));
            return true;
        }
    return false;
}

uint32_t key_read_choice(ConfigReader *r, const char *name, const char *const *words, const YamlNode *node)
{
    for (uint32_t i = 0; node->kind == YAML_TEXT && words[i]; i++)
        if (strcmp(node->text, words[i]) == 0)
            return i;
    key_expect(r, name, one_of(r->arena, words), node);
    return UINT32_MAX;
}

static bool read_text(ConfigReader *r, const ConfigKey *key, const char *name, const YamlNode *node, const char **field)
{
    const char *fault = key->check ? key->check->fault(r->arena, node->text) : NULL;
    if (fault)
        return helia_error(r->diag, node->at, "%s: expected %s, found \"%s\": %s", name, key->check->expected,
                           helia_printable(r->arena, node->text), fault);
    *field = node->text;
    return true;
}

static bool read_path(ConfigReader *r, const YamlNode *node, const char **field)
{
    if (!*node->text)
        return false;
    *field = r->beside ? file_path_beside(r->arena, r->beside, node->text) : node->text;
    return true;
}

static bool read_scalar(ConfigReader *r, const ConfigKey *key, const YamlNode *node, void *field)
{
    switch (key->kind) {
    case KEY_PATH:
        return read_path(r, node, field);
    case KEY_WORD:
    case KEY_ENUM:
        return read_word(key, node, field);
    case KEY_INT:
        return read_int(key, node, field);
    case KEY_FLOAT:
        return read_float(node, field);
    default:
        return read_bool(node, field);
    }
}

bool key_read(ConfigReader *r, const ConfigKey *key, const char *name, const YamlNode *node, void *base)
{
    void *field = (char *)base + key->offset;
    if (yaml_is_null(node) && !key->fallback && !key->required)
        return true;
    if (key->kind == KEY_STRUCT) {
        const KeyStructure *s = key->structure;
        bool text = s->or_text && node->kind == YAML_TEXT && !yaml_is_missing(node);
        if (!text && node->kind != (s->list ? YAML_LIST : YAML_MAP))
            return key_expect(r, name, key_expected(r->arena, key), node);
        memset(field, 0, s->size);
        return s->read(r, key, node, field);
    }
    if (node->kind != YAML_TEXT || yaml_is_missing(node) || yaml_is_null(node))
        return key_expect(r, name, key_expected(r->arena, key), node);
    if (key->kind == KEY_TEXT)
        return read_text(r, key, name, node, field);
    return read_scalar(r, key, node, field) || key_expect(r, name, key_expected(r->arena, key), node);
}

bool key_read_fields(ConfigReader *r, const ConfigKey *owner, const ConfigKey *fields, uint32_t n, const YamlNode *node,
                     void *base)
{
    if (node->kind != YAML_MAP)
        return key_expect(r, owner->path, "a mapping", node);
    bool ok = true;
    for (uint32_t i = 0; i < node->entries.len; i++) {
        const YamlEntry *e = &node->entries.at[i];
        const ConfigKey *field = NULL;
        Nearest nearest = nearest_to(e->key);
        for (uint32_t k = 0; k < n; k++) {
            nearest_offer(&nearest, fields[k].path);
            if (strcmp(fields[k].path, e->key) == 0)
                field = &fields[k];
        }
        if (field)
            ok = key_read(r, field, helia_format(r->arena, "%s.%s", owner->path, field->path), e->value, base) && ok;
        else
            ok = helia_error(r->diag, e->at, "%s: unknown key \"%s\"; the nearest known one is \"%s\"", owner->path,
                             helia_printable(r->arena, e->key), nearest.best);
    }
    for (uint32_t k = 0; k < n; k++) {
        bool given = false;
        for (uint32_t i = 0; i < node->entries.len; i++)
            given |= strcmp(fields[k].path, node->entries.at[i].key) == 0;
        if (fields[k].required && !given)
            ok = helia_error(r->diag, node->at, "%s: \"%s\" is missing; expected %s", owner->path, fields[k].path,
                             key_expected(r->arena, &fields[k]));
    }
    return ok;
}

const YamlNode *key_text_node(HeliaArena *arena, const ConfigKey *key, const char *text, HeliaLoc at)
{
    YamlNode *node = HELIA_NEW(arena, YamlNode);
    node->kind = YAML_TEXT;
    node->at = at;
    node->text = text;
    node->plain = key->kind == KEY_INT || key->kind == KEY_FLOAT || key->kind == KEY_BOOL;
    return node;
}
