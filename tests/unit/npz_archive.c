/* .npz archives: what is written reads back, is the same bytes each time, and damaged archives end in an error. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zip.h>

#include "support/file.h"
#include "support/npy.h"

static char messages[4096];
static HeliaArena *arena;
static HeliaDiag *diag;
static char folder[] = "/tmp/helia-npz-XXXXXX";
static char path[64];

static void to_messages(void *user, HeliaSeverity severity, const char *text)
{
    (void)user;
    (void)severity;
    if (strlen(messages) + strlen(text) + 2 < sizeof(messages))
        strcat(strcat(messages, text), "\n");
}

static int fresh(void **state)
{
    (void)state;
    arena = helia_arena_new(NULL);
    diag = helia_diag_new(arena, to_messages, NULL, 1);
    messages[0] = 0;
    return 0;
}

static int finish(void **state)
{
    (void)state;
    helia_arena_free(arena);
    return 0;
}

static Npz sample(void)
{
    static const int16_t words[] = {1, -2, 300, -400, 500, 6};
    static const float number = 1.5f;
    Npz npz = {0};
    HELIA_PUSH(
        arena, &npz,
        ((NpzArray){.name = "in0_0", .kind = 'i', .item = 2, .rank = 2, .dim = {2, 3}, .data = words, .size = 12}));
    HELIA_PUSH(arena, &npz, ((NpzArray){.name = "a/b \xc3\xa9", .kind = 'f', .item = 4, .data = &number, .size = 4}));
    HELIA_PUSH(arena, &npz, ((NpzArray){.name = "none", .kind = 'b', .item = 1, .rank = 1, .dim = {0}}));
    return npz;
}

static void round_trip(void **state)
{
    (void)state;
    Npz npz = sample(), back;
    assert_true(npz_write(arena, diag, path, &npz));
    assert_true(npz_read(arena, diag, path, &back));
    assert_string_equal(messages, "");
    assert_int_equal(back.len, npz.len);
    for (uint32_t i = 0; i < npz.len; i++) {
        const NpzArray *a = &npz.at[i], *b = npz_find(&back, a->name);
        assert_non_null(b);
        assert_null(b->fault);
        assert_true(a->kind == b->kind && a->item == b->item && a->rank == b->rank && a->size == b->size);
        assert_memory_equal(a->dim, b->dim, sizeof(a->dim));
        if (a->size)
            assert_memory_equal(a->data, b->data, a->size);
    }
    assert_null(npz_find(&back, "in0_1"));
    assert_string_equal(npz_shape_text(arena, &npz.at[0]), "(2, 3)");
    assert_string_equal(npz_shape_text(arena, &npz.at[1]), "()");
    assert_string_equal(npz_shape_text(arena, &npz.at[2]), "(0,)");
    assert_string_equal(npz_type_text(arena, &npz.at[0]), "<i2");
    assert_string_equal(npz_type_text(arena, &npz.at[2]), "|b1");
}

/* The digest pins the bytes: a member's time, attributes or order would change it. */
static void same_bytes_everywhere(void **state)
{
    (void)state;
    Npz npz = sample();
    FileBytes first, second;
    char digest[65];
    assert_true(npz_write(arena, diag, path, &npz) && file_read(arena, diag, path, &first));
    setenv("TZ", "Asia/Tokyo", 1);
    assert_true(npz_write(arena, diag, path, &npz) && file_read(arena, diag, path, &second));
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.at, second.at, first.size);
    sha256_hex(first.at, first.size, digest);
    assert_string_equal(digest, "7a6715f17fde334dbdbb3740cbe3f81ae3ac0b7d8045772af7d6779dd9940f3c");
}

/* A zip with one deflated member of the given bytes. */
static void write_member(const char *name, const void *bytes, size_t size)
{
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    assert_non_null(zip);
    zip_source_t *source = zip_source_buffer(zip, bytes, size, 0);
    zip_int64_t index = zip_file_add(zip, name, source, 0);
    assert_true(index >= 0);
    zip_set_file_compression(zip, (zip_uint64_t)index, ZIP_CM_DEFLATE, 9);
    assert_int_equal(zip_close(zip), 0);
}

/* An .npy of the given version with a dictionary and data behind it. */
static size_t make_npy(uint8_t *to, int version, const char *dictionary, const void *data, size_t size)
{
    size_t n = strlen(dictionary), at = version == 1 ? 10 : 12;
    memset(to, 0, at);
    memcpy(to, "\x93NUMPY", 6);
    to[6] = (uint8_t)version;
    to[8] = (uint8_t)n;
    to[9] = (uint8_t)(n >> 8);
    memcpy(to + at, dictionary, n);
    memcpy(to + at + n, data, size);
    return at + n + size;
}

static void versions_and_orders(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {1, 2, 3, 4, 5, 6}, c_order[] = {1, 3, 5, 2, 4, 6};
    uint8_t npy[256];
    for (int version = 1; version <= 3; version++) {
        Npz npz;
        write_member("x.npy", npy,
                     make_npy(npy, version, "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }\n", bytes, 6));
        assert_true(npz_read(arena, diag, path, &npz));
        assert_memory_equal(npz_find(&npz, "x")->data, bytes, 6);
        write_member("x.npy", npy,
                     make_npy(npy, version, "{\"shape\": (2L,3L), 'fortran_order':True,'descr':'<u1'}", bytes, 6));
        assert_true(npz_read(arena, diag, path, &npz));
        assert_memory_equal(npz_find(&npz, "x")->data, c_order, 6);
    }
    assert_string_equal(messages, "");
}

static void fortran_order_of_rank_3(void **state)
{
    (void)state;
    NpzArray a = {.kind = 'i', .item = 2, .rank = 3, .dim = {2, 3, 4}, .size = 48};
    uint16_t from[24], to[24];
    for (uint16_t i = 0; i < 2; i++)
        for (uint16_t j = 0; j < 3; j++)
            for (uint16_t k = 0; k < 4; k++)
                from[i + 2 * (j + 3 * k)] = (uint16_t)(k + 4 * (j + 3 * i));
    npy_to_c_order(&a, (const uint8_t *)from, (uint8_t *)to);
    for (uint16_t i = 0; i < 24; i++)
        assert_int_equal(to[i], i);
}

static void bad_members(void **state)
{
    (void)state;
    static const struct {
        const char *dictionary, *what;
    } cases[] = {
        {"{'descr': '>i2', 'fortran_order': False, 'shape': (3,), }", "big-endian"},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (3,), }", "no plain number"},
        {"{'descr': '<c8', 'fortran_order': False, 'shape': (3,), }", "none of b1"},
        {"{'descr': [('a', '<i2')], 'fortran_order': False, 'shape': (3,), }", "no plain number"},
        {"{'descr': '<i2', 'fortran_order': False, 'shape': (4,), }", "number of its bytes"},
        {"{'descr': '<i2', 'fortran_order': False, 'shape': (2147483647, 2147483647, 2147483647,), }", "too large"},
        {"{'descr': '<i2', 'fortran_order': False, 'shape': (-3,), }", "shape is malformed"},
        {"{'descr': '<i2', 'fortran_order': False, 'shape': (3, }", "shape is malformed"},
        {"{'descr': '<i2', 'fortran_order': Maybe, 'shape': (3,), }", "header is malformed"},
        {"{'descr': '<i2', 'fortran_order': False}", "lacks"},
        {"{'descr': '<i2', 'descr': '<i2'}", "repeated entry"},
        {"{'descr': '<i2'", "malformed"},
        {"", "no dictionary"},
    };
    static const uint8_t data[6] = {0};
    uint8_t npy[256];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        Npz npz;
        write_member("x.npy", npy, make_npy(npy, 1, cases[i].dictionary, data, 6));
        assert_true(npz_read(arena, diag, path, &npz));
        const char *fault = npz_find(&npz, "x")->fault;
        if (!fault || !strstr(fault, cases[i].what))
            fail_msg("case %zu: %s", i, fault ? fault : "accepted");
    }
    Npz npz;
    write_member("x.npy", "text", 4);
    assert_true(npz_read(arena, diag, path, &npz));
    assert_string_equal(npz_find(&npz, "x")->fault, "it is no .npy array");
}

/* Every cut and every changed byte of an archive ends in arrays or in an error, never in a crash. */
static void damaged_archives(void **state)
{
    (void)state;
    Npz npz = sample(), back;
    FileBytes file;
    assert_true(npz_write(arena, diag, path, &npz) && file_read(arena, diag, path, &file));
    for (size_t n = 0; n < file.size; n += 3) {
        messages[0] = 0;
        assert_true(file_write(diag, path, file.at, n));
        assert_false(npz_read(arena, diag, path, &back));
        assert_true(messages[0] != 0);
    }
    uint8_t *copy = helia_memdup(arena, file.at, file.size);
    for (size_t i = 0; i < file.size; i++) {
        copy[i] ^= 0x5a;
        messages[0] = 0;
        assert_true(file_write(diag, path, copy, file.size));
        if (!npz_read(arena, diag, path, &back))
            assert_true(messages[0] != 0);
        copy[i] ^= 0x5a;
    }
    messages[0] = 0;
    assert_false(npz_read(arena, diag, "/nonexistent/x.npz", &back));
    assert_int_equal(helia_diag_exit_status(diag), 2);
    assert_false(npz_write(arena, diag, "/nonexistent/x.npz", &npz));
}

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    strcat(strcpy(path, folder), "/x.npz");
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fresh, finish)
    const struct CMUnitTest tests[] = {
        TEST(round_trip),  TEST(same_bytes_everywhere), TEST(versions_and_orders), TEST(fortran_order_of_rank_3),
        TEST(bad_members), TEST(damaged_archives),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
