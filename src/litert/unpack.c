/* A verified flatbuffer as a LitertModel. Nothing fails here: counts fit the file, so memory is proportional to it. */
#include "litert/litert_int.h"

typedef struct Unpack {
    HeliaArena *arena;
    const uint8_t *file;
} Unpack;

static const char *text(const Unpack *u, FbTable t, unsigned id)
{
    FbVector v = fb_vector(t, id);
    return v.at ? helia_strndup(u->arena, (const char *)v.at, v.len) : NULL;
}

static LitertBytes borrowed(FbTable t, unsigned id)
{
    FbVector v = fb_vector(t, id);
    return (LitertBytes){v.len ? v.at : NULL, v.len};
}

/* Element i of a vector of integers; those of uint32 beyond int32 wrap. */
static int32_t integer(FbVector v, SchemaKind kind, uint32_t i)
{
    switch (kind) {
    case KIND_BYTES:
    case KIND_BOOLS:
        return v.at[i];
    case KIND_U16S:
        return fb_u16(v.at + 2 * (size_t)i);
    default:
        return fb_i32(v.at + 4 * (size_t)i);
    }
}

static LitertInts ints(const Unpack *u, FbTable t, unsigned id)
{
    FbVector v = fb_vector(t, id);
    if (!v.len)
        return (LitertInts){NULL, 0};
    LitertInts out = {HELIA_NEW_N(u->arena, int32_t, v.len), v.len};
    for (uint32_t i = 0; i < v.len; i++)
        out.at[i] = integer(v, t.schema->fields[id].kind, i);
    return out;
}

static float *floats(const Unpack *u, FbTable t, unsigned id, uint32_t *n)
{
    FbVector v = fb_vector(t, id);
    *n = v.len;
    float *out = v.len ? HELIA_NEW_N(u->arena, float, v.len) : NULL;
    for (uint32_t i = 0; i < v.len; i++)
        out[i] = fb_f32(v.at + 4 * (size_t)i);
    return out;
}

/* As integers where all of them fit into 32 bits, else as they are in the file. */
static void unpack_int64s(const Unpack *u, FbVector v, LitertField *out)
{
    for (uint32_t i = 0; i < v.len; i++) {
        int64_t value = fb_i64(v.at + 8 * (size_t)i);
        if (value < INT32_MIN || value > INT32_MAX) {
            out->bytes = (LitertBytes){v.at, 8 * (size_t)v.len};
            return;
        }
    }
    if (!v.len)
        return;
    out->ints = (LitertInts){HELIA_NEW_N(u->arena, int32_t, v.len), v.len};
    for (uint32_t i = 0; i < v.len; i++)
        out->ints.at[i] = (int32_t)fb_i64(v.at + 8 * (size_t)i);
}

static LitertField unpack_field(const Unpack *u, FbTable t, unsigned id)
{
    LitertField out = {0};
    SchemaKind kind = t.schema->fields[id].kind;
    FbVector v;
    switch (kind) {
    case KIND_F32:
        out.f = fb_float(t, id);
        break;
    case KIND_TEXT:
        out.text = text(u, t, id);
        break;
    case KIND_BYTES:
        out.bytes = borrowed(t, id);
        break;
    case KIND_I64S:
        unpack_int64s(u, fb_vector(t, id), &out);
        break;
    case KIND_F32S:
        v = fb_vector(t, id);
        out.bytes = (LitertBytes){v.len ? v.at : NULL, 4 * (size_t)v.len};
        break;
    default:
        if (schema_form(kind) == FORM_VECTOR)
            out.ints = ints(u, t, id);
        else
            out.i = fb_int(t, id);
    }
    return out;
}

static LitertOptions unpack_options(const Unpack *u, FbTable op, unsigned id)
{
    uint8_t tag = (uint8_t)fb_int(op, id - 1);
    FbTable t = fb_union(op, id);
    LitertOptions options = litert_options_new(u->arena, tag, id == Operator_builtin_options_2);
    for (unsigned i = 0; t.file && i < options.n_fields; i++)
        options.fields[i] = unpack_field(u, t, i);
    return options;
}

static LitertQuant *unpack_quant(const Unpack *u, FbTable t)
{
    if (!t.file)
        return NULL;
    LitertQuant *q = HELIA_NEW(u->arena, LitertQuant);
    q->scale = floats(u, t, QuantizationParameters_scale, &q->n_scale);
    q->min = floats(u, t, QuantizationParameters_min, &q->n_min);
    q->max = floats(u, t, QuantizationParameters_max, &q->n_max);
    FbVector zero = fb_vector(t, QuantizationParameters_zero_point);
    q->n_zero_point = zero.len;
    q->zero_point = zero.len ? HELIA_NEW_N(u->arena, int64_t, zero.len) : NULL;
    for (uint32_t i = 0; i < zero.len; i++)
        q->zero_point[i] = fb_i64(zero.at + 8 * (size_t)i);
    q->quantized_dimension = (int32_t)fb_int(t, QuantizationParameters_quantized_dimension);
    q->details_type = (uint8_t)fb_int(t, QuantizationParameters_details_type);
    if (q->details_type == DETAILS_CUSTOM)
        q->custom = borrowed(fb_union(t, QuantizationParameters_details), CustomQuantization_custom);
    return q;
}

/* All members of SparseIndexVector have their values at the same id. */
static LitertInts unpack_indices(const Unpack *u, FbTable dim, unsigned id)
{
    FbTable t = fb_union(dim, id);
    return t.file ? ints(u, t, Int32Vector_values) : (LitertInts){NULL, 0};
}

static LitertSparsity *unpack_sparsity(const Unpack *u, FbTable t)
{
    if (!t.file)
        return NULL;
    LitertSparsity *s = HELIA_NEW(u->arena, LitertSparsity);
    s->traversal_order = ints(u, t, SparsityParameters_traversal_order);
    s->block_map = ints(u, t, SparsityParameters_block_map);
    FbVector dims = fb_vector(t, SparsityParameters_dim_metadata);
    s->n_dim_metadata = dims.len;
    s->dim_metadata = HELIA_NEW_N(u->arena, LitertDimMetadata, dims.len);
    for (uint32_t i = 0; i < dims.len; i++) {
        FbTable dim = fb_element(t, SparsityParameters_dim_metadata, dims, i);
        s->dim_metadata[i] = (LitertDimMetadata){
            .format = (int8_t)fb_int(dim, DimensionMetadata_format),
            .dense_size = (int32_t)fb_int(dim, DimensionMetadata_dense_size),
            .array_segments = unpack_indices(u, dim, DimensionMetadata_array_segments),
            .array_indices = unpack_indices(u, dim, DimensionMetadata_array_indices),
            .segments_type = (uint8_t)fb_int(dim, DimensionMetadata_array_segments_type),
            .indices_type = (uint8_t)fb_int(dim, DimensionMetadata_array_indices_type),
        };
    }
    return s;
}

static LitertTensor unpack_tensor(const Unpack *u, FbTable t)
{
    return (LitertTensor){
        .name = text(u, t, Tensor_name),
        .type = (int32_t)fb_int(t, Tensor_type),
        .shape = ints(u, t, Tensor_shape),
        .shape_signature = ints(u, t, Tensor_shape_signature),
        .buffer = (uint32_t)fb_int(t, Tensor_buffer),
        .quantization = unpack_quant(u, fb_child(t, Tensor_quantization)),
        .sparsity = unpack_sparsity(u, fb_child(t, Tensor_sparsity)),
        .is_variable = fb_int(t, Tensor_is_variable) != 0,
        .has_rank = fb_int(t, Tensor_has_rank) != 0,
        .external_buffer = (uint32_t)fb_int(t, Tensor_external_buffer),
    };
}

/* `inside`, unless the table says that its bytes are elsewhere in the file. */
static LitertBytes bytes_of(const Unpack *u, FbTable t, unsigned inside, unsigned offset_id, unsigned size_id)
{
    uint64_t offset = (uint64_t)fb_int(t, offset_id), size = (uint64_t)fb_int(t, size_id);
    if (offset <= 1)
        return borrowed(t, inside);
    return (LitertBytes){size ? u->file + offset : NULL, (size_t)size};
}

static LitertOp unpack_op(const Unpack *u, FbTable t)
{
    LitertOp op = {
        .opcode_index = (uint32_t)fb_int(t, Operator_opcode_index),
        .inputs = ints(u, t, Operator_inputs),
        .outputs = ints(u, t, Operator_outputs),
        .intermediates = ints(u, t, Operator_intermediates),
        .options = unpack_options(u, t, Operator_builtin_options),
        .options_2 = unpack_options(u, t, Operator_builtin_options_2),
        .custom_options = bytes_of(u, t, Operator_custom_options, Operator_large_custom_options_offset,
                                   Operator_large_custom_options_size),
    };
    FbVector mutating = fb_vector(t, Operator_mutating_variable_inputs);
    op.n_mutating_variable_inputs = mutating.len;
    op.mutating_variable_inputs = mutating.len ? helia_memdup(u->arena, mutating.at, mutating.len) : NULL;
    return op;
}

/* Makes room in one of the model's growable arrays for the elements of a vector of tables. */
#define MAKE_ROOM(u, vec, n)                                                                                           \
    ((vec)->at = helia_alloc((u)->arena, (n), sizeof(*(vec)->at)), (vec)->len = (vec)->cap = (n))

static LitertSubgraph unpack_subgraph(const Unpack *u, FbTable t)
{
    LitertSubgraph s = {
        .name = text(u, t, SubGraph_name),
        .inputs = ints(u, t, SubGraph_inputs),
        .outputs = ints(u, t, SubGraph_outputs),
    };
    FbVector tensors = fb_vector(t, SubGraph_tensors), operators = fb_vector(t, SubGraph_operators);
    MAKE_ROOM(u, &s.tensors, tensors.len);
    for (uint32_t i = 0; i < tensors.len; i++)
        s.tensors.at[i] = unpack_tensor(u, fb_element(t, SubGraph_tensors, tensors, i));
    MAKE_ROOM(u, &s.operators, operators.len);
    for (uint32_t i = 0; i < operators.len; i++)
        s.operators.at[i] = unpack_op(u, fb_element(t, SubGraph_operators, operators, i));
    return s;
}

/* Writers before code 127 filled only the 8-bit field; later ones fill both, the old one with at most 127. */
static LitertOpcode unpack_opcode(const Unpack *u, FbTable t)
{
    int32_t code = (int32_t)fb_int(t, OperatorCode_builtin_code);
    int32_t deprecated = (int32_t)fb_int(t, OperatorCode_deprecated_builtin_code);
    return (LitertOpcode){
        .builtin_code = code > deprecated ? code : deprecated,
        .custom_code = text(u, t, OperatorCode_custom_code),
        .version = (int32_t)fb_int(t, OperatorCode_version),
    };
}

static LitertTensorMap *unpack_maps(const Unpack *u, FbTable signature, unsigned id, uint32_t *n)
{
    FbVector maps = fb_vector(signature, id);
    LitertTensorMap *out = HELIA_NEW_N(u->arena, LitertTensorMap, maps.len);
    for (uint32_t i = 0; i < maps.len; i++) {
        FbTable t = fb_element(signature, id, maps, i);
        out[i] = (LitertTensorMap){text(u, t, TensorMap_name), (uint32_t)fb_int(t, TensorMap_tensor_index)};
    }
    *n = maps.len;
    return out;
}

static LitertSignature unpack_signature(const Unpack *u, FbTable t)
{
    LitertSignature s = {
        .signature_key = text(u, t, SignatureDef_signature_key),
        .subgraph_index = (uint32_t)fb_int(t, SignatureDef_subgraph_index),
    };
    s.inputs = unpack_maps(u, t, SignatureDef_inputs, &s.n_inputs);
    s.outputs = unpack_maps(u, t, SignatureDef_outputs, &s.n_outputs);
    return s;
}

static LitertMetadata unpack_metadata(const Unpack *u, FbTable t)
{
    return (LitertMetadata){text(u, t, Metadata_name), (uint32_t)fb_int(t, Metadata_buffer)};
}

LitertModel *unpack_model(HeliaArena *arena, const char *file, FbTable root)
{
    Unpack unpack = {arena, root.file};
    const Unpack *u = &unpack;
    LitertModel *m = HELIA_NEW(arena, LitertModel);
    m->arena = arena;
    m->file = file;
    m->version = (uint32_t)fb_int(root, Model_version);
    m->description = text(u, root, Model_description);
    FbVector codes = fb_vector(root, Model_operator_codes);
    MAKE_ROOM(u, &m->operator_codes, codes.len);
    for (uint32_t i = 0; i < codes.len; i++)
        m->operator_codes.at[i] = unpack_opcode(u, fb_element(root, Model_operator_codes, codes, i));
    FbVector buffers = fb_vector(root, Model_buffers);
    MAKE_ROOM(u, &m->buffers, buffers.len);
    for (uint32_t i = 0; i < buffers.len; i++)
        m->buffers.at[i] = bytes_of(u, fb_element(root, Model_buffers, buffers, i), Buffer_data, Buffer_offset,
                                    Buffer_size);
    FbVector subgraphs = fb_vector(root, Model_subgraphs);
    MAKE_ROOM(u, &m->subgraphs, subgraphs.len);
    for (uint32_t i = 0; i < subgraphs.len; i++)
        m->subgraphs.at[i] = unpack_subgraph(u, fb_element(root, Model_subgraphs, subgraphs, i));
    FbVector signatures = fb_vector(root, Model_signature_defs);
    MAKE_ROOM(u, &m->signature_defs, signatures.len);
    for (uint32_t i = 0; i < signatures.len; i++)
        m->signature_defs.at[i] = unpack_signature(u, fb_element(root, Model_signature_defs, signatures, i));
    FbVector metadata = fb_vector(root, Model_metadata);
    MAKE_ROOM(u, &m->metadata, metadata.len);
    for (uint32_t i = 0; i < metadata.len; i++)
        m->metadata.at[i] = unpack_metadata(u, fb_element(root, Model_metadata, metadata, i));
    return m;
}
