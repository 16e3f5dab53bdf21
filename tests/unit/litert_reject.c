/* Models that are sound flatbuffers and say what cannot be: each is refused, and the message says what and where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "../litert_models.h"

static LitertSubgraph *graph(LitertModel *m)
{
    return &m->subgraphs.at[0];
}

static LitertOp *op(LitertModel *m)
{
    return &graph(m)->operators.at[0];
}

enum { INPUT, WEIGHTS, BIAS, OUTPUT };
static LitertTensor *tensor(LitertModel *m, int index)
{
    return &graph(m)->tensors.at[index];
}

static LitertQuant *quant(LitertModel *m, int index)
{
    return tensor(m, index)->quantization;
}

/* Replaces the options by a table whose field names a subgraph. */
static void call(LitertModel *m, const char *table, const char *field, int64_t subgraph)
{
    op(m)->options = litert_options_new(m->arena, (uint8_t)litert_options_tag(table, false), false);
    op(m)->options.fields[litert_field_id(op(m)->options.type, false, field)].i = subgraph;
}

/* A name, what is done to the convolution model, and parts of the one message. */
#define REJECTED(CASE)                                                                                                 \
    CASE(version, m->version = 2, "conv.tflite: error: version is 2; only schema version 3")                           \
    CASE(no_subgraphs, m->subgraphs.len = m->signature_defs.len = 0, "the model has no subgraphs")                     \
    CASE(opcode_index, op(m)->opcode_index = 1,                                                                        \
         "op 0: error: opcode_index is 1; the model's operator_codes are 0 to 0")                                      \
    CASE(opcode_negative, m->operator_codes.at[0].builtin_code = -5, "operator_codes[0].builtin_code is -5")           \
    CASE(custom_unnamed, m->operator_codes.at[0].builtin_code = 32,                                                    \
         "operator_codes[0] is CUSTOM and has no custom_code")                                                         \
    CASE(op_input, op(m)->inputs.at[1] = 4, "op 0 CONV_2D: error: inputs[1] is 4; the subgraph's tensors are 0 to 3")  \
    CASE(op_input_negative, op(m)->inputs.at[0] = -2, "inputs[0] is -2")                                               \
    CASE(op_output_absent, op(m)->outputs.at[0] = -1, "op 0 CONV_2D: error: outputs[0] is -1")                         \
    CASE(op_intermediate, op(m)->intermediates = INTS(m->arena, 0, 9), "intermediates[1] is 9")                        \
    CASE(graph_input, graph(m)->inputs.at[0] = -1, "conv.tflite: error: inputs[0] is -1")                              \
    CASE(graph_output, graph(m)->outputs.at[0] = 4, "outputs[0] is 4")                                                 \
    CASE(type, tensor(m, OUTPUT)->type = 99, "tensor 3 \"output\": error: type is 99")                                 \
    CASE(type_negative, tensor(m, OUTPUT)->type = -1, "type is -1")                                                    \
    CASE(buffer, tensor(m, OUTPUT)->buffer = 9999, "buffer is 9999; the model has buffers 0 to 3")                     \
    CASE(external_buffer, tensor(m, INPUT)->external_buffer = 1, "external_buffer is 1")                               \
    CASE(dim, tensor(m, OUTPUT)->shape.at[2] = -3, "tensor 3 \"output\": error: shape[2] is -3")                       \
    CASE(dims_32_bits, tensor(m, OUTPUT)->shape = INTS(m->arena, 65536, 65536),                                        \
         "shape [65536, 65536] of INT8 has more")                                                                      \
    CASE(dims_64_bits, tensor(m, OUTPUT)->shape = INTS(m->arena, INT32_MAX, INT32_MAX, INT32_MAX), "has more than")    \
    CASE(constant_short, m->buffers.at[1].len = 71,                                                                    \
         "tensor 1 \"weights\": error: buffer 1 has 71 bytes; shape [4, 3, 3, 2] of INT8 needs 72")                    \
    CASE(constant_long, tensor(m, BIAS)->shape.at[0] = 3, "buffer 2 has 16 bytes; shape [3] of INT32 needs 12")        \
    CASE(constant_of_none, tensor(m, WEIGHTS)->shape.at[0] = 0; quant(m, WEIGHTS)->n_scale = 0, "of INT8 needs 0")     \
    CASE(scale_nan, quant(m, INPUT)->scale[0] = NAN, "quantization.scale[0] is nan")                                   \
    CASE(scale_infinite, quant(m, WEIGHTS)->scale[2] = INFINITY, "quantization.scale[2] is inf")                       \
    CASE(scale_negative, quant(m, OUTPUT)->scale[0] = -1, "quantization.scale[0] is -1")                               \
    CASE(zero_point, quant(m, INPUT)->zero_point[0] = 128,                                                             \
         "quantization.zero_point[0] is 128; for INT8 it must be from -128 to 127")                                    \
    CASE(zero_point_weights, quant(m, WEIGHTS)->zero_point[3] = 256, "quantization.zero_point[3] is 256")              \
    CASE(zero_points, quant(m, INPUT)->n_scale = 1; quant(m, INPUT)->n_zero_point = 2;                                 \
         quant(m, INPUT)->zero_point = HELIA_NEW_N(m->arena, int64_t, 2), "2 zero points for 1 scales")                \
    CASE(axis, quant(m, WEIGHTS)->quantized_dimension = 4,                                                             \
         "quantization.quantized_dimension is 4; shape [4, 3, 3, 2] has dimensions 0 to 3")                            \
    CASE(axis_negative, quant(m, WEIGHTS)->quantized_dimension = -1, "quantization.quantized_dimension is -1")         \
    CASE(axis_size, quant(m, WEIGHTS)->quantized_dimension = 1,                                                        \
         "4 scales; dimension 1 of shape [4, 3, 3, 2] needs 3, or 1 for all")                                          \
    CASE(signature_subgraph, m->signature_defs.at[0].subgraph_index = 1, "signature_defs[0].subgraph_index is 1")      \
    CASE(signature_tensor, m->signature_defs.at[0].outputs[0].tensor_index = 4,                                        \
         "signature_defs[0].outputs[0].tensor_index is 4")                                                             \
    CASE(metadata_buffer, m->metadata.at[0].buffer = 4, "metadata[0].buffer is 4; the model's buffers are 0 to 3")     \
    CASE(callee, call(m, "WhileOptions", "body_subgraph_index", 1),                                                    \
         "body_subgraph_index is 1; the model's subgraphs are 0 to 0")                                                 \
    CASE(callee_negative, call(m, "IfOptions", "else_subgraph_index", -1), "else_subgraph_index is -1")                \
    CASE(callee_itself, call(m, "CallOnceOptions", "init_subgraph_index", 0), "subgraph 0 is part of a circle of calls")

/* What may look odd and is used: no message. */
#define ACCEPTED(CASE)                                                                                                 \
    CASE(input_absent, op(m)->inputs.at[2] = -1, "")                                                                   \
    CASE(zero_points_absent, quant(m, INPUT)->n_zero_point = 0, "")                                                    \
    CASE(zero_points_fewer, quant(m, WEIGHTS)->n_zero_point = 1, "")                                                   \
    CASE(bias_axis, quant(m, BIAS)->quantized_dimension = 3, "")                                                       \
    CASE(bias_scales, quant(m, BIAS)->n_scale = 3, "")                                                                 \
    CASE(bias_scale_nan, quant(m, BIAS)->scale[0] = NAN, "")                                                           \
    CASE(weights_zero_point, quant(m, WEIGHTS)->zero_point[0] = 200, "")                                               \
    CASE(scale_of_float, tensor(m, OUTPUT)->type = TYPE_FLOAT32; quant(m, OUTPUT)->scale[0] = NAN, "")                 \
    CASE(no_elements, tensor(m, OUTPUT)->shape = INTS(m->arena, INT32_MAX, 0, INT32_MAX), "")                          \
    CASE(no_tensor_names, tensor(m, INPUT)->name = NULL; tensor(m, OUTPUT)->name = "", "")                             \
    CASE(unknown_operator, m->operator_codes.at[0].builtin_code = 300, "")

/* Judged both as the object that a hook rewrites and as a file. */
static void judge(void (*change)(LitertModel *), const char *expected)
{
    Messages of_object = {{0}, 0}, of_file = {{0}, 0};
    HeliaArena *arena = helia_arena_new(NULL);
    LitertModel *m = conv_model(arena);
    change(m);
    HeliaDiag *diag = helia_diag_new(arena, keep_message, &of_object, 1);
    assert_int_equal(litert_check(diag, m), !*expected);
    assert_int_equal(of_object.errors, *expected ? 1 : 0);
    if (!strstr(of_object.text, expected))
        fail_msg("expected \"%s\" in: %s", expected, of_object.text);
    LitertBytes file = litert_write(arena, diag, m);
    diag = helia_diag_new(arena, keep_message, &of_file, 1);
    if (file.at) {
        assert_int_equal(litert_read(arena, diag, m->file, file.at, file.len) != NULL, !*expected);
        assert_string_equal(of_file.text, of_object.text);
    }
    helia_arena_free(arena);
}

#define CASE(name, change, expected)                                                                                   \
    static void change_##name(LitertModel *m)                                                                          \
    {                                                                                                                  \
        change;                                                                                                        \
    }                                                                                                                  \
    static void test_##name(void **state)                                                                              \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        judge(change_##name, expected);                                                                                \
    }
REJECTED(CASE)
ACCEPTED(CASE)
#undef CASE

static void test_all_problems_at_once(void **state)
{
    (void)state;
    Messages messages = {{0}, 0};
    HeliaArena *arena = helia_arena_new(NULL);
    LitertModel *m = conv_model(arena);
    m->version = 4;
    op(m)->inputs.at[0] = op(m)->outputs.at[0] = 77;
    tensor(m, INPUT)->shape.at[0] = tensor(m, INPUT)->shape.at[1] = -2;
    m->buffers.len = 0;
    assert_false(litert_check(helia_diag_new(arena, keep_message, &messages, 1), m));
    assert_int_equal(messages.errors, 7); /* one for all buffers and one for the metadata, none for each tensor */
    assert_non_null(strstr(messages.text, "the model has no buffers"));
    helia_arena_free(arena);
}

static void test_number_of_messages_is_limited(void **state)
{
    (void)state;
    Messages messages = {{0}, 0};
    HeliaArena *arena = helia_arena_new(NULL);
    LitertModel *m = conv_model(arena);
    op(m)->inputs = (LitertInts){HELIA_NEW_N(arena, int32_t, 1000), 1000};
    for (int i = 0; i < 1000; i++)
        op(m)->inputs.at[i] = -9;
    assert_false(litert_check(helia_diag_new(arena, keep_message, &messages, 1), m));
    assert_int_equal(messages.errors, 50);
    assert_non_null(strstr(messages.text, "there are 1000 problems; the first 50 are shown"));
    helia_arena_free(arena);
}

static void test_circle_of_calls(void **state)
{
    (void)state;
    Messages messages = {{0}, 0};
    HeliaArena *arena = helia_arena_new(NULL);
    LitertModel *m = everything_model(arena);
    assert_true(litert_check(helia_diag_new(arena, keep_message, &messages, 1), m));
    LitertOp back = {.options = litert_options_new(arena, (uint8_t)litert_options_tag("CallOptions", false), false)};
    back.options.fields[0].i = 2; /* the subgraph that calls this one */
    HELIA_PUSH(arena, &m->subgraphs.at[1].operators, back);
    assert_false(litert_check(helia_diag_new(arena, keep_message, &messages, 1), m));
    assert_non_null(strstr(messages.text, "subgraph 1 is part of a circle of calls"));
    assert_non_null(strstr(messages.text, "subgraph 2 is part of a circle of calls"));
    helia_arena_free(arena);
}

int main(void)
{
#define CASE(name, change, expected) cmocka_unit_test(test_##name),
    const struct CMUnitTest tests[] = {
        REJECTED(CASE) ACCEPTED(CASE) cmocka_unit_test(test_all_problems_at_once),
        cmocka_unit_test(test_number_of_messages_is_limited),
        cmocka_unit_test(test_circle_of_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
