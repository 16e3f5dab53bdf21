/* libyaml's events into a tree. */
#include "config/yaml.h"

#include <string.h>
#include <yaml.h>

#include "support/arena.h"

/* MAX_KEYS of one mapping bounds the search for keys given twice, MAX_WEIGHT what aliases can be expanded to. */
enum { MAX_DEPTH = 32, MAX_SIZE = 1 << 20, MAX_KEYS = 4096, MAX_WEIGHT = 1 << 17 };

typedef struct Anchor {
    const char *name;
    YamlNode *node;
} Anchor;

typedef struct Builder {
    HeliaArena *arena;
    HeliaDiag *diag;
    const char *file;
    yaml_parser_t parser;
    yaml_event_t live[MAX_DEPTH + 4]; /* events that are being looked at: one a level of nesting */
    uint32_t n_live;
    HELIA_VEC(Anchor) anchors;
} Builder;

static HeliaLoc place(const Builder *b, yaml_mark_t mark)
{
    HeliaLoc at = helia_at_file(b->file);
    at.line = (int32_t)mark.line + 1;
    at.column = (int32_t)mark.column + 1;
    return at;
}

/* The next event, until drop_event(); NULL after reporting. */
static const yaml_event_t *next_event(Builder *b)
{
    if (yaml_parser_parse(&b->parser, &b->live[b->n_live]))
        return &b->live[b->n_live++];
    const yaml_parser_t *p = &b->parser;
    if (p->error == YAML_READER_ERROR) { /* it has a byte offset instead of a mark */
        HeliaLoc at = helia_at_file(b->file);
        helia_error(b->diag, at, "no YAML: %s at byte %zu", p->problem ? p->problem : "unreadable", p->problem_offset);
    } else if (p->error == YAML_MEMORY_ERROR) {
        helia_fatal(b->diag, place(b, p->mark), "out of memory");
    } else {
        helia_error(b->diag, place(b, p->problem_mark), "no YAML: %s%s%s", p->problem ? p->problem : "syntax error",
                    p->context ? ", " : "", p->context ? p->context : "");
    }
    return NULL;
}

static void drop_event(Builder *b)
{
    yaml_event_delete(&b->live[--b->n_live]);
}

/* What the library for YAML holds, outside the arena. */
static void release(void *builder)
{
    Builder *b = builder;
    while (b->n_live)
        drop_event(b);
    yaml_parser_delete(&b->parser);
}

static bool build(Builder *b, const yaml_event_t *event, int depth, YamlNode **out);

/* Text without NUL; tags other than !!str would change the meaning and are refused. */
static bool build_text(Builder *b, const yaml_event_t *event, YamlNode *node)
{
    const char *text = (const char *)event->data.scalar.value, *tag = (const char *)event->data.scalar.tag;
    node->kind = YAML_TEXT;
    node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (memchr(text, 0, event->data.scalar.length))
        return helia_error(b->diag, node->at, "a text holds a NUL character");
    if (tag) {
        if (strcmp(tag, YAML_STR_TAG) != 0)
            return helia_error(b->diag, node->at, "tag \"%s\" is not understood", helia_printable(b->arena, tag));
        node->plain = false;
    }
    node->text = helia_strdup(b->arena, text);
    return true;
}

static bool build_list(Builder *b, YamlNode *node, int depth)
{
    node->kind = YAML_LIST;
    for (;;) {
        const yaml_event_t *event = next_event(b);
        if (!event)
            return false;
        YamlNode *item = NULL;
        bool end = event->type == YAML_SEQUENCE_END_EVENT;
        bool ok = end || build(b, event, depth + 1, &item);
        drop_event(b);
        if (end || !ok)
            return ok;
        HELIA_PUSH(b->arena, &node->entries, ((YamlEntry){NULL, item->at, item}));
    }
}

/* A key given twice is reported and the first one is kept. */
static void add_entry(Builder *b, YamlNode *node, const YamlNode *key, const YamlNode *value)
{
    if (key->kind != YAML_TEXT) {
        helia_error(b->diag, key->at, "a key must be a text, not a list or a mapping");
        return;
    }
    for (uint32_t i = 0; i < node->entries.len; i++)
        if (strcmp(node->entries.at[i].key, key->text) == 0) {
            helia_error(b->diag, key->at, "key \"%s\" is given twice; first in line %d",
                        helia_printable(b->arena, key->text), node->entries.at[i].at.line);
            return;
        }
    HELIA_PUSH(b->arena, &node->entries, ((YamlEntry){key->text, key->at, value}));
}

static bool build_map(Builder *b, YamlNode *node, int depth)
{
    node->kind = YAML_MAP;
    for (;;) {
        const yaml_event_t *event = next_event(b);
        if (!event)
            return false;
        YamlNode *key = NULL, *value = NULL;
        bool end = event->type == YAML_MAPPING_END_EVENT;
        bool ok = end || build(b, event, depth + 1, &key);
        drop_event(b);
        if (end || !ok)
            return ok;
        event = next_event(b);
        if (!event)
            return false;
        ok = build(b, event, depth + 1, &value);
        drop_event(b);
        if (!ok)
            return false;
        if (node->entries.len >= MAX_KEYS)
            return helia_error(b->diag, key->at, "more than %d keys in one mapping", MAX_KEYS);
        add_entry(b, node, key, value);
    }
}

static bool find_alias(Builder *b, const yaml_event_t *event, YamlNode **out)
{
    const char *name = (const char *)event->data.alias.anchor;
    for (uint32_t i = b->anchors.len; i-- > 0;)
        if (strcmp(b->anchors.at[i].name, name) == 0) {
            *out = b->anchors.at[i].node;
            return true;
        }
    return helia_error(b->diag, place(b, event->start_mark), "alias *%s has no anchor before it",
                       helia_printable(b->arena, name));
}

static bool build(Builder *b, const yaml_event_t *event, int depth, YamlNode **out)
{
    if (event->type == YAML_ALIAS_EVENT)
        return find_alias(b, event, out);
    YamlNode *node = *out = HELIA_NEW(b->arena, YamlNode);
    node->at = place(b, event->start_mark);
    if (depth >= MAX_DEPTH)
        return helia_error(b->diag, node->at, "more than %d levels of nesting", MAX_DEPTH);
    const yaml_char_t *anchor;
    bool ok;
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        anchor = event->data.scalar.anchor;
        ok = build_text(b, event, node);
        break;
    case YAML_SEQUENCE_START_EVENT:
        anchor = event->data.sequence_start.anchor;
        ok = build_list(b, node, depth);
        break;
    default:
        anchor = event->data.mapping_start.anchor;
        ok = build_map(b, node, depth);
        break;
    }
    node->weight = 1;
    for (uint32_t i = 0; ok && i < node->entries.len; i++) {
        node->weight += node->entries.at[i].value->weight;
        if (node->weight > MAX_WEIGHT)
            ok = helia_error(b->diag, node->at, "more than %d values", MAX_WEIGHT);
    }
    if (ok && anchor) /* known only behind its end, so no node can hold itself */
        HELIA_PUSH(b->arena, &b->anchors, ((Anchor){helia_strdup(b->arena, (const char *)anchor), node}));
    return ok;
}

/* Stream start, document start, one node, document end, stream end. */
static YamlNode *build_document(Builder *b)
{
    YamlNode *root = NULL;
    for (;;) {
        const yaml_event_t *event = next_event(b);
        if (!event)
            return NULL;
        yaml_event_type_t type = event->type;
        bool ok = true;
        if (type == YAML_DOCUMENT_START_EVENT && root)
            ok = helia_error(b->diag, place(b, event->start_mark), "a second document; one is expected");
        else if (type != YAML_STREAM_START_EVENT && type != YAML_STREAM_END_EVENT &&
                 type != YAML_DOCUMENT_START_EVENT && type != YAML_DOCUMENT_END_EVENT)
            ok = build(b, event, 0, &root);
        drop_event(b);
        if (!ok)
            return NULL;
        if (type == YAML_STREAM_END_EVENT)
            break;
    }
    if (!root) {
        root = HELIA_NEW(b->arena, YamlNode);
        root->kind = YAML_MAP;
        root->at = HELIA_NOWHERE;
        root->at.file = b->file;
    }
    return root;
}

const YamlNode *yaml_parse(HeliaArena *arena, HeliaDiag *diag, const char *file, const void *bytes, size_t size)
{
    Builder *b = HELIA_NEW(arena, Builder);
    b->arena = arena;
    b->diag = diag;
    b->file = file;
    HeliaLoc at = helia_at_file(file);
    if (size > MAX_SIZE) {
        helia_error(diag, at, "%zu bytes of configuration; at most %d are accepted", size, MAX_SIZE);
        return NULL;
    }
    ArenaGuard *guard = arena_guard(arena, release, b);
    if (!yaml_parser_initialize(&b->parser)) {
        arena_guard_cancel(guard);
        helia_fatal(diag, at, "out of memory");
        return NULL;
    }
    yaml_parser_set_encoding(&b->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&b->parser, bytes, size);
    const YamlNode *root = build_document(b);
    arena_guard_cancel(guard);
    release(b);
    return root;
}

bool yaml_is_missing(const YamlNode *node)
{
    return node->kind == YAML_TEXT && node->plain && !*node->text;
}

bool yaml_is_null(const YamlNode *node)
{
    static const char *const words[] = {"null", "Null", "NULL", "~"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (node->kind == YAML_TEXT && node->plain && strcmp(node->text, words[i]) == 0)
            return true;
    return false;
}
