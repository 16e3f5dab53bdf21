/* The schema's tables, unions and types, expanded from their descriptions. */
#include "litert/schema.h"

static const struct {
    SchemaForm form;
    unsigned size;
} kinds[] = {
#define KIND(name, form, size) {FORM_##form, size},
    SCHEMA_KINDS(KIND)
#undef KIND
};

/* clang-format off */
#define TABLE(name) static const SchemaField fields_##name[] = {
#define FIELD(table, id, name, kind, otherwise) [id] = {#name, KIND_##kind, otherwise, 0},
#define CHILD(table, id, name, kind, of) CHILD_##kind(id, name, of)
#define CHILD_TABLE(id, name, of) [id] = {#name, KIND_TABLE, 0, TABLE_##of},
#define CHILD_TABLES(id, name, of) [id] = {#name, KIND_TABLES, 0, TABLE_##of},
#define CHILD_UNION(id, name, of) [id] = {#name, KIND_UNION, 0, UNION_##of},
#define END_TABLE };
/* clang-format on */
#include "litert/schema.inc"

static const SchemaTable tables[N_TABLES] = {
#define TABLE(name) [TABLE_##name] = {#name, fields_##name, sizeof(fields_##name) / sizeof(*fields_##name)},
#define EMPTY_MEMBER(union, tag, name) [TABLE_##name] = {#name, NULL, 0},
#define FIELD(table, id, name, kind, otherwise)
#define CHILD(table, id, name, kind, of)
#define END_TABLE
#include "litert/schema.inc"
};

/* By tag; NULL where there is no member. */
enum { MAX_TAGS = 128 };
static const SchemaTable *const members[N_UNIONS][MAX_TAGS] = {
#define TABLE(name)
#define MEMBER(union, tag, name) [UNION_##union][tag] = &tables[TABLE_##name],
#define EMPTY_MEMBER(union, tag, name) MEMBER(union, tag, name)
#define FIELD(table, id, name, kind, otherwise)
#define CHILD(table, id, name, kind, of)
#define END_TABLE
#include "litert/schema.inc"
};

static const struct {
    int bits;
    int64_t lowest, highest;
} types[] = {
#define TYPE(value, name, bits, lowest, highest) [value] = {bits, lowest, highest},
#include "litert/types.inc"
#undef TYPE
};

SchemaForm schema_form(SchemaKind kind)
{
    return kinds[kind].form;
}

unsigned schema_size(SchemaKind kind)
{
    return kinds[kind].size;
}

const SchemaTable *schema_table(TableId id)
{
    return &tables[id];
}

const SchemaTable *schema_member(UnionId id, unsigned tag)
{
    return tag < MAX_TAGS ? members[id][tag] : NULL;
}

static bool type_is_known(int32_t type)
{
    return type >= 0 && (size_t)type < sizeof(types) / sizeof(*types);
}

int schema_type_bits(int32_t type)
{
    return type_is_known(type) ? types[type].bits : -1;
}

bool schema_type_range(int32_t type, int64_t *lowest, int64_t *highest)
{
    if (!type_is_known(type) || types[type].lowest == types[type].highest)
        return false;
    *lowest = types[type].lowest;
    *highest = types[type].highest;
    return true;
}
