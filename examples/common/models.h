/* What the examples' model builders share: a LiteRT model with one subgraph, made and stored by the library. */
#ifndef EXAMPLES_MODELS_H
#define EXAMPLES_MODELS_H

#include <stdio.h>
#include <string.h>

#include <helia_aot/litert.h>

enum { TYPE_FLOAT32 = 0, TYPE_INT32 = 2, TYPE_INT8 = 9 }; /* TensorType of the schema */

typedef struct Builder {
    HeliaArena *arena;
    HeliaDiag *diag;
    LitertModel *model;
} Builder;

static inline LitertSubgraph *builder_graph(Builder *b)
{
    return &b->model->subgraphs.at[0];
}

static inline Builder builder_new(const char *description)
{
    Builder b = {helia_arena_new(NULL), NULL, NULL};
    b.diag = helia_diag_new(b.arena, NULL, NULL, 0);
    b.model = litert_model_new(b.arena, "made.tflite");
    b.model->description = description;
    HELIA_PUSH(b.arena, &b.model->subgraphs, ((LitertSubgraph){.name = "main"}));
    return b;
}

static inline LitertInts builder_ints(Builder *b, const int32_t *at, uint32_t n)
{
    return (LitertInts){(int32_t *)helia_memdup(b->arena, at, n * sizeof(*at)), n};
}
#define INTS(b, ...)                                                                                                   \
    builder_ints((b), (const int32_t[]){__VA_ARGS__}, sizeof((const int32_t[]){__VA_ARGS__}) / sizeof(int32_t))

/* A tensor without values; returns its index. scale 0: not quantised. */
static inline int32_t builder_tensor(Builder *b, const char *name, int32_t type, LitertInts shape, float scale,
                                     int64_t zero)
{
    LitertTensor t = {.name = name, .type = type, .shape = shape};
    if (scale > 0.0f) {
        t.quantization = HELIA_NEW(b->arena, LitertQuant);
        t.quantization->n_scale = t.quantization->n_zero_point = 1;
        t.quantization->scale = (float *)helia_memdup(b->arena, &scale, sizeof(scale));
        t.quantization->zero_point = (int64_t *)helia_memdup(b->arena, &zero, sizeof(zero));
    }
    HELIA_PUSH(b->arena, &builder_graph(b)->tensors, t);
    return (int32_t)builder_graph(b)->tensors.len - 1;
}

/* Makes the tensor a constant. */
static inline void builder_values(Builder *b, int32_t tensor, const void *bytes, size_t size)
{
    LitertBytes buffer = {(const uint8_t *)helia_memdup(b->arena, bytes, size), size};
    HELIA_PUSH(b->arena, &b->model->buffers, buffer);
    builder_graph(b)->tensors.at[tensor].buffer = b->model->buffers.len - 1;
}

/* An operator by its builtin name ("RELU"), or by its custom code; the other is NULL. */
static inline LitertOp *builder_op(Builder *b, const char *builtin, const char *custom_code, LitertInts inputs,
                                   LitertInts outputs)
{
    LitertOpcode code = {builtin ? litert_op_code(builtin) : LITERT_OP_CUSTOM, custom_code, 1};
    HELIA_PUSH(b->arena, &b->model->operator_codes, code);
    LitertOp op = {.opcode_index = b->model->operator_codes.len - 1, .inputs = inputs, .outputs = outputs};
    HELIA_PUSH(b->arena, &builder_graph(b)->operators, op);
    return &builder_graph(b)->operators.at[builder_graph(b)->operators.len - 1];
}

static inline void builder_interface(Builder *b, LitertInts inputs, LitertInts outputs)
{
    builder_graph(b)->inputs = inputs;
    builder_graph(b)->outputs = outputs;
}

/* The exit status of the program: the file is written and everything freed. */
static inline int builder_finish(Builder *b, const char *path)
{
    LitertBytes file = litert_write(b->arena, b->diag, b->model);
    FILE *f = file.at ? fopen(path, "wb") : NULL;
    size_t written = f ? fwrite(file.at, 1, file.len, f) : 0;
    int closed = f ? fclose(f) : -1;
    int ok = file.at && written == file.len && closed == 0;
    if (!ok)
        fprintf(stderr, "cannot write %s\n", path);
    helia_arena_free(b->arena);
    return ok ? 0 : 1;
}

#endif
