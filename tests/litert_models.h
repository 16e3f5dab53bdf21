/* Small LiteRT models made through the library, and a sink that keeps messages; for the tests of src/litert. */
#ifndef TESTS_LITERT_MODELS_H
#define TESTS_LITERT_MODELS_H

#include "litert/schema.h"

#include <stdio.h>
#include <string.h>

typedef struct Messages {
    char text[16384]; /* one message a line */
    unsigned errors;
} Messages;

static inline void keep_message(void *user, HeliaSeverity severity, const char *text)
{
    Messages *m = user;
    size_t used = strlen(m->text);
    snprintf(m->text + used, sizeof(m->text) - used, "%s\n", text);
    m->errors += severity == HELIA_ERROR;
}

#define INTS(arena, ...)                                                                                               \
    make_ints((arena), (const int32_t[]){__VA_ARGS__}, sizeof((const int32_t[]){__VA_ARGS__}) / sizeof(int32_t))

static inline LitertInts make_ints(HeliaArena *arena, const int32_t *at, size_t n)
{
    return (LitertInts){helia_memdup(arena, at, n * sizeof(*at)), (uint32_t)n};
}

static inline LitertQuant *make_quant(HeliaArena *arena, uint32_t n, float scale, int64_t zero, int32_t axis)
{
    LitertQuant *q = HELIA_NEW(arena, LitertQuant);
    q->n_scale = q->n_zero_point = n;
    q->scale = HELIA_NEW_N(arena, float, n);
    q->zero_point = HELIA_NEW_N(arena, int64_t, n);
    for (uint32_t i = 0; i < n; i++) {
        q->scale[i] = scale * (float)(i + 1);
        q->zero_point[i] = zero;
    }
    q->quantized_dimension = axis;
    return q;
}

static inline uint32_t add_buffer(LitertModel *m, size_t size)
{
    uint8_t *bytes = helia_alloc(m->arena, size, 1);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(i * 7 + 1);
    HELIA_PUSH(m->arena, &m->buffers, ((LitertBytes){bytes, size}));
    return m->buffers.len - 1;
}

enum { TYPE_FLOAT32 = 0, TYPE_INT32 = 2, TYPE_BOOL = 6, TYPE_INT8 = 9 };

static inline LitertTensor *add_tensor(LitertModel *m, LitertSubgraph *s, const char *name, int32_t type,
                                       LitertInts shape, uint32_t buffer, LitertQuant *quant)
{
    LitertTensor t = {.name = name, .type = type, .shape = shape, .buffer = buffer, .quantization = quant};
    HELIA_PUSH(m->arena, &s->tensors, t);
    return &s->tensors.at[s->tensors.len - 1];
}

static inline LitertSubgraph *add_subgraph(LitertModel *m, const char *name)
{
    HELIA_PUSH(m->arena, &m->subgraphs, ((LitertSubgraph){.name = name}));
    return &m->subgraphs.at[m->subgraphs.len - 1];
}

/* int8 CONV_2D with weights quantised per channel, a bias, metadata and a signature. */
static inline LitertModel *conv_model(HeliaArena *arena)
{
    LitertModel *m = litert_model_new(arena, "conv.tflite");
    m->description = "one convolution";
    HELIA_PUSH(arena, &m->operator_codes, ((LitertOpcode){.builtin_code = 3, .version = 3}));
    LitertSubgraph *s = add_subgraph(m, "main");
    add_tensor(m, s, "input", TYPE_INT8, INTS(arena, 1, 5, 5, 2), 0, make_quant(arena, 1, 0.5f, -3, 0));
    add_tensor(m, s, "weights", TYPE_INT8, INTS(arena, 4, 3, 3, 2), add_buffer(m, 72),
               make_quant(arena, 4, 0.01f, 0, 0));
    add_tensor(m, s, "bias", TYPE_INT32, INTS(arena, 4), add_buffer(m, 16), make_quant(arena, 4, 0.005f, 0, 0));
    add_tensor(m, s, "output", TYPE_INT8, INTS(arena, 1, 3, 3, 4), 0, make_quant(arena, 1, 0.25f, 7, 0));
    s->tensors.at[0].shape_signature = INTS(arena, -1, 5, 5, 2);
    s->inputs = INTS(arena, 0);
    s->outputs = INTS(arena, 3);
    LitertOp op = {.inputs = INTS(arena, 0, 1, 2), .outputs = INTS(arena, 3)};
    op.options = litert_options_new(arena, (uint8_t)litert_options_tag("Conv2DOptions", false), false);
    op.options.fields[litert_field_id(op.options.type, false, "padding")].i = 1;
    op.options.fields[litert_field_id(op.options.type, false, "stride_w")].i = 1;
    op.options.fields[litert_field_id(op.options.type, false, "stride_h")].i = 1;
    HELIA_PUSH(arena, &s->operators, op);
    HELIA_PUSH(arena, &m->metadata, ((LitertMetadata){"min_runtime_version", add_buffer(m, 16)}));
    LitertSignature signature = {.signature_key = "serving_default", .n_inputs = 1, .n_outputs = 1};
    signature.inputs = HELIA_NEW(arena, LitertTensorMap);
    signature.outputs = HELIA_NEW(arena, LitertTensorMap);
    *signature.inputs = (LitertTensorMap){"x", 0};
    *signature.outputs = (LitertTensorMap){"y", 3};
    HELIA_PUSH(arena, &m->signature_defs, signature);
    return m;
}

/* A value for every field of an option table, none of them the default; indices of subgraphs are 1. */
static inline void fill_options(HeliaArena *arena, LitertOptions *options, UnionId id)
{
    const SchemaTable *table = schema_member(id, options->type);
    for (uint32_t i = 0; i < options->n_fields; i++) {
        LitertField *f = &options->fields[i];
        SchemaKind kind = table->fields[i].kind;
        if (kind == KIND_F32) {
            f->f = -1.5;
        } else if (kind == KIND_TEXT) {
            f->text = "text";
        } else if (kind == KIND_F32S || kind == KIND_BYTES || (kind == KIND_I64S && i % 2)) {
            f->bytes = (LitertBytes){(const uint8_t *)"\1\2\3\4\5\6\7\x70", 8};
        } else if (schema_form(kind) == FORM_VECTOR) {
            f->ints = INTS(arena, 1, 0, 1);
        } else {
            f->i = f->i == 1 ? 0 : 1;
        }
    }
}

static inline LitertSparsity *make_sparsity(HeliaArena *arena)
{
    LitertSparsity *s = HELIA_NEW(arena, LitertSparsity);
    s->traversal_order = INTS(arena, 0, 1);
    s->block_map = INTS(arena, 1);
    s->n_dim_metadata = 3;
    s->dim_metadata = HELIA_NEW_N(arena, LitertDimMetadata, 3);
    s->dim_metadata[0].dense_size = 2;
    s->dim_metadata[1] = (LitertDimMetadata){1, 0, INTS(arena, 0, 1, 300), INTS(arena, 0, 70000), 2, 1};
    s->dim_metadata[2] = (LitertDimMetadata){1, 0, INTS(arena, 0, 255), INTS(arena, 65535), 3, 2};
    return s;
}

/* One operator for each option table of both unions, and the rarer parts of tensors. Not to be run. */
static inline LitertModel *everything_model(HeliaArena *arena)
{
    LitertModel *m = litert_model_new(arena, "everything.tflite");
    HELIA_PUSH(arena, &m->operator_codes, ((LitertOpcode){.builtin_code = 206, .version = 1}));
    HELIA_PUSH(arena, &m->operator_codes, ((LitertOpcode){LITERT_OP_CUSTOM, "MyOp", 2}));
    add_subgraph(m, "callee");
    add_subgraph(m, "another");
    LitertSubgraph *s = add_subgraph(m, NULL);
    add_tensor(m, s, NULL, TYPE_FLOAT32, (LitertInts){0}, 0, NULL)->has_rank = true;
    add_tensor(m, s, "", TYPE_BOOL, INTS(arena, 3, 0), 0, NULL)->is_variable = true;
    LitertTensor *sparse = add_tensor(m, s, "sparse", TYPE_INT8, INTS(arena, 2, 16), add_buffer(m, 5), NULL);
    sparse->sparsity = make_sparsity(arena);
    sparse->quantization = make_quant(arena, 1, -0.0f, 0, 1);
    sparse->quantization->min = sparse->quantization->max = sparse->quantization->scale;
    sparse->quantization->n_min = sparse->quantization->n_max = 1;
    sparse->quantization->details_type = 1;
    sparse->quantization->custom = (LitertBytes){(const uint8_t *)"custom", 6};
    for (int second = 0; second < 2; second++)
        for (int tag = 1; litert_options_name((uint8_t)tag, second); tag++) {
            LitertOp op = {.inputs = INTS(arena, 0, -1), .outputs = INTS(arena, 1)};
            LitertOptions *options = second ? &op.options_2 : &op.options;
            *options = litert_options_new(arena, (uint8_t)tag, second);
            HELIA_PUSH(arena, &s->operators, op); /* with all defaults */
            *options = litert_options_new(arena, (uint8_t)tag, second);
            fill_options(arena, options, second ? UNION_BuiltinOptions2 : UNION_BuiltinOptions);
            HELIA_PUSH(arena, &s->operators, op);
        }
    LitertOp custom = {.opcode_index = 1, .inputs = INTS(arena, 0), .outputs = INTS(arena, 1)};
    custom.custom_options = (LitertBytes){(const uint8_t *)"options", 7};
    custom.intermediates = INTS(arena, 2, -1);
    custom.n_mutating_variable_inputs = 1;
    custom.mutating_variable_inputs = helia_memdup(arena, "\1", 1);
    HELIA_PUSH(arena, &s->operators, custom);
    return m;
}

#endif
