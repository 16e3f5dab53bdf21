/* The first thing that happens to a file: every offset, size and count of the flatbuffer is checked, driven by the
 * schema's description. Recursion is as deep as the schema, which has no cycles; what the file can repeat by referring
 * to one place many times is bounded by a budget of work. */
#include "litert/flatbuffer.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

typedef enum Reason {
#define REASON(id, hint, text) REASON_##id,
#include "litert/reasons.inc"
#undef REASON
} Reason;

static const char *const reason_texts[] = {
#define REASON(id, hint, text) [REASON_##id] = text,
#include "litert/reasons.inc"
#undef REASON
};

typedef enum Hint { HINT_NONE, HINT_CUT } Hint;
static const Hint reason_hints[] = {
#define REASON(id, hint, text) [REASON_##id] = HINT_##hint,
#include "litert/reasons.inc"
#undef REASON
};

enum {
    MAX_DEPTH = 8,        /* Model, subgraphs, tensors, sparsity, dim_metadata, array_segments, values: 7 */
    MAX_REPORTED = 20,    /* of a file's problems; a broken file can have millions */
    SHARING_FACTOR = 2,   /* 1 is a file without any; writers share texts and small vectors, no more */
    SHARING_SLACK = 65536 /* so that tiny files may share what they like */
};
#define NOT_INDEXED UINT32_MAX
#define NO_VALUE UINT64_MAX

typedef struct Verify {
    HeliaArena *arena;
    HeliaDiag *diag;
    const char *name;
    const uint8_t *file;
    uint64_t size;
    uint64_t budget; /* bytes of tables and vectors that may still be visited, again for each time */
    bool spent;      /* the budget was exceeded: stop */
    uint32_t problems;
    bool may_be_cut;
    unsigned depth;
    struct {
        const char *field;
        uint32_t index;
    } path[MAX_DEPTH];
} Verify;

static const char *path_text(const Verify *v, HeliaArena *arena)
{
    const char *text = "";
    for (unsigned i = 0; i < v->depth; i++) {
        text = helia_format(arena, "%s%s%s", text, i ? "." : "", v->path[i].field);
        if (v->path[i].index != NOT_INDEXED)
            text = helia_format(arena, "%s[%" PRIu32 "]", text, v->path[i].index);
    }
    return *text ? helia_format(arena, "%s: ", text) : text;
}

static bool fail(Verify *v, Reason reason, uint64_t at, uint64_t found)
{
    v->may_be_cut |= reason_hints[reason] == HINT_CUT;
    if (v->problems++ >= MAX_REPORTED)
        return false;
    HeliaLoc loc = HELIA_NOWHERE;
    loc.file = v->name;
    HeliaArena *scratch = helia_arena_child(v->arena);
    const char *value = found == NO_VALUE ? "" : helia_format(scratch, ": found %" PRIu64, found);
    helia_error(v->diag, loc, "%s%s (byte %" PRIu64 "%s; the file has %" PRIu64 " bytes)", path_text(v, scratch),
                reason_texts[reason], at, value, v->size);
    helia_arena_free(scratch);
    return false;
}

static void enter(Verify *v, const char *field)
{
    assert(v->depth < MAX_DEPTH);
    v->path[v->depth].field = field;
    v->path[v->depth++].index = NOT_INDEXED;
}

static void leave(Verify *v)
{
    v->depth--;
}

static bool fits(const Verify *v, uint64_t at, uint64_t n)
{
    return at <= v->size && n <= v->size - at;
}

/* The work that a file may cause, and the memory of its model, are proportional to its size. */
static bool spend(Verify *v, uint64_t at, uint64_t work)
{
    if (v->spent)
        return false;
    if (work > v->budget) {
        v->spent = true;
        return fail(v, REASON_TOO_MUCH_SHARING, at, work);
    }
    v->budget -= work;
    return true;
}

static bool follow(Verify *v, uint64_t at, uint64_t *target)
{
    uint32_t offset = fb_u32(v->file + at);
    *target = at + offset;
    return offset ? true : fail(v, REASON_OFFSET_NULL, at, NO_VALUE);
}

/* The vector or text behind the offset at `at`. */
static bool verify_vector(Verify *v, uint64_t at, unsigned element, uint64_t *first, uint32_t *len)
{
    uint64_t start;
    if (!follow(v, at, &start))
        return false;
    if (!fits(v, start, 4))
        return fail(v, REASON_VECTOR_OUTSIDE, at, start);
    if (start % 4)
        return fail(v, REASON_VECTOR_UNALIGNED, at, start);
    *first = start + 4;
    *len = fb_u32(v->file + start);
    if (!fits(v, *first, (uint64_t)*len * element))
        return fail(v, REASON_VECTOR_LENGTH, start, *len);
    return true;
}

static bool verify_scalars(Verify *v, const SchemaTable *schema, SchemaKind kind, uint64_t at)
{
    uint64_t first;
    uint32_t len;
    bool is_borrowed = kind == KIND_BYTES && schema != schema_table(TABLE_Uint8Vector); /* that one becomes integers */
    /* Elements of 8 bytes need not be aligned to 8: there are writers that do not, and they are copied out anyway. */
    if (!verify_vector(v, at, schema_size(kind), &first, &len))
        return false;
    return spend(v, at, is_borrowed ? 4 : 4 + (uint64_t)len * schema_size(kind));
}

static bool verify_text(Verify *v, uint64_t at)
{
    uint64_t first;
    uint32_t len;
    if (!verify_vector(v, at, 1, &first, &len))
        return false;
    if (!fits(v, first + len, 1) || v->file[first + len] != 0)
        return fail(v, REASON_TEXT_NOT_TERMINATED, first + len, len);
    return spend(v, at, 4 + (uint64_t)len);
}

static bool verify_table(Verify *v, const SchemaTable *schema, uint64_t at);

static bool verify_child(Verify *v, const SchemaTable *schema, uint64_t at)
{
    uint64_t target;
    return follow(v, at, &target) && verify_table(v, schema, target);
}

static bool verify_tables(Verify *v, const SchemaTable *schema, uint64_t at)
{
    uint64_t first;
    uint32_t len;
    if (!verify_vector(v, at, 4, &first, &len) || !spend(v, at, 4 + 4 * (uint64_t)len))
        return false;
    bool ok = true;
    for (uint32_t i = 0; i < len && v->problems <= MAX_REPORTED && !v->spent; i++) {
        v->path[v->depth - 1].index = i;
        ok = verify_child(v, schema, first + 4u * (uint64_t)i) && ok;
    }
    v->path[v->depth - 1].index = NOT_INDEXED;
    return ok;
}

/* `at` may be 0: a tag without a value is a table of defaults. A value without a tag is not looked at. */
static bool verify_union(Verify *v, FbTable table, unsigned id, uint64_t at)
{
    unsigned tag = (unsigned)fb_int(table, id - 1);
    if (tag == 0)
        return true;
    const SchemaTable *member = schema_member((UnionId)table.schema->fields[id].child, tag);
    if (!member)
        return fail(v, REASON_UNION_UNKNOWN, table.at, tag);
    return at ? verify_child(v, member, at) : true;
}

static bool verify_value(Verify *v, FbTable table, unsigned id, uint64_t at)
{
    const SchemaField *field = &table.schema->fields[id];
    switch (schema_form(field->kind)) {
    case FORM_SCALAR:
        return true;
    case FORM_VECTOR:
        return verify_scalars(v, table.schema, field->kind, at);
    case FORM_TEXT:
        return verify_text(v, at);
    case FORM_TABLE:
        return verify_child(v, schema_table((TableId)field->child), at);
    case FORM_TABLES:
        return verify_tables(v, schema_table((TableId)field->child), at);
    case FORM_UNION:
        return verify_union(v, table, id, at);
    }
    return true;
}

/* A scalar or offset of the table itself, before anything reads it. *at is 0 for an absent field. */
static bool verify_slot(Verify *v, FbTable table, unsigned table_size, unsigned id, uint64_t *at)
{
    SchemaKind kind = table.schema->fields[id].kind;
    unsigned size = schema_form(kind) == FORM_SCALAR ? schema_size(kind) : 4;
    *at = fb_field(table, id);
    if (!*at)
        return true;
    uint64_t offset = *at - table.at;
    if (offset < 4 || offset + size > table_size)
        return fail(v, REASON_FIELD_OUTSIDE, *at, offset);
    if (*at % size)
        return fail(v, REASON_FIELD_UNALIGNED, *at, offset);
    return true;
}

/* An offset and a size from the start of the file; an offset of 0 or 1 means that the bytes are in the flatbuffer. */
static bool verify_outside(Verify *v, FbTable table, unsigned offset_id, unsigned size_id)
{
    uint64_t offset = (uint64_t)fb_int(table, offset_id), size = (uint64_t)fb_int(table, size_id);
    if (offset <= 1 || fits(v, offset, size))
        return true;
    return fail(v, REASON_DATA_OUTSIDE, fb_field(table, offset_id), offset);
}

static bool verify_vtable(Verify *v, uint64_t at, unsigned *table_size)
{
    if (!fits(v, at, 4))
        return fail(v, REASON_TABLE_OUTSIDE, at, at);
    if (at % 4)
        return fail(v, REASON_TABLE_UNALIGNED, at, at);
    int64_t vtable = (int64_t)at - fb_i32(v->file + at);
    if (vtable < 0 || !fits(v, (uint64_t)vtable, FB_VTABLE_HEADER))
        return fail(v, REASON_VTABLE_OUTSIDE, at, vtable < 0 ? 0 : (uint64_t)vtable);
    if (vtable % 2)
        return fail(v, REASON_VTABLE_UNALIGNED, at, (uint64_t)vtable);
    unsigned vtable_size = fb_u16(v->file + vtable);
    if (vtable_size < FB_VTABLE_HEADER || vtable_size % 2)
        return fail(v, REASON_VTABLE_SIZE, (uint64_t)vtable, vtable_size);
    if (!fits(v, (uint64_t)vtable, vtable_size))
        return fail(v, REASON_VTABLE_OUTSIDE, (uint64_t)vtable, vtable_size);
    *table_size = fb_u16(v->file + vtable + 2);
    if (*table_size < 4 || !fits(v, at, *table_size))
        return fail(v, REASON_TABLE_SIZE, (uint64_t)vtable + 2, *table_size);
    return true;
}

static bool verify_table(Verify *v, const SchemaTable *schema, uint64_t at)
{
    unsigned table_size = 0;
    if (!verify_vtable(v, at, &table_size) || !spend(v, at, table_size))
        return false;
    FbTable table = {v->file, at, schema};
    bool ok = true, slots_ok = true;
    for (unsigned id = 0; id < schema->n_fields; id++) {
        uint64_t field_at;
        enter(v, schema->fields[id].name);
        bool slot_ok = verify_slot(v, table, table_size, id, &field_at);
        /* A union follows its tag; where the tag is broken, it cannot be told what the value is. */
        bool readable = slot_ok && (schema->fields[id].kind != KIND_UNION || slots_ok);
        if (readable && (field_at || schema->fields[id].kind == KIND_UNION))
            ok = verify_value(v, table, id, field_at) && ok;
        slots_ok = slots_ok && slot_ok;
        leave(v);
    }
    ok = ok && slots_ok;
    if (ok && schema == schema_table(TABLE_Buffer))
        ok = verify_outside(v, table, Buffer_offset, Buffer_size);
    if (ok && schema == schema_table(TABLE_Operator))
        ok = verify_outside(v, table, Operator_large_custom_options_offset, Operator_large_custom_options_size);
    return ok;
}

bool fb_verify(HeliaArena *arena, HeliaDiag *diag, const char *name, const uint8_t *file, uint64_t size)
{
    Verify v = {.arena = arena, .diag = diag, .name = name, .file = file, .size = size};
    v.budget = size > UINT64_MAX / SHARING_FACTOR - SHARING_SLACK ? UINT64_MAX : size * SHARING_FACTOR + SHARING_SLACK;
    if (size < FB_HEADER_SIZE + FB_VTABLE_HEADER + 4)
        return fail(&v, REASON_TOO_SHORT, 0, NO_VALUE);
    if (memcmp(file + FB_IDENTIFIER_AT, FB_IDENTIFIER, 4) != 0)
        return fail(&v, REASON_NO_IDENTIFIER, FB_IDENTIFIER_AT, NO_VALUE);
    bool ok = verify_table(&v, schema_table(TABLE_Model), fb_u32(file));
    HeliaLoc loc = HELIA_NOWHERE;
    loc.file = name;
    if (v.problems > MAX_REPORTED)
        helia_note(diag, loc, "there are more problems; the first %d are shown", MAX_REPORTED);
    if (v.may_be_cut)
        helia_note(diag, loc, "the file may be incomplete");
    return ok;
}
