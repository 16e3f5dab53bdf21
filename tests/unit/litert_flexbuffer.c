/* FlexBuffers: values of every kind as the reference writer stores them, typed options, and damaged bytes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include <helia_aot/flexbuffer.h>

static const uint8_t everything[] = {
    0x62, 0x6f, 0x6f, 0x6c, 0x00, 0x66, 0x6c, 0x6f, 0x61, 0x74, 0x00, 0x69, 0x6e, 0x74, 0x00, 0x62, 0x69, 0x67, 0x00,
    0x75, 0x69, 0x6e, 0x74, 0x00, 0x74, 0x65, 0x78, 0x74, 0x00, 0x05, 0x68, 0x65, 0x6c, 0x6c, 0x6f, 0x00, 0x6e, 0x75,
    0x6c, 0x6c, 0x00, 0x62, 0x6c, 0x6f, 0x62, 0x00, 0x03, 0x01, 0x02, 0x03, 0x69, 0x6e, 0x64, 0x00, 0x00, 0x00, 0x70,
    0x11, 0x01, 0x00, 0x69, 0x6e, 0x64, 0x66, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xa0, 0x3f, 0x76, 0x65, 0x63, 0x00,
    0x01, 0x78, 0x00, 0x61, 0x00, 0x01, 0x03, 0x01, 0x01, 0x01, 0x05, 0x04, 0x04, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x20, 0x40, 0x17, 0x00, 0x00, 0x00, 0x12, 0x00, 0x00, 0x00, 0x06, 0x0e, 0x14, 0x24, 0x66, 0x69,
    0x78, 0x65, 0x64, 0x00, 0x07, 0x08, 0x09, 0x62, 0x6f, 0x6f, 0x6c, 0x73, 0x00, 0x02, 0x01, 0x00, 0x66, 0x6c, 0x6f,
    0x61, 0x74, 0x73, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x3f, 0x00, 0x00, 0xc0, 0x3f,
    0x6b, 0x65, 0x79, 0x73, 0x00, 0x6b, 0x31, 0x00, 0x6b, 0x32, 0x00, 0x02, 0x07, 0x05, 0x68, 0x75, 0x67, 0x65, 0x00,
    0x10, 0x9d, 0x84, 0xae, 0x36, 0x40, 0xac, 0x30, 0x0d, 0x82, 0x79, 0xab, 0x1f, 0x94, 0xa1, 0xa7, 0x73, 0x00, 0x00,
    0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0xb1, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x70, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x82, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xe0, 0x3f, 0x78, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xe0, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0xdc, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xd4, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0x8c, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x22, 0x01, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0xc8, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xf4, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x07, 0x64, 0x6b, 0x90, 0x4c, 0x0f, 0x36, 0x0b, 0x1a, 0x22, 0x07, 0x38, 0x03, 0x14, 0x0b, 0x2a, 0x90,
    0x27, 0x01,
};
static const uint8_t options[] = {
    0x6c, 0x6f, 0x6f, 0x70, 0x00, 0x72, 0x61, 0x74, 0x65, 0x00, 0x73, 0x68, 0x69, 0x66, 0x74, 0x00, 0x74, 0x61,
    0x70, 0x73, 0x00, 0x00, 0x03, 0x00, 0x01, 0x00, 0xfe, 0xff, 0x2c, 0x01, 0x77, 0x6f, 0x72, 0x64, 0x00, 0x04,
    0x73, 0x61, 0x6d, 0x65, 0x00, 0x05, 0x2a, 0x26, 0x22, 0x1d, 0x10, 0x00, 0x06, 0x00, 0x00, 0x00, 0x01, 0x00,
    0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x3e, 0xf9, 0xff, 0xff, 0xff,
    0x30, 0x00, 0x00, 0x00, 0x28, 0x00, 0x00, 0x00, 0x06, 0x0e, 0x06, 0x2d, 0x14, 0x19, 0x26, 0x01,
};
static const uint8_t bad_options[] = {
    0x6c, 0x6f, 0x6f, 0x70, 0x00, 0x72, 0x61, 0x74, 0x65, 0x00, 0x04, 0x66, 0x61, 0x73, 0x74, 0x00, 0x73, 0x68, 0x69,
    0x66, 0x74, 0x00, 0x74, 0x61, 0x70, 0x73, 0x00, 0x09, 0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x74,
    0x6f, 0x70, 0x73, 0x00, 0x77, 0x6f, 0x72, 0x64, 0x00, 0x04, 0x66, 0x75, 0x6c, 0x6c, 0x00, 0x06, 0x36, 0x32, 0x28,
    0x23, 0x15, 0x11, 0x00, 0x00, 0x00, 0x00, 0x0a, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x06, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x55, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x54, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x50, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x07, 0x14, 0x07, 0x2c, 0x03, 0x14, 0x36, 0x27, 0x01,
};

static HeliaFlex root_of(const uint8_t *bytes, size_t size)
{
    HeliaFlex root;
    assert_true(helia_flex_root(bytes, size, &root));
    return root;
}

static HeliaFlex value(const char *key)
{
    HeliaFlex root = root_of(everything, sizeof(everything)), v;
    assert_true(helia_flex_find(&root, key, &v));
    return v;
}

static int64_t int_of(HeliaFlex v)
{
    int64_t i;
    assert_true(helia_flex_int(&v, &i));
    return i;
}

static double float_of(HeliaFlex v)
{
    double d;
    assert_true(helia_flex_float(&v, &d));
    return d;
}

static HeliaFlex item(const HeliaFlex *v, size_t i)
{
    HeliaFlex found;
    assert_true(helia_flex_item(v, i, &found));
    return found;
}

static void scalars(void **state)
{
    (void)state;
    bool b;
    int64_t i;
    HeliaFlex v = value("bool");
    assert_int_equal(helia_flex_kind(&v), HELIA_FLEX_BOOL);
    assert_true(helia_flex_bool(&v, &b) && b);
    assert_true(float_of(value("float")) == 0.5 && float_of(value("indf")) == 1.25 && float_of(value("int")) == -300.0);
    assert_int_equal(int_of(value("int")), -300);
    assert_true(int_of(value("big")) == (int64_t)1 << 40);
    assert_int_equal(int_of(value("uint")), 200);
    assert_int_equal(int_of(value("ind")), 70000);
    v = value("huge");
    assert_int_equal(helia_flex_kind(&v), HELIA_FLEX_INT);
    assert_false(helia_flex_int(&v, &i));
    v = value("float");
    assert_false(helia_flex_int(&v, &i) || helia_flex_bool(&v, &b));
    v = value("null");
    assert_int_equal(helia_flex_kind(&v), HELIA_FLEX_NULL);
    assert_false(helia_flex_int(&v, &i));
}

static void texts(void **state)
{
    (void)state;
    const uint8_t *at;
    size_t len;
    HeliaFlex v = value("text");
    assert_true(helia_flex_bytes(&v, &at, &len) && len == 5);
    assert_string_equal((const char *)at, "hello");
    v = value("blob");
    assert_true(helia_flex_bytes(&v, &at, &len) && len == 3 && at[2] == 3);
    v = value("keys");
    HeliaFlex key = item(&v, 1);
    assert_true(helia_flex_bytes(&key, &at, &len) && len == 2);
    assert_string_equal((const char *)at, "k2");
}

static void vectors_and_maps(void **state)
{
    (void)state;
    HeliaFlex v = value("vec"), inner, a, root = root_of(everything, sizeof(everything));
    assert_int_equal(helia_flex_count(&v), 4);
    assert_int_equal(int_of(item(&v, 0)), 1);
    assert_true(float_of(item(&v, 1)) == 2.5);
    inner = item(&v, 3);
    assert_int_equal(helia_flex_kind(&inner), HELIA_FLEX_MAP);
    assert_true(helia_flex_find(&inner, "a", &a));
    assert_int_equal(int_of(a), 5);
    assert_false(helia_flex_item(&v, 4, &a));
    v = value("fixed");
    assert_int_equal(helia_flex_count(&v), 3);
    assert_int_equal(int_of(item(&v, 2)), 9);
    v = value("bools");
    assert_int_equal(helia_flex_count(&v), 2);
    assert_int_equal(int_of(item(&v, 1)), 0);
    v = value("floats");
    assert_true(float_of(item(&v, 1)) == 1.5);
    assert_int_equal(helia_flex_count(&root), 16);
    assert_string_equal(helia_flex_key(&root, 0), "big");
    assert_null(helia_flex_key(&root, 16));
    assert_false(helia_flex_find(&root, "absent", &a));
    assert_int_equal(helia_flex_count(&a), 0);
}

/* ---- typed options ---------------------------------------------------------------------------- */
typedef struct Options {
    int32_t shift, word, kept;
    int32_t taps[AIR_MAX_RANK];
    uint32_t n_taps;
    float rate;
    bool loop;
} Options;

static const char *const words[] = {"valid", "same", NULL};
static const HeliaField fields[] = {
    {"shift", HELIA_FIELD_INT, offsetof(Options, shift), 0, NULL},
    {"word", HELIA_FIELD_INT, offsetof(Options, word), 0, words},
    {"taps", HELIA_FIELD_INTS, offsetof(Options, taps), offsetof(Options, n_taps), NULL},
    {"rate", HELIA_FIELD_FLOAT, offsetof(Options, rate), 0, NULL},
    {"loop", HELIA_FIELD_BOOL, offsetof(Options, loop), 0, NULL},
    {"kept", HELIA_FIELD_INT, offsetof(Options, kept), 0, NULL},
};
static const HeliaOptionsClass options_class = {"Options", sizeof(Options), fields, 6};
static char messages[4096];

static void to_messages(void *user, HeliaSeverity severity, const char *text)
{
    (void)user;
    (void)severity;
    strncat(messages, text, sizeof(messages) - strlen(messages) - 1);
}

/* The number of errors. */
static uint32_t read_options(const uint8_t *bytes, size_t size, Options *o)
{
    HeliaArena *arena = helia_arena_new(NULL);
    LitertOp op = {.custom_options = {bytes, size}};
    HeliaParse p = {
        .op = &op, .arena = arena, .diag = helia_diag_new(arena, to_messages, NULL, 0), .at = HELIA_NOWHERE};
    messages[0] = 0;
    bool ok = helia_flex_options(&p, &options_class, o);
    uint32_t errors = helia_diag_errors(p.diag);
    assert_int_equal(ok, errors == 0);
    helia_arena_free(arena);
    return errors;
}

static void typed_options(void **state)
{
    (void)state;
    Options o = {.kept = 42};
    assert_int_equal(read_options(options, sizeof(options), &o), 0);
    assert_true(o.shift == -7 && o.word == 1 && o.kept == 42 && o.loop && o.rate == 0.25f);
    assert_true(o.n_taps == 3 && o.taps[0] == 1 && o.taps[1] == -2 && o.taps[2] == 300);
    assert_int_equal(read_options(NULL, 0, &o), 0);
}

static void options_that_do_not_fit(void **state)
{
    (void)state;
    Options o = {0};
    assert_int_equal(read_options(bad_options, sizeof(bad_options), &o), 6);
    static const char *const parts[] = {
        "loop is 2; expected true or false",
        "rate is \"fast\"; expected a number",
        "shift is 1099511627776; expected a 32-bit integer",
        "taps is a vector of 9 elements; expected a vector of at most 8",
        "unknown key \"tops\"; accepted: shift, word, taps",
        "word is \"full\"; expected valid or same",
    };
    for (size_t i = 0; i < 6; i++)
        if (!strstr(messages, parts[i]))
            fail_msg("expected \"%s\" in:\n%s", parts[i], messages);
    assert_int_equal(read_options((const uint8_t *)"ab", 2, &o), 1);
}

/* ---- damage ----------------------------------------------------------------------------------- */
static size_t walk(const HeliaFlex *v, int depth)
{
    const uint8_t *at;
    size_t len, seen = 1, n = helia_flex_count(v);
    HeliaFlex one;
    int64_t i;
    helia_flex_int(v, &i);
    if (helia_flex_bytes(v, &at, &len))
        assert_true(at >= v->bytes && at + len <= v->bytes + v->size);
    for (size_t k = 0; k < n && depth < 4; k++) {
        helia_flex_key(v, k);
        if (helia_flex_item(v, k, &one))
            seen += walk(&one, depth + 1);
    }
    return seen;
}

/* What is empty ends where it begins, which is where the offset to it may stand: an offset of 0. */
static void empty(void **state)
{
    (void)state;
    static const uint8_t map[] = {0, 0, 1, 0, 0, 36, 1}, vector[] = {0, 0, 40, 1}, blob[] = {0, 0, 100, 1};
    static const uint8_t itself[] = {1, 0, 40, 1}, headless[] = {0, 40, 1}, text[] = {0, 0, 20, 1};
    HeliaFlex root;
    const uint8_t *at;
    size_t len = 9;
    assert_true(helia_flex_root(map, sizeof(map), &root));
    assert_int_equal(helia_flex_kind(&root), HELIA_FLEX_MAP);
    assert_int_equal(helia_flex_count(&root), 0);
    assert_true(helia_flex_root(vector, sizeof(vector), &root));
    assert_int_equal(helia_flex_count(&root), 0);
    assert_true(helia_flex_root(blob, sizeof(blob), &root));
    assert_true(helia_flex_bytes(&root, &at, &len));
    assert_int_equal(len, 0);
    assert_false(helia_flex_root(itself, sizeof(itself), &root));
    assert_false(helia_flex_root(headless, sizeof(headless), &root));
    assert_false(helia_flex_root(text, sizeof(text), &root));
}

/* Under the sanitizers a read outside would end the test. */
static void damaged(void **state)
{
    (void)state;
    uint8_t bytes[sizeof(everything)];
    HeliaFlex root;
    for (size_t size = 0; size < sizeof(bytes); size++) {
        memcpy(bytes, everything + sizeof(everything) - size, size);
        if (helia_flex_root(bytes, size, &root))
            walk(&root, 0);
    }
    for (size_t at = 0; at < sizeof(bytes); at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            memcpy(bytes, everything, sizeof(bytes));
            bytes[at] ^= (uint8_t)(1u << bit);
            if (helia_flex_root(bytes, sizeof(bytes), &root))
                walk(&root, 0);
        }
    assert_false(helia_flex_root("", 0, &root));
    assert_false(helia_flex_root("\1\4\3", 3, &root));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars),
        cmocka_unit_test(texts),
        cmocka_unit_test(vectors_and_maps),
        cmocka_unit_test(typed_options),
        cmocka_unit_test(options_that_do_not_fit),
        cmocka_unit_test(empty),
        cmocka_unit_test(damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
