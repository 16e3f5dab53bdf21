/* Whether two LiteRT models say the same, field by field; what the unit tests and the fuzz target share. */
#ifndef TESTS_LITERT_EQUAL_H
#define TESTS_LITERT_EQUAL_H

#include <helia_aot/litert.h>
#include <string.h>

static bool same_memory(const void *a, size_t na, const void *b, size_t nb)
{
    return na == nb && (na == 0 || memcmp(a, b, na) == 0);
}

static bool same_bytes(LitertBytes a, LitertBytes b)
{
    return same_memory(a.at, a.len, b.at, b.len);
}

static bool same_ints(LitertInts a, LitertInts b)
{
    return same_memory(a.at, a.len * sizeof(int32_t), b.at, b.len * sizeof(int32_t));
}

static bool same_floats(const float *a, uint32_t na, const float *b, uint32_t nb)
{
    return same_memory(a, na * sizeof(float), b, nb * sizeof(float)); /* by their bits, for NaN's sake */
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_options(const LitertOptions *a, const LitertOptions *b)
{
    if (a->type != b->type || a->n_fields != b->n_fields)
        return false;
    for (uint32_t i = 0; i < a->n_fields; i++) {
        const LitertField *x = &a->fields[i], *y = &b->fields[i];
        if (x->i != y->i || memcmp(&x->f, &y->f, sizeof(x->f)) != 0 || !same_ints(x->ints, y->ints) ||
            !same_text(x->text, y->text) || !same_bytes(x->bytes, y->bytes))
            return false;
    }
    return true;
}

static bool same_quant(const LitertQuant *a, const LitertQuant *b)
{
    if (!a || !b)
        return a == b;
    return same_floats(a->scale, a->n_scale, b->scale, b->n_scale) &&
           same_memory(a->zero_point, a->n_zero_point * sizeof(int64_t), b->zero_point,
                       b->n_zero_point * sizeof(int64_t)) &&
           same_floats(a->min, a->n_min, b->min, b->n_min) && same_floats(a->max, a->n_max, b->max, b->n_max) &&
           a->quantized_dimension == b->quantized_dimension && a->details_type == b->details_type &&
           same_bytes(a->custom, b->custom);
}

static bool same_sparsity(const LitertSparsity *a, const LitertSparsity *b)
{
    if (!a || !b)
        return a == b;
    if (!same_ints(a->traversal_order, b->traversal_order) || !same_ints(a->block_map, b->block_map) ||
        a->n_dim_metadata != b->n_dim_metadata)
        return false;
    for (uint32_t i = 0; i < a->n_dim_metadata; i++) {
        const LitertDimMetadata *x = &a->dim_metadata[i], *y = &b->dim_metadata[i];
        if (x->format != y->format || x->dense_size != y->dense_size || x->segments_type != y->segments_type ||
            x->indices_type != y->indices_type || !same_ints(x->array_segments, y->array_segments) ||
            !same_ints(x->array_indices, y->array_indices))
            return false;
    }
    return true;
}

static bool same_tensor(const LitertTensor *a, const LitertTensor *b)
{
    return same_text(a->name, b->name) && a->type == b->type && same_ints(a->shape, b->shape) &&
           same_ints(a->shape_signature, b->shape_signature) && a->buffer == b->buffer &&
           same_quant(a->quantization, b->quantization) && same_sparsity(a->sparsity, b->sparsity) &&
           a->is_variable == b->is_variable && a->has_rank == b->has_rank && a->external_buffer == b->external_buffer;
}

static bool same_op(const LitertOp *a, const LitertOp *b)
{
    return a->opcode_index == b->opcode_index && same_ints(a->inputs, b->inputs) && same_ints(a->outputs, b->outputs) &&
           same_ints(a->intermediates, b->intermediates) && same_options(&a->options, &b->options) &&
           same_options(&a->options_2, &b->options_2) && same_bytes(a->custom_options, b->custom_options) &&
           same_memory(a->mutating_variable_inputs, a->n_mutating_variable_inputs, b->mutating_variable_inputs,
                       b->n_mutating_variable_inputs);
}

static bool same_subgraph(const LitertSubgraph *a, const LitertSubgraph *b)
{
    if (!same_text(a->name, b->name) || !same_ints(a->inputs, b->inputs) || !same_ints(a->outputs, b->outputs) ||
        a->tensors.len != b->tensors.len || a->operators.len != b->operators.len)
        return false;
    for (uint32_t i = 0; i < a->tensors.len; i++)
        if (!same_tensor(&a->tensors.at[i], &b->tensors.at[i]))
            return false;
    for (uint32_t i = 0; i < a->operators.len; i++)
        if (!same_op(&a->operators.at[i], &b->operators.at[i]))
            return false;
    return true;
}

static bool same_maps(const LitertTensorMap *a, uint32_t na, const LitertTensorMap *b, uint32_t nb)
{
    if (na != nb)
        return false;
    for (uint32_t i = 0; i < na; i++)
        if (!same_text(a[i].name, b[i].name) || a[i].tensor_index != b[i].tensor_index)
            return false;
    return true;
}

static bool same_signature(const LitertSignature *a, const LitertSignature *b)
{
    return same_text(a->signature_key, b->signature_key) && a->subgraph_index == b->subgraph_index &&
           same_maps(a->inputs, a->n_inputs, b->inputs, b->n_inputs) &&
           same_maps(a->outputs, a->n_outputs, b->outputs, b->n_outputs);
}

static bool litert_equal(const LitertModel *a, const LitertModel *b)
{
    if (a->version != b->version || !same_text(a->description, b->description) ||
        a->operator_codes.len != b->operator_codes.len || a->subgraphs.len != b->subgraphs.len ||
        a->buffers.len != b->buffers.len || a->signature_defs.len != b->signature_defs.len ||
        a->metadata.len != b->metadata.len)
        return false;
    for (uint32_t i = 0; i < a->operator_codes.len; i++) {
        const LitertOpcode *x = &a->operator_codes.at[i], *y = &b->operator_codes.at[i];
        if (x->builtin_code != y->builtin_code || x->version != y->version ||
            !same_text(x->custom_code, y->custom_code))
            return false;
    }
    for (uint32_t i = 0; i < a->subgraphs.len; i++)
        if (!same_subgraph(&a->subgraphs.at[i], &b->subgraphs.at[i]))
            return false;
    for (uint32_t i = 0; i < a->buffers.len; i++)
        if (!same_bytes(a->buffers.at[i], b->buffers.at[i]))
            return false;
    for (uint32_t i = 0; i < a->signature_defs.len; i++)
        if (!same_signature(&a->signature_defs.at[i], &b->signature_defs.at[i]))
            return false;
    for (uint32_t i = 0; i < a->metadata.len; i++)
        if (a->metadata.at[i].buffer != b->metadata.at[i].buffer ||
            !same_text(a->metadata.at[i].name, b->metadata.at[i].name))
            return false;
    return true;
}

#endif
