/* Placing tables, vectors and text in a flatbuffer by the schema's description. */
#include "litert/fb_writer.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum { BYTES_ALIGNMENT = 16 }; /* of constants, which are used where they lie; other byte vectors have it too */

/* ---- drafts ----------------------------------------------------------------------------------- */

FbDraft fbw_draft(const SchemaTable *schema)
{
    assert(schema->n_fields <= FB_MAX_FIELDS);
    return (FbDraft){.schema = schema};
}

void fbw_int(FbDraft *d, unsigned id, int64_t value)
{
    d->value[id].i = value;
    d->present[id] = value != d->schema->fields[id].otherwise;
}

void fbw_ints(FbDraft *d, unsigned id, LitertInts value)
{
    d->value[id].ints = value;
    d->present[id] = value.len > 0;
}

void fbw_text(FbDraft *d, unsigned id, const char *value)
{
    d->value[id].text = value;
    d->present[id] = value != NULL;
}

void fbw_bytes(FbDraft *d, unsigned id, LitertBytes value)
{
    d->value[id].bytes = value;
    d->present[id] = value.len > 0;
}

static void store(uint8_t *p, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        p[i] = (uint8_t)(value >> (8 * i));
}

static uint32_t float_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

void fbw_floats(FbWriter *w, FbDraft *d, unsigned id, const float *at, uint32_t n)
{
    uint8_t *bytes = helia_alloc(w->scratch, n, 4);
    for (uint32_t i = 0; i < n; i++)
        store(bytes + 4 * (size_t)i, float_bits(at[i]), 4);
    fbw_bytes(d, id, (LitertBytes){bytes, 4 * (size_t)n});
}

void fbw_int64s(FbWriter *w, FbDraft *d, unsigned id, const int64_t *at, uint32_t n)
{
    uint8_t *bytes = helia_alloc(w->scratch, n, 8);
    for (uint32_t i = 0; i < n; i++)
        store(bytes + 8 * (size_t)i, (uint64_t)at[i], 8);
    fbw_bytes(d, id, (LitertBytes){bytes, 8 * (size_t)n});
}

void fbw_field(FbDraft *d, unsigned id, const LitertField *value)
{
    SchemaKind kind = d->schema->fields[id].kind;
    d->value[id] = *value;
    if (kind == KIND_F32)
        d->present[id] = float_bits((float)value->f) != 0; /* by its bits: -0 is not the default */
    else if (kind == KIND_TEXT)
        d->present[id] = value->text != NULL;
    else if (schema_form(kind) == FORM_VECTOR)
        d->present[id] = value->ints.len || value->bytes.len;
    else
        d->present[id] = value->i != d->schema->fields[id].otherwise;
}

void fbw_keep(FbDraft *d, unsigned id)
{
    d->present[id] = true;
}

/* ---- placing ---------------------------------------------------------------------------------- */

static void put(FbWriter *w, uint64_t at, uint64_t value, unsigned size)
{
    if (w->bytes)
        store(w->bytes + at, value, size);
}

/* Moves the end so that the byte `prefix` after it is aligned. The bytes between stay 0. */
static void align(FbWriter *w, unsigned alignment, unsigned prefix)
{
    while ((w->at + prefix) % alignment)
        w->at++;
}

/* Reports once, while measuring. */
static void out_of_range(FbWriter *w, const FbDraft *d, unsigned id, int64_t value)
{
    HeliaLoc loc = HELIA_NOWHERE;
    loc.file = w->file;
    if (!w->bytes)
        helia_error(w->diag, loc, "%s.%s is %" PRId64 ", which cannot be stored in %u bytes", d->schema->name,
                    d->schema->fields[id].name, value, schema_size(d->schema->fields[id].kind));
    w->ok = false;
}

static bool in_range(SchemaKind kind, int64_t value)
{
    switch (kind) {
    case KIND_BOOL:
    case KIND_BOOLS:
        return value == 0 || value == 1;
    case KIND_I8:
        return value >= INT8_MIN && value <= INT8_MAX;
    case KIND_U8:
    case KIND_TAG:
    case KIND_BYTES:
        return value >= 0 && value <= UINT8_MAX;
    case KIND_U16S:
        return value >= 0 && value <= UINT16_MAX;
    case KIND_I32:
    case KIND_SUBGRAPH:
        return value >= INT32_MIN && value <= INT32_MAX;
    case KIND_U32:
        return value >= 0 && value <= UINT32_MAX;
    default:
        return true; /* 64 bits, and the 32 bits of the elements of LitertInts */
    }
}

static void put_scalar(FbWriter *w, const FbDraft *d, unsigned id)
{
    SchemaKind kind = d->schema->fields[id].kind;
    int64_t value = d->value[id].i;
    if (kind == KIND_F32)
        put(w, d->at[id], float_bits((float)d->value[id].f), 4);
    else if (in_range(kind, value))
        put(w, d->at[id], (uint64_t)value, schema_size(kind));
    else
        out_of_range(w, d, id, value);
}

static uint64_t place_vector(FbWriter *w, uint32_t len, size_t bytes, unsigned alignment)
{
    align(w, alignment, 4);
    uint64_t start = w->at;
    put(w, start, len, 4);
    w->at += 4 + (uint64_t)bytes;
    return start;
}

static uint64_t put_bytes(FbWriter *w, LitertBytes bytes, unsigned size, unsigned alignment)
{
    uint64_t start = place_vector(w, (uint32_t)(bytes.len / size), bytes.len, alignment);
    if (w->bytes && bytes.len)
        memcpy(w->bytes + start + 4, bytes.at, bytes.len);
    return start;
}

static void put_vector(FbWriter *w, const FbDraft *d, unsigned id)
{
    SchemaKind kind = d->schema->fields[id].kind;
    const LitertField *value = &d->value[id];
    unsigned size = schema_size(kind), alignment = kind == KIND_BYTES ? BYTES_ALIGNMENT : size < 4 ? 4 : size;
    if (value->bytes.len) {
        fbw_child(w, d, id, put_bytes(w, value->bytes, size, alignment));
        return;
    }
    uint64_t start = place_vector(w, value->ints.len, (size_t)value->ints.len * size, alignment);
    for (uint32_t i = 0; i < value->ints.len; i++) {
        if (!in_range(kind, value->ints.at[i])) {
            out_of_range(w, d, id, value->ints.at[i]);
            break;
        }
        put(w, start + 4 + (uint64_t)i * size, (uint64_t)(int64_t)value->ints.at[i], size);
    }
    fbw_child(w, d, id, start);
}

static void put_text(FbWriter *w, const FbDraft *d, unsigned id)
{
    const char *text = d->value[id].text;
    fbw_child(w, d, id, put_bytes(w, (LitertBytes){(const uint8_t *)text, strlen(text)}, 1, 4));
    w->at++; /* the NUL */
}

static unsigned stored_size(const FbDraft *d, unsigned id)
{
    SchemaKind kind = d->schema->fields[id].kind;
    return schema_form(kind) == FORM_SCALAR ? schema_size(kind) : 4;
}

/* The vtable with all fields that are there, then the table with its fields by falling size, so without gaps. */
static uint64_t lay_out(FbWriter *w, FbDraft *d)
{
    unsigned entries = 0, largest = 4;
    for (unsigned id = 0; id < d->schema->n_fields; id++) {
        if (!d->present[id])
            continue;
        entries = id + 1;
        if (stored_size(d, id) > largest)
            largest = stored_size(d, id);
    }
    align(w, 2, 0);
    uint64_t vtable = w->at;
    w->at += FB_VTABLE_HEADER + 2 * (uint64_t)entries;
    align(w, largest, 4);
    uint64_t table = w->at;
    w->at += 4;
    for (unsigned size = largest; size; size /= 2)
        for (unsigned id = 0; id < entries; id++)
            if (d->present[id] && stored_size(d, id) == size) {
                d->at[id] = w->at;
                w->at += size;
                put(w, vtable + FB_VTABLE_HEADER + 2 * (uint64_t)id, d->at[id] - table, 2);
            }
    put(w, vtable, FB_VTABLE_HEADER + 2 * (uint64_t)entries, 2);
    put(w, vtable + 2, w->at - table, 2);
    put(w, table, table - vtable, 4);
    return table;
}

uint64_t fbw_place(FbWriter *w, FbDraft *d)
{
    uint64_t table = lay_out(w, d);
    for (unsigned id = 0; id < d->schema->n_fields; id++) {
        if (!d->present[id])
            continue;
        switch (schema_form(d->schema->fields[id].kind)) {
        case FORM_SCALAR:
            put_scalar(w, d, id);
            break;
        case FORM_VECTOR:
            put_vector(w, d, id);
            break;
        case FORM_TEXT:
            put_text(w, d, id);
            break;
        case FORM_TABLE:
        case FORM_TABLES:
        case FORM_UNION:
            break;
        }
    }
    return table;
}

void fbw_child(FbWriter *w, const FbDraft *d, unsigned id, uint64_t target)
{
    put(w, d->at[id], target - d->at[id], 4);
}

uint64_t fbw_tables(FbWriter *w, const FbDraft *d, unsigned id, uint32_t n)
{
    uint64_t start = place_vector(w, n, 4 * (size_t)n, 4);
    fbw_child(w, d, id, start);
    return start;
}

void fbw_element(FbWriter *w, uint64_t vector, uint32_t i, uint64_t target)
{
    uint64_t at = vector + 4 + 4 * (uint64_t)i;
    put(w, at, target - at, 4);
}
