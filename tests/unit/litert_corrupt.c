/* Damaged files: whatever is cut off or changed, the reader refuses it or reads a model that it can write. Run under
 * sanitizers, this shows that nothing outside of the file is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "litert/fb_writer.h"

#include <dirent.h>
#include <stdlib.h>

#include "../litert_equal.h"
#include "../litert_models.h"

typedef struct Result {
    bool accepted;
    Messages messages;
} Result;

/* Reads an exact copy; what is accepted has to survive being written. */
static Result read_copy(const uint8_t *bytes, size_t size)
{
    Result result = {0};
    uint8_t *copy = malloc(size ? size : 1);
    if (size)
        memcpy(copy, bytes, size);
    HeliaArena *arena = helia_arena_new(NULL);
    HeliaDiag *diag = helia_diag_new(arena, keep_message, &result.messages, 1);
    LitertModel *m = litert_read(arena, diag, "damaged.tflite", copy, size);
    result.accepted = m != NULL;
    assert_int_equal(result.accepted, result.messages.errors == 0);
    if (m) {
        LitertBytes file = litert_write(arena, diag, m);
        LitertModel *again = file.at ? litert_read(arena, diag, m->file, file.at, file.len) : NULL;
        assert_non_null(again);
        assert_true(litert_equal(m, again));
    }
    helia_arena_free(arena);
    free(copy);
    return result;
}

static void expect(const uint8_t *bytes, size_t size, const char *message)
{
    Result result = read_copy(bytes, size);
    assert_false(result.accepted);
    if (!strstr(result.messages.text, message))
        fail_msg("expected \"%s\" in: %s", message, result.messages.text);
}

/* A written model, to be damaged. */
typedef struct Damage {
    HeliaArena *arena;
    uint8_t *bytes;
    size_t size;
} Damage;

static Damage start(LitertModel *(*make)(HeliaArena *))
{
    Damage d = {helia_arena_new(NULL), NULL, 0};
    LitertBytes file = litert_write(d.arena, helia_diag_new(d.arena, NULL, NULL, 0), make(d.arena));
    d.bytes = helia_memdup(d.arena, file.at, file.len);
    d.size = file.len;
    return d;
}

static void set_u32(uint8_t *p, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(value >> (8 * i));
}

static void test_every_truncation(void **state)
{
    (void)state;
    Damage d = start(conv_model);
    assert_true(read_copy(d.bytes, d.size).accepted);
    for (size_t size = 0; size < d.size; size++)
        assert_false(read_copy(d.bytes, size).accepted); /* the last byte belongs to a constant */
    expect(d.bytes, d.size - 1, "the file may be incomplete");
    helia_arena_free(d.arena);
}

static void test_every_word_replaced(void **state)
{
    (void)state;
    Damage d = start(conv_model);
    const uint32_t values[] = {0, 1, 2, 4, 0x7fffffff, 0x80000000, 0xfffffffc, 0xffffffff, (uint32_t)d.size};
    unsigned accepted = 0;
    for (size_t at = 0; at + 4 <= d.size; at += 4) {
        uint32_t kept = fb_u32(d.bytes + at);
        for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
            set_u32(d.bytes + at, values[i]);
            accepted += read_copy(d.bytes, d.size).accepted;
        }
        set_u32(d.bytes + at, kept);
    }
    assert_in_range(accepted, 1, 9 * (d.size / 4) / 2); /* padding, names, constants; most of a file is structure */
    helia_arena_free(d.arena);
}

static void test_every_byte_replaced(void **state)
{
    (void)state;
    Damage d = start(conv_model);
    for (size_t at = 0; at < d.size; at++) {
        uint8_t kept = d.bytes[at];
        for (int i = 0; i < 3; i++) {
            d.bytes[at] = (uint8_t)(i == 0 ? 0xff : i == 1 ? kept + 1 : kept - 1);
            read_copy(d.bytes, d.size);
        }
        d.bytes[at] = kept;
    }
    helia_arena_free(d.arena);
}

/* Each kind of damage on purpose. Positions are found through the reader's own access. */
static void test_reasons_of_the_root(void **state)
{
    (void)state;
    Damage d = start(conv_model);
    expect(d.bytes, 15, "the file is too short to be a model");
    d.bytes[7] = '2';
    expect(d.bytes, d.size, "this is no LiteRT model");
    d.bytes[7] = '3';
    uint32_t root = fb_u32(d.bytes);
    set_u32(d.bytes, root + 2);
    expect(d.bytes, d.size, "the table is not at a multiple of 4 bytes");
    set_u32(d.bytes, (uint32_t)d.size);
    expect(d.bytes, d.size, "the table lies outside the file");
    set_u32(d.bytes, root);
    uint32_t distance = fb_u32(d.bytes + root);
    set_u32(d.bytes + root, root + 4);
    expect(d.bytes, d.size, "the table's vtable lies outside the file");
    set_u32(d.bytes + root, 0u - (uint32_t)d.size);
    expect(d.bytes, d.size, "the table's vtable lies outside the file");
    set_u32(d.bytes + root, distance + 1);
    expect(d.bytes, d.size, "the table's vtable is not at a multiple of 2 bytes");
    set_u32(d.bytes + root, distance);
    uint8_t *vtable = d.bytes + root - distance;
    uint8_t kept = vtable[0];
    vtable[0] = 2;
    expect(d.bytes, d.size, "the vtable's size is not an even number from 4 up (byte 8: found 2");
    vtable[0] = 5;
    expect(d.bytes, d.size, "the vtable's size is not an even number from 4 up");
    vtable[1] = 0xff;
    vtable[0] = 0xfe;
    expect(d.bytes, d.size, "the table's vtable lies outside the file");
    vtable[0] = kept;
    vtable[1] = 0;
    kept = vtable[2];
    vtable[2] = 3;
    expect(d.bytes, d.size, "the table's size is less than 4 bytes or more than the file holds");
    vtable[2] = 8;
    expect(d.bytes, d.size, "subgraphs: the field lies outside its table");
    vtable[2] = kept;
    vtable[4]++;
    expect(d.bytes, d.size, "version: the field is not aligned to its size");
    helia_arena_free(d.arena);
}

static void test_reasons_of_values(void **state)
{
    (void)state;
    Damage d = start(conv_model);
    FbTable root = fb_root(d.bytes);
    FbTable subgraph = fb_element(root, Model_subgraphs, fb_vector(root, Model_subgraphs), 0);
    FbTable tensor = fb_element(subgraph, SubGraph_tensors, fb_vector(subgraph, SubGraph_tensors), 2);
    FbTable op = fb_element(subgraph, SubGraph_operators, fb_vector(subgraph, SubGraph_operators), 0);
    uint8_t *shape = d.bytes + fb_field(tensor, Tensor_shape);
    uint32_t distance = fb_u32(shape);
    set_u32(shape, 0);
    expect(d.bytes, d.size, "subgraphs[0].tensors[2].shape: the offset is 0");
    set_u32(shape, distance + 1);
    expect(d.bytes, d.size, "subgraphs[0].tensors[2].shape: the vector's length is not at a multiple of 4 bytes");
    set_u32(shape, UINT32_MAX - 3);
    expect(d.bytes, d.size, "subgraphs[0].tensors[2].shape: the vector lies outside the file");
    set_u32(shape, distance);
    set_u32(shape + distance, 0x40000001); /* times 4 is 4 in 32 bits */
    expect(d.bytes, d.size, "subgraphs[0].tensors[2].shape: the vector runs past the end of the file");
    set_u32(shape + distance, 1);
    FbVector name = fb_vector(tensor, Tensor_name);
    d.bytes[name.at - d.bytes + name.len] = 'x';
    expect(d.bytes, d.size, "subgraphs[0].tensors[2].name: the text is not followed by a NUL");
    d.bytes[name.at - d.bytes + name.len] = 0;
    d.bytes[fb_field(op, Operator_builtin_options_type)] = 127;
    expect(d.bytes, d.size, "subgraphs[0].operators[0].builtin_options: the schema has no such member of the union");
    helia_arena_free(d.arena);
}

/* n subgraphs, all the same one, with n tensors, all the same one: small as a file, n * n tensors as a model. */
static void test_too_much_sharing(void **state)
{
    (void)state;
    enum { N = 4000, SIZE = 8 * N + 512 };
    HeliaArena *arena = helia_arena_new(NULL);
    FbWriter w = {.scratch = arena, .ok = true, .at = FB_HEADER_SIZE, .bytes = helia_alloc(arena, SIZE, 1)};
    FbDraft d = fbw_draft(schema_table(TABLE_Model));
    fbw_int(&d, Model_version, 3);
    fbw_keep(&d, Model_subgraphs);
    set_u32(w.bytes, (uint32_t)fbw_place(&w, &d));
    memcpy(w.bytes + FB_IDENTIFIER_AT, "TFL3", 4);
    uint64_t subgraphs = fbw_tables(&w, &d, Model_subgraphs, N);
    FbDraft subgraph = fbw_draft(schema_table(TABLE_SubGraph));
    fbw_keep(&subgraph, SubGraph_tensors);
    uint64_t at = fbw_place(&w, &subgraph);
    uint64_t tensors = fbw_tables(&w, &subgraph, SubGraph_tensors, N);
    FbDraft tensor = fbw_draft(schema_table(TABLE_Tensor));
    uint64_t tensor_at = fbw_place(&w, &tensor);
    for (uint32_t i = 0; i < N; i++) {
        fbw_element(&w, subgraphs, i, at);
        fbw_element(&w, tensors, i, tensor_at);
    }
    assert_true(w.at <= SIZE);
    expect(w.bytes, SIZE, "parts of the file are referred to so often");
    assert_int_equal(read_copy(w.bytes, SIZE).messages.errors, 1);
    helia_arena_free(arena);
}

static void test_number_of_messages_is_limited(void **state)
{
    (void)state;
    Damage d = start(everything_model);
    FbTable root = fb_root(d.bytes);
    FbTable subgraph = fb_element(root, Model_subgraphs, fb_vector(root, Model_subgraphs), 2);
    FbVector operators = fb_vector(subgraph, SubGraph_operators);
    memset(d.bytes + (operators.at - d.bytes), 0xff, 4 * (size_t)operators.len);
    Result result = read_copy(d.bytes, d.size);
    assert_int_equal(result.messages.errors, 20);
    assert_non_null(strstr(result.messages.text, "the first 20 are shown"));
    helia_arena_free(d.arena);
}

static unsigned read_folder(const char *folder)
{
    enum { MAX_SIZE = 65536 };
    uint8_t *bytes = malloc(MAX_SIZE);
    unsigned n = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        char path[1024];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        read_copy(bytes, fread(bytes, 1, MAX_SIZE, file));
        fclose(file);
        n++;
    }
    closedir(dir);
    free(bytes);
    return n;
}

/* The inputs that fuzzing starts from, and those that once were a problem or are built to be one. */
static void test_inputs_of_fuzzing(void **state)
{
    (void)state;
    assert_true(read_folder(HELIA_SOURCE_DIR "/tests/fuzz/corpus/fuzz_litert") > 0);
    assert_true(read_folder(HELIA_SOURCE_DIR "/tests/fuzz/crashes/fuzz_litert") > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_truncation),
        cmocka_unit_test(test_every_word_replaced),
        cmocka_unit_test(test_every_byte_replaced),
        cmocka_unit_test(test_reasons_of_the_root),
        cmocka_unit_test(test_reasons_of_values),
        cmocka_unit_test(test_too_much_sharing),
        cmocka_unit_test(test_number_of_messages_is_limited),
        cmocka_unit_test(test_inputs_of_fuzzing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
