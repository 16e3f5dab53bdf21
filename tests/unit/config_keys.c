/* Good and bad values of every key, made from the key table itself; the texts that are made from the table name every
 * key; the documentation page is fresh. */
#include "config_fixture.h"

#include <jansson.h>

#include "support/file.h"

/* Some value that is accepted. */
static const char *good_value(const ConfigKey *key)
{
    if (strcmp(key->path, "platform.name") == 0)
        return "apollo3";
    if (strcmp(key->path, "model.sha256") == 0)
        return "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    switch (key->kind) {
    case KEY_WORD:
    case KEY_ENUM:
        return key->words[0];
    case KEY_INT:
        return helia_format(arena, "%lld", (long long)key->lowest);
    case KEY_FLOAT:
        return "0.5";
    case KEY_BOOL:
        return "true";
    case KEY_STRUCT:
        return key->structure->list ? "[]" : "{}";
    default:
        return "good";
    }
}

static int line_of(const ConfigKey *key)
{
    return key_section(key) ? 2 : 1;
}

static int column_of(const ConfigKey *key)
{
    return key_section(key) ? 3 : 1;
}

static const char *last_name(const ConfigKey *key)
{
    size_t n = key_section(key);
    return key->path + (n ? n + 1 : 0);
}

static int value_column(const ConfigKey *key)
{
    return column_of(key) + (int)strlen(last_name(key)) + 2;
}

#define FOR_EACH_KEY(key) for (const ConfigKey *key = config_keys; key < config_keys + num_config_keys; key++)

static void good_values(void **state)
{
    (void)state;
    FOR_EACH_KEY(key)
    {
        const Config *config = load(yaml_of(key, good_value(key)));
        assert_string_equal(messages, "");
        assert_non_null(config);
        assert_int_equal(config_loc(config, key->path).line, line_of(key));
        assert_int_equal(config_loc(config, key->path).column, value_column(key));
    }
}

static void missing_values(void **state)
{
    (void)state;
    FOR_EACH_KEY(key)
    expect_one_error(load(yaml_of(key, "")), line_of(key), value_column(key) - 1,
                     helia_format(arena, "%s: a value is missing; expected ", key->path));
}

static void wrong_types(void **state)
{
    (void)state;
    FOR_EACH_KEY(key)
    {
        bool list = key->kind == KEY_STRUCT && key->structure->list;
        expect_one_error(load(yaml_of(key, list ? "{a: 1}" : "[1]")), line_of(key), value_column(key),
                         helia_format(arena, "%s: expected %s, found a %s", key->path, key_expected(arena, key),
                                      list ? "mapping" : "list"));
        if (key->kind != KEY_TEXT && key->kind != KEY_PATH)
            expect_one_error(load(yaml_of(key, "certainly-not")), line_of(key), value_column(key),
                             "found \"certainly-not\"");
        if (key->kind == KEY_INT || key->kind == KEY_BOOL || key->kind == KEY_FLOAT)
            expect_one_error(load(yaml_of(key, helia_format(arena, "\"%s\"", good_value(key)))), line_of(key),
                             value_column(key), key->path);
    }
}

static void out_of_range(void **state)
{
    (void)state;
    static const char *const bad[] = {"99999999999999999999", "1.5", "0x", "--1", "1 2", "1e3"};
    FOR_EACH_KEY(key)
    {
        if (key->kind != KEY_INT)
            continue;
        for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
            assert_null(load(yaml_of(key, bad[i])));
            assert_non_null(strstr(messages, key->path));
        }
        expect_one_error(load(yaml_of(key, helia_format(arena, "%lld", (long long)key->lowest - 1))), line_of(key),
                         value_column(key), key_expected(arena, key));
        expect_one_error(load(yaml_of(key, helia_format(arena, "%lld", (long long)key->highest + 1))), line_of(key),
                         value_column(key), key_expected(arena, key));
    }
}

/* A letter too many and a letter too few: the message names the key that was meant. */
static void unknown_near_known(void **state)
{
    (void)state;
    FOR_EACH_KEY(key)
    {
        ConfigKey wrong = *key;
        wrong.path = helia_format(arena, "%sx", key->path);
        expect_one_error(
            load(yaml_of(&wrong, "1")), line_of(key), column_of(key),
            helia_format(arena, "unknown key \"%s\"; the nearest known one is \"%s\"", wrong.path, key->path));
        wrong.path = helia_strndup(arena, key->path, strlen(key->path) - 1);
        expect_one_error(load(yaml_of(&wrong, "1")), line_of(key), column_of(key), key->path);
    }
}

/* A known name in the wrong section. */
static void unknown_misplaced(void **state)
{
    (void)state;
    expect_one_error(load("planner: greedy\n"), 1, 1, "the nearest known one is \"memory.planner\"");
    expect_one_error(load("module.path: out\n"), 1, 1, "write \"module.path\" as a key inside its section");
    expect_one_error(load("modules: {path: out}\n"), 1, 1, "the nearest known one is \"module\"");
}

static void duplicates(void **state)
{
    (void)state;
    FOR_EACH_KEY(key)
    {
        const char *once = yaml_of(key, good_value(key));
        const char *again = helia_format(arena, "%s%*s%s: %s\n", once, column_of(key) - 1, "", last_name(key),
                                         good_value(key));
        expect_one_error(
            load(again), line_of(key) + 1, column_of(key),
            helia_format(arena, "key \"%s\" is given twice; first in line %d", last_name(key), line_of(key)));
    }
}

static void flags_of_every_key(void **state)
{
    (void)state;
    FOR_EACH_KEY(key)
    {
        ConfigFlags flags = {0};
        char *name = helia_format(arena, "--%s", key->path);
        for (char *c = name + 2; *c; c++)
            if (*c == '_')
                *c = '-';
        messages[0] = 0;
        if (key->kind == KEY_BOOL) {
            assert_int_equal(config_flag(arena, diag, &flags, name, NULL), FLAG_TAKEN);
            assert_int_equal(config_flag(arena, diag, &flags, helia_format(arena, "--no-%s", name + 2), NULL),
                             FLAG_TAKEN);
        } else {
            assert_int_equal(config_flag(arena, diag, &flags, name, good_value(key)), FLAG_TAKEN_WITH_NEXT);
            assert_int_equal(config_flag(arena, diag, &flags, name, NULL), FLAG_REFUSED);
            assert_non_null(strstr(messages, "error: a value is missing; expected "));
            assert_int_equal(config_flag(arena, diag, &flags, helia_format(arena, "--no-%s", name + 2), NULL),
                             FLAG_REFUSED);
        }
        assert_int_equal(config_flag(arena, diag, &flags, helia_format(arena, "%s=%s", name, good_value(key)), NULL),
                         FLAG_TAKEN);
        messages[0] = 0;
        const Config *config = config_load(arena, diag, NULL, &flags);
        assert_string_equal(messages, "");
        assert_string_equal(config_loc(config, key->path).file, name);
        assert_int_equal(config_flag(arena, diag, &flags, helia_format(arena, "%sx", name), "1"), FLAG_UNKNOWN);
        uint32_t distance;
        assert_string_equal(config_nearest_flag(arena, helia_format(arena, "%sx", name), &distance),
                            helia_format(arena, "--%s", key->path));
    }
}

static void bad_flag_values(void **state)
{
    (void)state;
    FOR_EACH_KEY(key)
    {
        if (key->kind == KEY_TEXT || key->kind == KEY_PATH)
            continue;
        ConfigFlags flags = {0};
        config_flag(arena, diag, &flags, helia_format(arena, "--%s=certainly-not", key->path), NULL);
        messages[0] = 0;
        assert_null(config_load(arena, diag, NULL, &flags));
        assert_true(strncmp(messages, helia_format(arena, "--%s:", key->path), strlen(key->path) + 3) == 0);
        assert_non_null(strstr(messages, key_expected(arena, key)));
    }
}

/* Rows of a section stand together, so that the recorded configuration opens each section once. */
static void sections_are_contiguous(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < num_config_keys; i++)
        for (uint32_t j = i + 2; j < num_config_keys; j++) {
            size_t n = key_section(&config_keys[i]);
            if (n && key_section(&config_keys[j]) == n && strncmp(config_keys[i].path, config_keys[j].path, n) == 0)
                assert_true(key_section(&config_keys[j - 1]) == n &&
                            strncmp(config_keys[j - 1].path, config_keys[i].path, n) == 0);
        }
}

static void texts_name_every_key(void **state)
{
    (void)state;
    const char *help = config_help(arena), *page = config_markdown(arena);
    json_error_t error;
    json_t *schema = json_loads(config_schema(arena), 0, &error);
    assert_non_null(schema);
    FOR_EACH_KEY(key)
    {
        char *flag = helia_format(arena, "  --%s", key->path);
        for (char *c = flag; *c; c++)
            if (*c == '_')
                *c = '-';
        assert_non_null(strstr(help, flag));
        assert_non_null(strstr(help, key->doc));
        assert_non_null(strstr(page, helia_format(arena, "| `%s` | ", key->path)));
        json_t *object = json_object_get(schema, "properties");
        size_t n = key_section(key);
        if (n)
            object = json_object_get(json_object_get(object, helia_strndup(arena, key->path, n)), "properties");
        json_t *entry = json_object_get(object, last_name(key));
        assert_true(json_is_object(entry));
        if (!key->fallback)
            entry = json_array_get(json_object_get(entry, "anyOf"), 0);
        assert_string_equal(json_string_value(json_object_get(entry, "description")), key->doc);
    }
    json_decref(schema);
}

static void page_is_fresh(void **state)
{
    (void)state;
    FileBytes file;
    assert_true(file_read(arena, diag, HELIA_SOURCE_DIR "/docs/generated/config-keys.md", &file));
    if (strcmp((const char *)file.at, config_markdown(arena)) != 0)
        fail_msg("docs/generated/config-keys.md is not what `helia-aot schema --markdown` prints; write it anew");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fresh, finish)
    const struct CMUnitTest tests[] = {
        TEST(good_values),        TEST(missing_values),          TEST(wrong_types),          TEST(out_of_range),
        TEST(unknown_near_known), TEST(unknown_misplaced),       TEST(duplicates),           TEST(flags_of_every_key),
        TEST(bad_flag_values),    TEST(sections_are_contiguous), TEST(texts_name_every_key), TEST(page_is_fresh),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
