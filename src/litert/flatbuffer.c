/* Access to a verified flatbuffer by the schema's description. */
#include "litert/flatbuffer.h"

#include <string.h>

float fb_f32(const uint8_t *p)
{
    uint32_t bits = fb_u32(p);
    float f;
    memcpy(&f, &bits, sizeof(f));
    return f;
}

FbTable fb_root(const uint8_t *file)
{
    return (FbTable){file, fb_u32(file), schema_table(TABLE_Model)};
}

uint64_t fb_field(FbTable table, unsigned id)
{
    if (!table.file)
        return 0;
    const uint8_t *p = table.file + table.at;
    const uint8_t *vtable = p - fb_i32(p);
    unsigned entry = FB_VTABLE_HEADER + 2 * id;
    unsigned offset = entry < fb_u16(vtable) ? fb_u16(vtable + entry) : 0;
    return offset ? table.at + offset : 0;
}

int64_t fb_int(FbTable table, unsigned id)
{
    uint64_t at = fb_field(table, id);
    if (!at)
        return table.schema->fields[id].otherwise;
    const uint8_t *p = table.file + at;
    switch (table.schema->fields[id].kind) {
    case KIND_BOOL:
        return *p != 0;
    case KIND_I8:
        return *p < 128 ? *p : *p - 256;
    case KIND_U8:
    case KIND_TAG:
        return *p;
    case KIND_U32:
        return fb_u32(p);
    case KIND_I64:
    case KIND_U64:
        return fb_i64(p);
    default:
        return fb_i32(p);
    }
}

double fb_float(FbTable table, unsigned id)
{
    uint64_t at = fb_field(table, id);
    return at ? (double)fb_f32(table.file + at) : table.schema->fields[id].otherwise;
}

static uint64_t follow(const uint8_t *file, uint64_t at)
{
    return at + fb_u32(file + at);
}

FbVector fb_vector(FbTable table, unsigned id)
{
    uint64_t at = fb_field(table, id);
    if (!at)
        return (FbVector){NULL, 0};
    const uint8_t *p = table.file + follow(table.file, at);
    return (FbVector){p + 4, fb_u32(p)};
}

static FbTable table_behind(FbTable parent, uint64_t at, const SchemaTable *schema)
{
    if (!at)
        return (FbTable){NULL, 0, schema};
    return (FbTable){parent.file, follow(parent.file, at), schema};
}

FbTable fb_child(FbTable table, unsigned id)
{
    return table_behind(table, fb_field(table, id), schema_table((TableId)table.schema->fields[id].child));
}

FbTable fb_element(FbTable table, unsigned id, FbVector vector, uint32_t index)
{
    uint64_t at = (uint64_t)(vector.at - table.file) + 4u * (uint64_t)index;
    return table_behind(table, at, schema_table((TableId)table.schema->fields[id].child));
}

FbTable fb_union(FbTable table, unsigned id)
{
    unsigned tag = (unsigned)fb_int(table, id - 1);
    const SchemaTable *member = schema_member((UnionId)table.schema->fields[id].child, tag);
    return table_behind(table, member ? fb_field(table, id) : 0, member);
}
