/* Reading a flatbuffer that fb_verify() has accepted: nothing here checks bounds. Bytes are combined one by one, so
 * neither the host's byte order nor the alignment of the file in memory matters.
 *
 * A table starts with a signed offset back to its vtable; the vtable holds its own size, the table's size, then for
 * each field id the field's distance from the table's start, 0 if absent. What is no scalar is stored as an unsigned
 * offset from the field's own position: to a table, or to a vector or string, which start with their length. */
#ifndef LITERT_FLATBUFFER_H
#define LITERT_FLATBUFFER_H

#include "litert/schema.h"

#define FB_IDENTIFIER "TFL3"
enum { FB_IDENTIFIER_AT = 4, FB_HEADER_SIZE = 8, FB_VTABLE_HEADER = 4 };

typedef struct FbTable {
    const uint8_t *file; /* NULL: no table; its fields all read as absent */
    uint64_t at;
    const SchemaTable *schema;
} FbTable;

typedef struct FbVector {
    const uint8_t *at; /* of the first element; NULL: absent */
    uint32_t len;
} FbVector;

static inline uint16_t fb_u16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t fb_u32(const uint8_t *p)
{
    return (uint32_t)fb_u16(p) | (uint32_t)fb_u16(p + 2) << 16;
}

static inline uint64_t fb_u64(const uint8_t *p)
{
    return (uint64_t)fb_u32(p) | (uint64_t)fb_u32(p + 4) << 32;
}

/* Two's complement, without relying on how the host converts. */
static inline int32_t fb_i32(const uint8_t *p)
{
    uint32_t u = fb_u32(p);
    return u <= INT32_MAX ? (int32_t)u : (int32_t)(u - 0x80000000u) + INT32_MIN;
}

static inline int64_t fb_i64(const uint8_t *p)
{
    uint64_t u = fb_u64(p);
    return u <= INT64_MAX ? (int64_t)u : (int64_t)(u - 0x8000000000000000u) + INT64_MIN;
}

float fb_f32(const uint8_t *p);

FbTable fb_root(const uint8_t *file);
/* The position of a field inside the file; 0: absent. */
uint64_t fb_field(FbTable table, unsigned id);
/* Scalars; the schema's default where absent. uint64 beyond int64 come out negative. */
int64_t fb_int(FbTable table, unsigned id);
double fb_float(FbTable table, unsigned id);
/* Vectors of any element, and text (without its NUL). */
FbVector fb_vector(FbTable table, unsigned id);
FbTable fb_child(FbTable table, unsigned id);
FbTable fb_element(FbTable table, unsigned id, FbVector vector, uint32_t index);
/* The value of the union whose value has that id; its tag is the field before. */
FbTable fb_union(FbTable table, unsigned id);

/* Checks everything the functions above rely on, from the identifier to the last offset, and that bytes stored outside
 * the flatbuffer lie inside the file. Reports every problem, up to a limit. */
bool fb_verify(HeliaArena *arena, HeliaDiag *diag, const char *name, const uint8_t *file, uint64_t size);

#endif
