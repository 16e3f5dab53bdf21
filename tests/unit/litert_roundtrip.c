/* Models written and read again, and the forms of files that other writers use. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "litert/fb_writer.h"

#include <stdlib.h>

#include "../litert_equal.h"
#include "../litert_models.h"

typedef struct Fixture {
    HeliaArena *arena;
    HeliaDiag *diag;
    Messages messages;
} Fixture;

static int set_up(void **state)
{
    Fixture *f = calloc(1, sizeof(*f));
    f->arena = helia_arena_new(NULL);
    f->diag = helia_diag_new(f->arena, keep_message, &f->messages, 1);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    helia_arena_free(f->arena);
    free(f);
    return 0;
}

static void check_round_trip(Fixture *f, const LitertModel *model)
{
    LitertBytes file = litert_write(f->arena, f->diag, model);
    assert_string_equal(f->messages.text, "");
    LitertModel *again = litert_read(f->arena, f->diag, model->file, file.at, file.len);
    assert_string_equal(f->messages.text, "");
    assert_non_null(again);
    assert_true(litert_equal(model, again));
    LitertBytes second = litert_write(f->arena, f->diag, again);
    assert_int_equal(second.len, file.len);
    assert_memory_equal(second.at, file.at, file.len);
}

static void test_empty(void **state)
{
    Fixture *f = *state;
    LitertModel *m = litert_model_new(f->arena, "empty.tflite");
    add_subgraph(m, NULL);
    check_round_trip(f, m);
}

static void test_conv(void **state)
{
    Fixture *f = *state;
    check_round_trip(f, conv_model(f->arena));
}

static void test_everything(void **state)
{
    Fixture *f = *state;
    check_round_trip(f, everything_model(f->arena));
}

static void test_constants_are_aligned(void **state)
{
    Fixture *f = *state;
    LitertBytes file = litert_write(f->arena, f->diag, conv_model(f->arena));
    LitertModel *m = litert_read(f->arena, f->diag, "conv.tflite", file.at, file.len);
    for (uint32_t i = 1; i < m->buffers.len; i++)
        assert_int_equal((m->buffers.at[i].at - file.at) % 16, 0);
}

/* Where a field of the written model's first operator code is. */
static uint8_t *opcode_field(LitertBytes file, unsigned id)
{
    FbTable root = fb_root(file.at);
    FbTable code = fb_element(root, Model_operator_codes, fb_vector(root, Model_operator_codes), 0);
    uint64_t at = fb_field(code, id);
    return at ? (uint8_t *)(uintptr_t)(file.at + at) : NULL;
}

static void test_operator_codes_of_old_files(void **state)
{
    Fixture *f = *state;
    LitertBytes file = litert_write(f->arena, f->diag, conv_model(f->arena));
    assert_int_equal(*opcode_field(file, OperatorCode_deprecated_builtin_code), 3);
    *opcode_field(file, OperatorCode_builtin_code) = 0;
    LitertModel *m = litert_read(f->arena, f->diag, "old.tflite", file.at, file.len);
    assert_int_equal(m->operator_codes.at[0].builtin_code, 3);
}

static void test_operator_codes_beyond_the_old_field(void **state)
{
    Fixture *f = *state;
    LitertModel *m = conv_model(f->arena);
    m->operator_codes.at[0].builtin_code = 150;
    LitertBytes file = litert_write(f->arena, f->diag, m);
    assert_int_equal(*opcode_field(file, OperatorCode_deprecated_builtin_code), 127);
    assert_int_equal(litert_read(f->arena, f->diag, "new.tflite", file.at, file.len)->operator_codes.at[0].builtin_code,
                     150);
}

static void test_more_bytes_behind_the_model(void **state)
{
    Fixture *f = *state;
    LitertModel *m = conv_model(f->arena);
    LitertBytes file = litert_write(f->arena, f->diag, m);
    uint8_t *longer = helia_alloc(f->arena, file.len + 33, 1);
    memcpy(longer, file.at, file.len);
    memset(longer + file.len, 0xff, 33);
    LitertModel *again = litert_read(f->arena, f->diag, "zip.tflite", longer, file.len + 33);
    assert_non_null(again);
    assert_true(litert_equal(m, again));
}

/* A file with one buffer outside of the flatbuffer, at that place, and a custom operator with options there. */
static LitertBytes file_with_bytes_behind(Fixture *f, uint64_t offset, uint64_t size, size_t file_size)
{
    FbWriter w = {.scratch = f->arena, .diag = f->diag, .ok = true, .at = FB_HEADER_SIZE};
    w.bytes = helia_alloc(f->arena, file_size, 1);
    FbDraft d = fbw_draft(schema_table(TABLE_Model));
    fbw_int(&d, Model_version, 3);
    fbw_keep(&d, Model_operator_codes);
    fbw_keep(&d, Model_subgraphs);
    fbw_keep(&d, Model_buffers);
    uint64_t root = fbw_place(&w, &d);
    uint64_t vector = fbw_tables(&w, &d, Model_operator_codes, 1);
    FbDraft code = fbw_draft(schema_table(TABLE_OperatorCode));
    fbw_int(&code, OperatorCode_builtin_code, LITERT_OP_CUSTOM);
    fbw_text(&code, OperatorCode_custom_code, "Op");
    fbw_element(&w, vector, 0, fbw_place(&w, &code));
    vector = fbw_tables(&w, &d, Model_subgraphs, 1);
    FbDraft subgraph = fbw_draft(schema_table(TABLE_SubGraph));
    fbw_keep(&subgraph, SubGraph_operators);
    fbw_element(&w, vector, 0, fbw_place(&w, &subgraph));
    vector = fbw_tables(&w, &subgraph, SubGraph_operators, 1);
    FbDraft op = fbw_draft(schema_table(TABLE_Operator));
    fbw_int(&op, Operator_large_custom_options_offset, (int64_t)offset);
    fbw_int(&op, Operator_large_custom_options_size, (int64_t)size);
    fbw_element(&w, vector, 0, fbw_place(&w, &op));
    vector = fbw_tables(&w, &d, Model_buffers, 2);
    FbDraft buffer = fbw_draft(schema_table(TABLE_Buffer));
    fbw_element(&w, vector, 0, fbw_place(&w, &buffer));
    fbw_int(&buffer, Buffer_offset, (int64_t)offset);
    fbw_int(&buffer, Buffer_size, (int64_t)size);
    fbw_element(&w, vector, 1, fbw_place(&w, &buffer));
    memcpy(w.bytes, &(uint8_t[]){(uint8_t)root, 0, 0, 0, 'T', 'F', 'L', '3'}, 8);
    assert_true(w.at <= file_size);
    return (LitertBytes){w.bytes, file_size};
}

static void test_bytes_outside_the_flatbuffer(void **state)
{
    Fixture *f = *state;
    LitertBytes file = file_with_bytes_behind(f, 505, 7, 512);
    LitertModel *m = litert_read(f->arena, f->diag, "outside.tflite", file.at, file.len);
    assert_string_equal(f->messages.text, "");
    assert_int_equal(m->buffers.at[1].len, 7);
    assert_ptr_equal(m->buffers.at[1].at, file.at + 505);
    assert_ptr_equal(m->subgraphs.at[0].operators.at[0].custom_options.at, file.at + 505);
    check_round_trip(f, m); /* then inside */
}

static void test_bytes_outside_the_file(void **state)
{
    Fixture *f = *state;
    const struct {
        uint64_t offset, size;
    } wrong[] = {{505, 8}, {513, 0}, {UINT64_MAX, 1}, {UINT64_MAX, UINT64_MAX}, {2, UINT64_MAX}};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        f->messages = (Messages){{0}, 0};
        LitertBytes file = file_with_bytes_behind(f, wrong[i].offset, wrong[i].size, 512);
        assert_null(litert_read(f->arena, f->diag, "outside.tflite", file.at, file.len));
        assert_int_equal(f->messages.errors, 2);
        assert_non_null(strstr(f->messages.text, "buffers[1]: the bytes stored outside the flatbuffer"));
        assert_non_null(strstr(f->messages.text, "subgraphs[0].operators[0]: the bytes stored outside"));
    }
}

static void expect_not_written(Fixture *f, const LitertModel *m, const char *message)
{
    f->messages = (Messages){{0}, 0};
    assert_null(litert_write(f->arena, f->diag, m).at);
    assert_non_null(strstr(f->messages.text, message));
    assert_int_equal(f->messages.errors, 1);
}

static void test_what_cannot_be_written(void **state)
{
    Fixture *f = *state;
    LitertModel *m = conv_model(f->arena);
    LitertOp *op = &m->subgraphs.at[0].operators.at[0];
    op->options.fields[0].i = 128;
    expect_not_written(f, m, "Conv2DOptions.padding is 128");
    op->options.type = 200;
    expect_not_written(f, m, "builtin_options_type is 200");
    m = everything_model(f->arena);
    m->subgraphs.at[2].tensors.at[2].sparsity->dim_metadata[2].array_segments.at[1] = 256;
    expect_not_written(f, m, "Uint8Vector.values is 256");
    m = everything_model(f->arena);
    m->subgraphs.at[2].tensors.at[2].quantization->details_type = 2;
    expect_not_written(f, m, "quantization.details_type is 2");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_empty),
        TEST(test_conv),
        TEST(test_everything),
        TEST(test_constants_are_aligned),
        TEST(test_operator_codes_of_old_files),
        TEST(test_operator_codes_beyond_the_old_field),
        TEST(test_more_bytes_behind_the_model),
        TEST(test_bytes_outside_the_flatbuffer),
        TEST(test_bytes_outside_the_file),
        TEST(test_what_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
