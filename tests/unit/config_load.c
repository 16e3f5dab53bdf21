/* Loading a configuration: precedence, paths, structured values, malformed YAML, and the recorded configuration. */
#include "config_fixture.h"

static const char digest[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

static ConfigFlags flags_of(const char *const *args)
{
    ConfigFlags flags = {0};
    for (; *args; args++)
        if (config_flag(arena, diag, &flags, args[0], args[1]) == FLAG_TAKEN_WITH_NEXT)
            args++;
    return flags;
}

static void defaults(void **state)
{
    (void)state;
    const Config *c = config_load(arena, diag, NULL, NULL);
    assert_string_equal(messages, "");
    assert_string_equal(c->model.path, "model.tflite");
    assert_string_equal(c->model.type, "tflite");
    assert_string_equal(c->model.description, "");
    assert_null(c->model.version);
    assert_null(c->model.sha256);
    assert_string_equal(c->module.path, "output.zip");
    assert_string_equal(c->module.type, "cmake");
    assert_string_equal(c->module.name, "helia_aot_nn");
    assert_string_equal(c->module.prefix, "aot");
    assert_int_equal(c->module.schedule, SCHEDULE_TABLE);
    assert_string_equal(c->memory.planner, "greedy");
    assert_true(c->memory.allocate_arenas);
    assert_false(c->memory.keep_inputs);
    assert_string_equal(c->platform.name, "apollo510_evb");
    assert_int_equal(c->optimization.goal, HELIA_GOAL_BALANCED);
    assert_int_equal(c->verbose, 1);
    assert_false(c->force);
    assert_null(c->log_file);
    assert_true(config_transform_enabled(c, "fuse_pad"));
    assert_int_equal(config_loc(c, "module.prefix").line, -1);
}

static void command_line_wins(void **state)
{
    (void)state;
    load("module: {prefix: kws, schedule: static, path: out}\nmodel: {path: m/a.litert}\nforce: true\n"
         "transforms: [{name: fuse_pad, enabled: false}]\nverbose: 0x2\n");
    assert_string_equal(messages, "");
    const char *const args[] = {"--module.prefix=one",      "--module.prefix", "two", "--no-force",
                                "--memory.planner_options", "{\"seed\": 7}",   NULL};
    ConfigFlags flags = flags_of(args);
    const Config *c = config_load(arena, diag, yaml_path(), &flags);
    assert_string_equal(c->module.prefix, "two");
    assert_int_equal(c->module.schedule, SCHEDULE_STATIC);
    assert_string_equal(c->module.path, helia_format(arena, "%s/out", folder));
    assert_string_equal(c->model.path, helia_format(arena, "%s/m/a.litert", folder));
    assert_string_equal(c->model.type, "litert");
    assert_false(c->force);
    assert_int_equal(c->verbose, 2);
    assert_int_equal(c->memory.planner_options.seed, 7);
    assert_int_equal(c->memory.planner_options.step_limit, 0);
    assert_false(config_transform_enabled(c, "fuse_pad"));

    /* A list on the command line replaces the file's; a path on it is relative to the working folder. */
    const char *const more[] = {"--transforms", "[{\"name\": \"x\", \"options\": {\"depth\": 3}}]", "--model.path",
                                "b.tflite", NULL};
    flags = flags_of(more);
    c = config_load(arena, diag, yaml_path(), &flags);
    assert_int_equal(c->transforms.len, 1);
    assert_true(config_transform_enabled(c, "fuse_pad"));
    const ConfigOptions *options = config_transform_options(c, "x");
    assert_string_equal(options->at[0].name, "depth");
    assert_string_equal(options->at[0].value, "3");
    assert_null(config_transform_options(c, "fuse_pad"));
    assert_string_equal(c->model.path, "b.tflite");
}

static void feedback(void **state)
{
    (void)state;
    const Config *c = load("test:\n  state_feedback:\n    - [0, state in]\n    - [h, \"1\"]\n");
    assert_string_equal(messages, "");
    assert_int_equal(c->test.state_feedback.len, 2);
    assert_string_equal(c->test.state_feedback.at[0].output, "0");
    assert_string_equal(c->test.state_feedback.at[0].input, "state in");
    assert_string_equal(c->test.state_feedback.at[1].output, "h");
    assert_string_equal(c->test.state_feedback.at[1].input, "1");
    assert_int_equal(c->test.state_feedback.at[1].at.line, 4);
}

/* A recorded configuration whose model lies elsewhere under another name still records the name it had. */
static void model_elsewhere(void **state)
{
    (void)state;
    load(helia_format(arena, "model: {path: kws.tflite, sha256: %s}\n", digest));
    const char *const args[] = {"--model.path", "/elsewhere/a.litert", NULL};
    ConfigFlags flags = flags_of(args);
    const Config *c = config_load(arena, diag, yaml_path(), &flags);
    assert_string_equal(c->model.path, "/elsewhere/a.litert");
    assert_string_equal(c->model.file_name, "kws.tflite");
    assert_non_null(strstr(config_dump(arena, c, digest), "  path: kws.tflite\n"));
    load("model: {path: kws.tflite}\n");
    c = config_load(arena, diag, yaml_path(), &flags);
    assert_string_equal(c->model.file_name, "a.litert");
}

static void empty_forms(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "# nothing\n",
                                        "---\n...\n",
                                        "{}",
                                        "module:\n",
                                        "module: null\nmodel: {}\n",
                                        "model: {sha256: null, version: ~}\nlog_file: null\ntransforms: null\n"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        assert_non_null(load(texts[i]));
        assert_string_equal(messages, "");
    }
}

static void texts_stay_texts(void **state)
{
    (void)state;
    const Config *c = load("model: {version: 1.10, name: 'null', description: \"\\u00e9\\x01\\n\"}\n");
    assert_string_equal(c->model.version, "1.10");
    assert_string_equal(c->model.name, "null");
    assert_string_equal(c->model.description, "\xc3\xa9\x01\n");
}

static void all_problems_at_once(void **state)
{
    (void)state;
    assert_null(load("module:\n  prefix: int\n  nme: x\nverbose: 9\nfoo: 1\ntransforms: [1, {enabled: 3, nam: y}]\n"));
    size_t lines = 0;
    for (const char *p = messages; (p = strchr(p, '\n')); p++)
        lines++;
    assert_int_equal(lines, 8);
    assert_non_null(strstr(
        messages, "aot.yaml:2:11: error: module.prefix: expected a C identifier, found \"int\": it is a keyword"));
    assert_non_null(
        strstr(messages, "aot.yaml:3:3: error: unknown key \"module.nme\"; the nearest known one is \"module.name\""));
    assert_non_null(strstr(messages, "aot.yaml:4:10: error: verbose: expected an integer from 0 to 3, found \"9\""));
    assert_non_null(strstr(messages, "aot.yaml:5:1: error: unknown key \"foo\""));
    assert_non_null(strstr(messages, "aot.yaml:6:14: error: transforms: expected a mapping, found \"1\""));
    assert_non_null(strstr(messages, "aot.yaml:6:27: error: transforms.enabled: expected true or false, found \"3\""));
    assert_non_null(
        strstr(messages, "aot.yaml:6:30: error: transforms: unknown key \"nam\"; the nearest known one is \"name\""));
    assert_non_null(strstr(messages, "aot.yaml:6:17: error: transforms: \"name\" is missing"));
}

static void bad_yaml(void **state)
{
    (void)state;
    static const struct {
        const char *text, *what;
        int line, column;
    } cases[] = {
        {"module: [1\n", "no YAML", 2, 1},
        {"module:\n\tpath: x\n", "no YAML", 2, 1},
        {"module: {path: \"x}\n", "no YAML", 2, 1},
        {"a: b: c\n", "no YAML", 1, 5},
        {"- 1\n", "expected a mapping, found a list", 1, 1},
        {"text\n", "expected a mapping, found \"text\"", 1, 1},
        {"module: text\n", "module: expected a mapping, found \"text\"", 1, 9},
        {"{}\n---\n{}\n", "a second document", 2, 1},
        {"? [a]\n: 1\n", "a key must be a text", 1, 3},
        {"module: *x\n", "alias *x has no anchor", 1, 9},
        {"module: &x [*x]\n", "alias *x has no anchor", 1, 13},
        {"verbose: !!int 1\n", "tag \"tag:yaml.org,2002:int\" is not understood", 1, 10},
        {"log_file: \"a\\0b\"\n", "NUL", 1, 11},
        {"log_file: \"\"\n", "log_file: expected a path, found \"\"", 1, 11},
        {"module: {prefix: __a}\n", "begins with an underscore", 1, 18},
        {"module: {prefix: a b}\n", "other characters", 1, 18},
        {"module: {prefix: 9a}\n", "begins with a digit", 1, 18},
        {"module: {prefix: \"\"}\n", "other characters", 1, 18},
        {"module: {name: test}\n", "reserved target of CMake", 1, 16},
        {"module: {prefix: co_await}\n", "keyword", 1, 18},
        {"model: {sha256: 12}\n", "64 lower-case hexadecimal digits", 1, 17},
        {"memory: {planner_options: {seed: -1}}\n",
         "memory.planner_options.seed: expected an integer from 0 to 2147483647, found \"-1\"", 1, 34},
        {"model: {subgraph: 9223372036854775807}\n",
         "model.subgraph: expected an integer from 0 to 2147483647, found \"9223372036854775807\"", 1, 19},
        {"memory: {planner_options: {sed: 1}}\n", "the nearest known one is \"seed\"", 1, 28},
        {"test: {state_feedback: [[0, 1], [0]]}\n", "test.state_feedback: expected [output, input]", 1, 33},
        {"test: {state_feedback: [[0, [1]]]}\n", "each an index or a name", 1, 25},
        {"test: {state_feedback: {a: b}}\n", "expected a list of pairs, found a mapping", 1, 24},
        {"test: {float_tolerance: -1}\n", "expected a finite number from 0", 1, 25},
        {"test: {num_iterations: 0}\n", "expected an integer from 1 to 10000", 1, 24},
        {"transforms: [{name: a, options: {b: [1]}}]\n", "options.b: expected a single value, found a list", 1, 37},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        expect_one_error(load(cases[i].text), cases[i].line, cases[i].column, cases[i].what);
}

static void hostile_yaml(void **state)
{
    (void)state;
    static const uint8_t not_utf8[] = {'a', ':', ' ', 0xff, '\n'};
    assert_null(load_bytes(not_utf8, sizeof(not_utf8)));
    assert_non_null(strstr(messages, "no YAML: "));
    char *deep = helia_alloc(arena, 20001, 1);
    memset(deep, '[', 20000);
    assert_null(load(deep));
    assert_non_null(strstr(messages, "levels of nesting"));
    const char *laughs = "a: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
                         "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
                         "e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n";
    assert_null(load(laughs));
    assert_non_null(strstr(messages, "more than 131072 values"));
    char *huge = helia_alloc(arena, (1 << 20) + 2, 1);
    memset(huge, '#', (1 << 20) + 1);
    assert_null(load(huge));
    assert_non_null(strstr(messages, "bytes of configuration"));
}

static void aliases_stand_for_values(void **state)
{
    (void)state;
    const Config *c = load("model: {name: &n kws}\nmodule: {name: *n, prefix: *n}\n");
    assert_string_equal(messages, "");
    assert_string_equal(c->module.prefix, "kws");
}

static void unreadable_file(void **state)
{
    (void)state;
    assert_null(config_load(arena, diag, "/nonexistent/aot.yaml", NULL));
    assert_int_equal(helia_diag_exit_status(diag), 2);
}

static void flags_that_are_refused(void **state)
{
    (void)state;
    ConfigFlags flags = {0};
    assert_int_equal(config_flag(arena, diag, &flags, "--module.path", "--force"), FLAG_REFUSED);
    assert_int_equal(config_flag(arena, diag, &flags, "--no-force=1", NULL), FLAG_REFUSED);
    assert_int_equal(config_flag(arena, diag, &flags, "--model.name=\xff", NULL), FLAG_TAKEN);
    assert_string_equal(messages, "--module.path: error: a value is missing; expected a path\n"
                                  "--no-force: error: takes no value\n"
                                  "--model.name: error: the value is not UTF-8: \"\\xff\"\n");
    assert_int_equal(flags.len, 0);
    messages[0] = 0;
    const char *const args[] = {"--transforms", "[{\"name\": 1,,}]", "--force=maybe", NULL};
    flags = flags_of(args);
    assert_null(config_load(arena, diag, NULL, &flags));
    assert_non_null(strstr(messages, "--transforms:1:13: error: no YAML"));
    assert_non_null(strstr(messages, "--force: error: force: expected true or false, found \"maybe\""));
}

/* What is recorded reads back to a configuration that records the same bytes. */
static void recorded_again(const Config *c)
{
    const char *once = config_dump(arena, c, digest);
    const Config *again = load(once);
    assert_string_equal(messages, "");
    assert_non_null(again);
    assert_string_equal(config_dump(arena, again, digest), once);
}

static void recorded(void **state)
{
    (void)state;
    const Config *c = load(
        "model: {path: /a/b/kws.tflite, description: \"two\\nlines \\u00e9 \\U0001f600 \\\"q\\\"\"}\n"
        "module: {path: /secret/out, prefix: no1}\nlog_file: /secret/log\nverbose: 3\nforce: true\n"
        "transforms:\n- {name: 'true', enabled: false}\n- name: b\n  options: {k: 3, t: 'x # y', e: '', "
        "'odd key: ': \"5\", z: true}\n- {name: c, options: {}}\n"
        "memory: {planner: hill_climb, planner_options: {iterations: 0x10}}\n");
    assert_string_equal(messages, "");
    const char *text = config_dump(arena, c, digest);
    static const char *const parts[] = {
        "model:\n"
        "  path: kws.tflite\n"
        "  sha256: \"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"\n"
        "  subgraph: 0\n"
        "  type: tflite\n"
        "  name: model\n"
        "  description: \"two\\nlines \\xe9 \\U0001f600 \\\"q\\\"\"\n",
        "module:\n"
        "  type: cmake\n"
        "  name: helia_aot_nn\n"
        "  prefix: no1\n",
        "transforms:\n"
        "  - name: \"true\"\n"
        "    enabled: false\n"
        "  - name: b\n"
        "    options:\n"
        "      k: 3\n"
        "      t: \"x # y\"\n"
        "      e: \"\"\n"
        "      \"odd key: \": \"5\"\n"
        "      z: true\n"
        "  - name: c\n"
        "    options: {}\n",
        "  planner: hill_climb\n",
        "  planner_options:\n"
        "    iterations: 0x10\n",
        "platform:\n"
        "  name: apollo510_evb\n",
    };
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (!strstr(text, parts[i]))
            fail_msg("expected\n%sin\n%s", parts[i], text);
    static const char *const local[] = {"secret", "/", "verbose", "force", "log_file"};
    for (size_t i = 0; i < sizeof(local) / sizeof(local[0]); i++)
        assert_null(strstr(text, local[i]));
    recorded_again(c);
}

/* Every byte that a text may hold, in every position where quotes matter. */
static void recorded_texts(void **state)
{
    (void)state;
    static const char *const odd[] = {"",
                                      " a",
                                      "a ",
                                      "-",
                                      "- a",
                                      "?",
                                      "a: b",
                                      "#",
                                      "a #b",
                                      "true",
                                      "No",
                                      "~",
                                      "null",
                                      "1",
                                      "0x1f",
                                      "1e3",
                                      ".5",
                                      "|",
                                      ">",
                                      "'",
                                      "\"",
                                      "\\",
                                      "%a",
                                      "@",
                                      "`",
                                      "{a}",
                                      "[a]",
                                      "*a",
                                      "&a",
                                      "!a",
                                      "a\tb",
                                      "a\nb",
                                      "\xc3\xa9",
                                      "\xef\xbf\xbf",
                                      "\xf0\x9f\x98\x80",
                                      "\xef\xbb\xbfx",
                                      "y",
                                      "a,b"};
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
        ConfigFlags flags = {0};
        config_flag(arena, diag, &flags, "--model.name", odd[i]);
        config_flag(arena, diag, &flags, "--model.path", helia_format(arena, "x/%s", *odd[i] ? odd[i] : "m"));
        messages[0] = 0;
        const Config *c = config_load(arena, diag, NULL, &flags);
        assert_string_equal(messages, "");
        recorded_again(c);
        assert_string_equal(load(config_dump(arena, c, digest))->model.name, odd[i]);
    }
    for (char c = 1; c < 127; c++) {
        char text[3] = {c, 'a', 0};
        ConfigFlags flags = {0};
        config_flag(arena, diag, &flags, "--model.name", text);
        recorded_again(config_load(arena, diag, NULL, &flags));
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fresh, finish)
    const struct CMUnitTest tests[] = {
        TEST(defaults),     TEST(command_line_wins),        TEST(model_elsewhere),      TEST(feedback),
        TEST(empty_forms),  TEST(texts_stay_texts),         TEST(all_problems_at_once), TEST(bad_yaml),
        TEST(hostile_yaml), TEST(aliases_stand_for_values), TEST(unreadable_file),      TEST(flags_that_are_refused),
        TEST(recorded),     TEST(recorded_texts),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
