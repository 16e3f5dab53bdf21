/* A LitertModel as a file, written as the schema's current writers do: constants inside the flatbuffer, both fields of
 * the operator code, defaults left out. The order is fixed and the buffers come last. */
#include "litert/fb_writer.h"
#include "litert/litert_int.h"

#include <inttypes.h>
#include <string.h>

static FbDraft draft(TableId id)
{
    return fbw_draft(schema_table(id));
}

static uint64_t write_opcode(FbWriter *w, const LitertOpcode *code)
{
    enum { IN_NEW_FIELD_ONLY = 127 };
    FbDraft d = draft(TABLE_OperatorCode);
    fbw_int(&d, OperatorCode_deprecated_builtin_code,
            code->builtin_code < IN_NEW_FIELD_ONLY ? code->builtin_code : IN_NEW_FIELD_ONLY);
    fbw_text(&d, OperatorCode_custom_code, code->custom_code);
    fbw_int(&d, OperatorCode_version, code->version);
    fbw_int(&d, OperatorCode_builtin_code, code->builtin_code);
    return fbw_place(w, &d);
}

static void report(FbWriter *w, const char *what, int32_t found)
{
    HeliaLoc at = helia_at_file(w->file);
    if (!w->bytes)
        helia_error(w->diag, at, "%s is %d, which this compiler cannot write", what, found);
    w->ok = false;
}

static uint64_t write_quant(FbWriter *w, const LitertQuant *q)
{
    FbDraft d = draft(TABLE_QuantizationParameters);
    bool custom = q->details_type == DETAILS_CUSTOM;
    if (q->details_type > DETAILS_CUSTOM)
        report(w, "quantization.details_type", q->details_type);
    fbw_floats(w, &d, QuantizationParameters_min, q->min, q->n_min);
    fbw_floats(w, &d, QuantizationParameters_max, q->max, q->n_max);
    fbw_floats(w, &d, QuantizationParameters_scale, q->scale, q->n_scale);
    fbw_int64s(w, &d, QuantizationParameters_zero_point, q->zero_point, q->n_zero_point);
    fbw_int(&d, QuantizationParameters_quantized_dimension, q->quantized_dimension);
    if (custom) {
        fbw_int(&d, QuantizationParameters_details_type, DETAILS_CUSTOM);
        fbw_keep(&d, QuantizationParameters_details);
    }
    uint64_t at = fbw_place(w, &d);
    if (custom) {
        FbDraft details = draft(TABLE_CustomQuantization);
        fbw_bytes(&details, CustomQuantization_custom, q->custom);
        fbw_child(w, &d, QuantizationParameters_details, fbw_place(w, &details));
    }
    return at;
}

static uint64_t write_indices(FbWriter *w, uint8_t type, LitertInts values)
{
    FbDraft d = fbw_draft(schema_member(UNION_SparseIndexVector, type));
    fbw_ints(&d, Int32Vector_values, values);
    return fbw_place(w, &d);
}

static uint64_t write_dim_metadata(FbWriter *w, const LitertDimMetadata *dim)
{
    FbDraft d = draft(TABLE_DimensionMetadata);
    bool segments = schema_member(UNION_SparseIndexVector, dim->segments_type) != NULL;
    bool indices = schema_member(UNION_SparseIndexVector, dim->indices_type) != NULL;
    if (dim->segments_type && !segments)
        report(w, "array_segments_type", dim->segments_type);
    if (dim->indices_type && !indices)
        report(w, "array_indices_type", dim->indices_type);
    fbw_int(&d, DimensionMetadata_format, dim->format);
    fbw_int(&d, DimensionMetadata_dense_size, dim->dense_size);
    if (segments) {
        fbw_int(&d, DimensionMetadata_array_segments_type, dim->segments_type);
        fbw_keep(&d, DimensionMetadata_array_segments);
    }
    if (indices) {
        fbw_int(&d, DimensionMetadata_array_indices_type, dim->indices_type);
        fbw_keep(&d, DimensionMetadata_array_indices);
    }
    uint64_t at = fbw_place(w, &d);
    if (segments)
        fbw_child(w, &d, DimensionMetadata_array_segments, write_indices(w, dim->segments_type, dim->array_segments));
    if (indices)
        fbw_child(w, &d, DimensionMetadata_array_indices, write_indices(w, dim->indices_type, dim->array_indices));
    return at;
}

static uint64_t write_sparsity(FbWriter *w, const LitertSparsity *s)
{
    FbDraft d = draft(TABLE_SparsityParameters);
    fbw_ints(&d, SparsityParameters_traversal_order, s->traversal_order);
    fbw_ints(&d, SparsityParameters_block_map, s->block_map);
    fbw_keep(&d, SparsityParameters_dim_metadata);
    uint64_t at = fbw_place(w, &d);
    uint64_t dims = fbw_tables(w, &d, SparsityParameters_dim_metadata, s->n_dim_metadata);
    for (uint32_t i = 0; i < s->n_dim_metadata; i++)
        fbw_element(w, dims, i, write_dim_metadata(w, &s->dim_metadata[i]));
    return at;
}

static uint64_t write_tensor(FbWriter *w, const LitertTensor *t)
{
    FbDraft d = draft(TABLE_Tensor);
    fbw_ints(&d, Tensor_shape, t->shape);
    fbw_keep(&d, Tensor_shape);
    fbw_int(&d, Tensor_type, t->type);
    fbw_int(&d, Tensor_buffer, t->buffer);
    fbw_text(&d, Tensor_name, t->name);
    fbw_int(&d, Tensor_is_variable, t->is_variable);
    fbw_ints(&d, Tensor_shape_signature, t->shape_signature);
    fbw_int(&d, Tensor_has_rank, t->has_rank);
    fbw_int(&d, Tensor_external_buffer, t->external_buffer);
    d.present[Tensor_quantization] = t->quantization != NULL;
    d.present[Tensor_sparsity] = t->sparsity != NULL;
    uint64_t at = fbw_place(w, &d);
    if (t->quantization)
        fbw_child(w, &d, Tensor_quantization, write_quant(w, t->quantization));
    if (t->sparsity)
        fbw_child(w, &d, Tensor_sparsity, write_sparsity(w, t->sparsity));
    return at;
}

/* NULL where there are none; an unknown tag is reported. */
static const SchemaTable *options_table(FbWriter *w, const LitertOptions *options, UnionId id)
{
    const SchemaTable *table = schema_member(id, options->type);
    if (options->type && !table)
        report(w, id == UNION_BuiltinOptions ? "builtin_options_type" : "builtin_options_2_type", options->type);
    return table;
}

static void draft_options(FbDraft *op, unsigned id, const SchemaTable *table, uint8_t tag)
{
    if (table) {
        fbw_int(op, id - 1, tag);
        fbw_keep(op, id);
    }
}

static void write_options(FbWriter *w, const FbDraft *op, unsigned id, const SchemaTable *table,
                          const LitertOptions *options)
{
    if (!table)
        return;
    FbDraft d = fbw_draft(table);
    for (unsigned i = 0; i < table->n_fields; i++)
        fbw_field(&d, i, &options->fields[i]);
    fbw_child(w, op, id, fbw_place(w, &d));
}

static uint64_t write_op(FbWriter *w, const LitertOp *op)
{
    FbDraft d = draft(TABLE_Operator);
    const SchemaTable *options = options_table(w, &op->options, UNION_BuiltinOptions);
    const SchemaTable *options_2 = options_table(w, &op->options_2, UNION_BuiltinOptions2);
    fbw_int(&d, Operator_opcode_index, op->opcode_index);
    fbw_ints(&d, Operator_inputs, op->inputs);
    fbw_keep(&d, Operator_inputs);
    fbw_ints(&d, Operator_outputs, op->outputs);
    fbw_keep(&d, Operator_outputs);
    draft_options(&d, Operator_builtin_options, options, op->options.type);
    fbw_bytes(&d, Operator_custom_options, op->custom_options);
    fbw_bytes(&d, Operator_mutating_variable_inputs,
              (LitertBytes){op->mutating_variable_inputs, op->n_mutating_variable_inputs});
    fbw_ints(&d, Operator_intermediates, op->intermediates);
    draft_options(&d, Operator_builtin_options_2, options_2, op->options_2.type);
    uint64_t at = fbw_place(w, &d);
    write_options(w, &d, Operator_builtin_options, options, &op->options);
    write_options(w, &d, Operator_builtin_options_2, options_2, &op->options_2);
    return at;
}

static uint64_t write_subgraph(FbWriter *w, const LitertSubgraph *s)
{
    FbDraft d = draft(TABLE_SubGraph);
    fbw_ints(&d, SubGraph_inputs, s->inputs);
    fbw_ints(&d, SubGraph_outputs, s->outputs);
    fbw_text(&d, SubGraph_name, s->name);
    fbw_keep(&d, SubGraph_tensors);
    fbw_keep(&d, SubGraph_inputs);
    fbw_keep(&d, SubGraph_outputs);
    fbw_keep(&d, SubGraph_operators);
    uint64_t at = fbw_place(w, &d);
    uint64_t tensors = fbw_tables(w, &d, SubGraph_tensors, s->tensors.len);
    for (uint32_t i = 0; i < s->tensors.len; i++)
        fbw_element(w, tensors, i, write_tensor(w, &s->tensors.at[i]));
    uint64_t operators = fbw_tables(w, &d, SubGraph_operators, s->operators.len);
    for (uint32_t i = 0; i < s->operators.len; i++)
        fbw_element(w, operators, i, write_op(w, &s->operators.at[i]));
    return at;
}

static void write_maps(FbWriter *w, const FbDraft *signature, unsigned id, const LitertTensorMap *maps, uint32_t n)
{
    uint64_t vector = fbw_tables(w, signature, id, n);
    for (uint32_t i = 0; i < n; i++) {
        FbDraft d = draft(TABLE_TensorMap);
        fbw_text(&d, TensorMap_name, maps[i].name);
        fbw_int(&d, TensorMap_tensor_index, maps[i].tensor_index);
        fbw_element(w, vector, i, fbw_place(w, &d));
    }
}

static uint64_t write_signature(FbWriter *w, const LitertSignature *s)
{
    FbDraft d = draft(TABLE_SignatureDef);
    fbw_text(&d, SignatureDef_signature_key, s->signature_key);
    fbw_int(&d, SignatureDef_subgraph_index, s->subgraph_index);
    fbw_keep(&d, SignatureDef_inputs);
    fbw_keep(&d, SignatureDef_outputs);
    uint64_t at = fbw_place(w, &d);
    write_maps(w, &d, SignatureDef_inputs, s->inputs, s->n_inputs);
    write_maps(w, &d, SignatureDef_outputs, s->outputs, s->n_outputs);
    return at;
}

static uint64_t write_metadata(FbWriter *w, const LitertMetadata *m)
{
    FbDraft d = draft(TABLE_Metadata);
    fbw_text(&d, Metadata_name, m->name);
    fbw_int(&d, Metadata_buffer, m->buffer);
    return fbw_place(w, &d);
}

static uint64_t write_buffer(FbWriter *w, LitertBytes bytes)
{
    FbDraft d = draft(TABLE_Buffer);
    fbw_bytes(&d, Buffer_data, bytes);
    return fbw_place(w, &d);
}

static uint64_t write_root(FbWriter *w, const LitertModel *m)
{
    FbDraft d = draft(TABLE_Model);
    fbw_int(&d, Model_version, m->version);
    fbw_text(&d, Model_description, m->description);
    fbw_keep(&d, Model_operator_codes);
    fbw_keep(&d, Model_subgraphs);
    fbw_keep(&d, Model_buffers);
    d.present[Model_metadata] = m->metadata.len > 0;
    d.present[Model_signature_defs] = m->signature_defs.len > 0;
    uint64_t at = fbw_place(w, &d);
    uint64_t vector = fbw_tables(w, &d, Model_operator_codes, m->operator_codes.len);
    for (uint32_t i = 0; i < m->operator_codes.len; i++)
        fbw_element(w, vector, i, write_opcode(w, &m->operator_codes.at[i]));
    vector = fbw_tables(w, &d, Model_subgraphs, m->subgraphs.len);
    for (uint32_t i = 0; i < m->subgraphs.len; i++)
        fbw_element(w, vector, i, write_subgraph(w, &m->subgraphs.at[i]));
    vector = m->metadata.len ? fbw_tables(w, &d, Model_metadata, m->metadata.len) : 0;
    for (uint32_t i = 0; i < m->metadata.len; i++)
        fbw_element(w, vector, i, write_metadata(w, &m->metadata.at[i]));
    vector = m->signature_defs.len ? fbw_tables(w, &d, Model_signature_defs, m->signature_defs.len) : 0;
    for (uint32_t i = 0; i < m->signature_defs.len; i++)
        fbw_element(w, vector, i, write_signature(w, &m->signature_defs.at[i]));
    vector = fbw_tables(w, &d, Model_buffers, m->buffers.len);
    for (uint32_t i = 0; i < m->buffers.len; i++)
        fbw_element(w, vector, i, write_buffer(w, m->buffers.at[i]));
    return at;
}

static void write_file(FbWriter *w, const LitertModel *m)
{
    w->at = FB_HEADER_SIZE;
    uint64_t root = write_root(w, m);
    for (unsigned i = 0; w->bytes && i < FB_IDENTIFIER_AT; i++)
        w->bytes[i] = (uint8_t)(root >> (8 * i));
    if (w->bytes)
        memcpy(w->bytes + FB_IDENTIFIER_AT, FB_IDENTIFIER, 4);
}

LitertBytes litert_write(HeliaArena *arena, HeliaDiag *diag, const LitertModel *model)
{
    FbWriter w = {helia_arena_child(arena), diag, model->file, NULL, 0, true};
    write_file(&w, model);
    if (w.ok && w.at > INT32_MAX) {
        HeliaLoc at = helia_at_file(model->file);
        w.ok = helia_error(diag, at, "the model needs %" PRIu64 " bytes; a flatbuffer can have at most %d", w.at,
                           INT32_MAX);
    }
    LitertBytes file = {NULL, 0};
    if (w.ok) {
        size_t size = (size_t)w.at;
        w.bytes = helia_alloc(arena, size, 1);
        write_file(&w, model);
        file = (LitertBytes){w.bytes, size};
    }
    helia_arena_free(w.scratch);
    return file;
}
