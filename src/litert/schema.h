/* The schema as data: one description of every table drives verification, unpacking, writing and the look-ups by
 * name. Its facts are in the .inc files of this folder. */
#ifndef LITERT_SCHEMA_H
#define LITERT_SCHEMA_H

#include <helia_aot/litert.h>

/* KIND(name, form, bytes of the scalar or of one element) */
#define SCHEMA_KINDS(KIND)                                                                                             \
    KIND(BOOL, SCALAR, 1)                                                                                              \
    KIND(I8, SCALAR, 1)                                                                                                \
    KIND(U8, SCALAR, 1)                                                                                                \
    KIND(I32, SCALAR, 4)                                                                                               \
    KIND(U32, SCALAR, 4)                                                                                               \
    KIND(I64, SCALAR, 8)                                                                                               \
    KIND(U64, SCALAR, 8)                                                                                               \
    KIND(F32, SCALAR, 4)                                                                                               \
    KIND(TAG, SCALAR, 1)      /* which member of a union the next field holds; 0 is none */                            \
    KIND(SUBGRAPH, SCALAR, 4) /* the index of a subgraph */                                                            \
    KIND(BYTES, VECTOR, 1)                                                                                             \
    KIND(BOOLS, VECTOR, 1)                                                                                             \
    KIND(U16S, VECTOR, 2)                                                                                              \
    KIND(I32S, VECTOR, 4)                                                                                              \
    KIND(U32S, VECTOR, 4)                                                                                              \
    KIND(SUBGRAPHS, VECTOR, 4)                                                                                         \
    KIND(I64S, VECTOR, 8)                                                                                              \
    KIND(F32S, VECTOR, 4)                                                                                              \
    KIND(TEXT, TEXT, 1)                                                                                                \
    KIND(TABLE, TABLE, 0)                                                                                              \
    KIND(TABLES, TABLES, 4)                                                                                            \
    KIND(UNION, UNION, 0)

typedef enum SchemaKind {
#define KIND(name, form, size) KIND_##name,
    SCHEMA_KINDS(KIND)
#undef KIND
} SchemaKind;

/* All but scalars are stored as an offset to the value. */
typedef enum SchemaForm { FORM_SCALAR, FORM_VECTOR, FORM_TEXT, FORM_TABLE, FORM_TABLES, FORM_UNION } SchemaForm;

typedef enum TableId {
#define TABLE(name) TABLE_##name,
#define EMPTY_MEMBER(union, tag, name) TABLE_##name,
#define FIELD(table, id, name, kind, otherwise)
#define CHILD(table, id, name, kind, of)
#define END_TABLE
#include "litert/schema.inc"
    N_TABLES
} TableId;

typedef enum UnionId {
    UNION_BuiltinOptions,
    UNION_BuiltinOptions2,
    UNION_QuantizationDetails,
    UNION_SparseIndexVector,
    N_UNIONS
} UnionId;

/* The field ids of a model's own tables: Tensor_shape and so on. Options are reached by name. */
/* clang-format off */
#define TABLE(name) enum {
#define MEMBER(union, tag, name) TABLE(name)
#define FIELD(table, id, name, kind, otherwise) table##_##name = (id),
#define CHILD(table, id, name, kind, of) table##_##name = (id),
#define END_TABLE };
/* clang-format on */
#include "litert/tables.inc"
#undef TABLE
#undef MEMBER
#undef FIELD
#undef CHILD
#undef END_TABLE

typedef struct SchemaField {
    const char *name;
    SchemaKind kind;
    int otherwise; /* the value of an absent scalar */
    int child;     /* TableId, or UnionId of a union's value */
} SchemaField;

typedef struct SchemaTable {
    const char *name;
    const SchemaField *fields; /* by id */
    unsigned n_fields;
} SchemaTable;

SchemaForm schema_form(SchemaKind kind);
unsigned schema_size(SchemaKind kind);
const SchemaTable *schema_table(TableId id);
/* NULL: the union has no member of that tag. */
const SchemaTable *schema_member(UnionId id, unsigned tag);

/* Bits of an element; 0: no fixed size; -1: no such type. */
int schema_type_bits(int32_t type);
/* The range of quantised values; false: the type has none. */
bool schema_type_range(int32_t type, int64_t *lowest, int64_t *highest);

#endif
