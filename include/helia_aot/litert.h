/* A LiteRT model as a mutable object: what model hooks rewrite, parsers read and the writer stores.
 * litert_read() verifies the whole flatbuffer first, then unpacks it; the bytes of buffers and custom options are
 * borrowed from the file's bytes, everything else is a copy in the arena. Absent vectors have length 0, absent
 * strings are NULL. Field names are those of the schema. */
#ifndef HELIA_AOT_LITERT_H
#define HELIA_AOT_LITERT_H

#include <helia_aot/support.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LITERT_OP_CUSTOM = 32 };

typedef struct LitertInts {
    int32_t *at;
    uint32_t len;
} LitertInts;

typedef struct LitertBytes {
    const uint8_t *at;
    size_t len;
} LitertBytes;

/* An option table, unpacked by the schema's description of it. `type` is the tag of the union BuiltinOptions (or
 * BuiltinOptions2); fields[] is indexed by field id; a scalar that is absent in the file holds the schema's default. */
typedef struct LitertField {
    int64_t i;         /* bool, integers, enums */
    double f;          /* float */
    LitertInts ints;   /* integer vectors */
    const char *text;  /* strings */
    LitertBytes bytes; /* byte vectors; as little-endian elements also vectors of float, and of int64 beyond 32 bits */
} LitertField;
typedef struct LitertOptions {
    uint8_t type; /* 0: absent, all defaults */
    uint32_t n_fields;
    LitertField *fields;
} LitertOptions;

typedef struct LitertQuant {
    float *scale;
    uint32_t n_scale;
    int64_t *zero_point;
    uint32_t n_zero_point;
    float *min, *max;
    uint32_t n_min, n_max;
    int32_t quantized_dimension;
    uint8_t details_type; /* tag of QuantizationDetails; only CustomQuantization (1) keeps its bytes */
    LitertBytes custom;
} LitertQuant;

typedef struct LitertDimMetadata {
    int8_t format; /* 0 dense, 1 sparse CSR */
    int32_t dense_size;
    LitertInts array_segments, array_indices; /* widened from the union's 8, 16 or 32 bits */
    uint8_t segments_type, indices_type;      /* tags: 1 int32, 2 uint16, 3 uint8 */
} LitertDimMetadata;
typedef struct LitertSparsity {
    LitertInts traversal_order, block_map;
    LitertDimMetadata *dim_metadata;
    uint32_t n_dim_metadata;
} LitertSparsity;

typedef struct LitertTensor {
    const char *name; /* NUL-terminated; embedded NULs end it */
    int32_t type;     /* TensorType */
    LitertInts shape, shape_signature;
    uint32_t buffer;
    LitertQuant *quantization; /* NULL: absent */
    LitertSparsity *sparsity;  /* NULL: dense */
    bool is_variable, has_rank;
    uint32_t external_buffer;
} LitertTensor;

typedef struct LitertOpcode {
    int32_t builtin_code;    /* the effective one, as the schema's rule for old files says */
    const char *custom_code; /* for LITERT_OP_CUSTOM */
    int32_t version;
} LitertOpcode;

typedef struct LitertOp {
    uint32_t opcode_index;
    LitertInts inputs, outputs, intermediates;
    LitertOptions options, options_2;
    LitertBytes custom_options;
    uint8_t *mutating_variable_inputs;
    uint32_t n_mutating_variable_inputs;
} LitertOp;

typedef struct LitertSubgraph {
    const char *name;
    HELIA_VEC(LitertTensor) tensors;
    LitertInts inputs, outputs;
    HELIA_VEC(LitertOp) operators;
} LitertSubgraph;

typedef struct LitertTensorMap {
    const char *name;
    uint32_t tensor_index;
} LitertTensorMap;
typedef struct LitertSignature {
    LitertTensorMap *inputs, *outputs;
    uint32_t n_inputs, n_outputs;
    const char *signature_key;
    uint32_t subgraph_index;
} LitertSignature;

typedef struct LitertMetadata {
    const char *name;
    uint32_t buffer;
} LitertMetadata;

typedef struct LitertModel {
    HeliaArena *arena;
    const char *file; /* as the user named it, for messages */
    uint32_t version;
    const char *description;
    HELIA_VEC(LitertOpcode) operator_codes;
    HELIA_VEC(LitertSubgraph) subgraphs;
    HELIA_VEC(LitertBytes) buffers; /* offset/size buffers already resolved */
    HELIA_VEC(LitertSignature) signature_defs;
    HELIA_VEC(LitertMetadata) metadata;
} LitertModel;

/* Verifies and unpacks; NULL after reporting every problem found. `bytes` must outlive the model. */
LitertModel *litert_read(HeliaArena *arena, HeliaDiag *diag, const char *file, const void *bytes, size_t size);
/* Whether a model says what can be: indices, shapes, the sizes of constants, quantisation. litert_read() has done it;
 * for models that hooks rewrote. Reports every problem. */
bool litert_check(HeliaDiag *diag, const LitertModel *model);
/* The model as a flatbuffer file in the arena; NULL after reporting. Same model, same bytes. */
LitertBytes litert_write(HeliaArena *arena, HeliaDiag *diag, const LitertModel *model);
/* An empty model with buffer 0 (the empty one) in place, for builders. */
LitertModel *litert_model_new(HeliaArena *arena, const char *file);

/* ---- schema facts ----------------------------------------------------------------------------- */
/* "CONV_2D"; NULL: no such operator. */
const char *litert_op_name(int32_t builtin_code);
int32_t litert_op_code(const char *name); /* -1: no such name */
/* "INT8"; NULL: no such type. */
const char *litert_type_name(int32_t type);
/* The option table of a tag: its name ("Conv2DOptions"), and the id of a field by name, -1 if it has none. */
const char *litert_options_name(uint8_t type, bool second_union);
int32_t litert_options_tag(const char *name, bool second_union); /* -1: no such table */
int32_t litert_field_id(uint8_t type, bool second_union, const char *field);
/* Fresh options of that tag with every field at its default. */
LitertOptions litert_options_new(HeliaArena *arena, uint8_t type, bool second_union);

/* A field of an operator's options by its schema name; the default where the table or field is absent.
 * Only for names that the table has: others are a fault of the caller (assert). */
int64_t litert_opt_int(const LitertOp *op, const char *table, const char *field, int64_t otherwise);
double litert_opt_float(const LitertOp *op, const char *table, const char *field, double otherwise);
LitertInts litert_opt_ints(const LitertOp *op, const char *table, const char *field);
/* "" where the string is absent. */
const char *litert_opt_text(const LitertOp *op, const char *table, const char *field);

#ifdef __cplusplus
}
#endif
#endif
