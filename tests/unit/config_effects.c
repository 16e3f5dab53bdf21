/* What each key does: a value that is no default shows in the recorded configuration and in the module, from a file and
 * from a flag alike, and the command line wins. A new key needs a row here. */
#include "config_fixture.h"

#include <helia_aot/helia_aot.h>

#define MODELS HELIA_SOURCE_DIR "/models/"

/* Where a value other than the default shows. */
typedef enum Effect {
    IN_MODULE, /* in a file of the module that is not helia_aot.yaml */
    IN_RECORD, /* in helia_aot.yaml alone: another way to the same module, for this model */
    NOWHERE,   /* of this machine: the module has the same bytes */
    REFUSED    /* with this value the conversion ends with a message that names it */
} Effect;

typedef struct Row {
    const char *key, *value; /* as JSON */
    Effect effect;
    const char *with; /* another key that both modules are made with, "test.enabled=true"; NULL: none */
} Row;

static const char digest[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

static const Row rows[] = {
    {"model.path", "\"" MODELS "digits.tflite\"", IN_MODULE, NULL},
    {"model.sha256", "\"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"", REFUSED, NULL},
    {"model.subgraph", "1", REFUSED, NULL},
    {"model.type", "\"litert\"", IN_RECORD, NULL},
    {"model.name", "\"branches\"", IN_MODULE, NULL},
    {"model.description", "\"a test\"", IN_MODULE, NULL},
    {"model.version", "\"1.10\"", IN_MODULE, NULL},
    {"model.input_shapes", "{\"nobody\": [1, 2]}", REFUSED, NULL},
    {"module.path", "\"elsewhere\"", NOWHERE, NULL},
    {"module.type", "\"zephyr\"", IN_MODULE, NULL},
    {"module.name", "\"my_module\"", IN_MODULE, NULL},
    {"module.prefix", "\"kws\"", IN_MODULE, NULL},
    {"module.schedule", "\"static\"", IN_MODULE, NULL},
    {"module.debug", "true", IN_MODULE, NULL},
    {"kernels.library", "\"cmsis_nn\"", IN_MODULE, NULL},
    {"transforms", "[{\"name\": \"fuse_pad\", \"enabled\": false}]", IN_MODULE, NULL},
    {"plugins", "[{\"path\": \"nowhere.so\"}]", REFUSED, NULL},
    {"operators", "[{\"type\": \"CONV_2D\", \"attributes\": {\"code_placement\": \"ITCM\"}}]", IN_MODULE, NULL},
    {"memory.planner", "\"optimal\"", IN_MODULE, "documentation.html=true"},
    {"memory.planner_options", "{\"seed\": 7}", IN_RECORD, "memory.planner=hill_climb"},
    {"memory.reorder", "false", IN_RECORD, NULL},
    {"memory.constraints", "[{\"memory\": \"SRAM\"}, {\"memory\": \"MRAM\"}]", IN_MODULE, NULL},
    {"memory.tensors", "[{\"type\": \"SCRATCH\", \"attributes\": {\"memory\": \"SRAM\"}}]", IN_MODULE, NULL},
    {"memory.allocate_arenas", "false", IN_MODULE, NULL},
    {"memory.constants", "\"sidecar\"", IN_MODULE, NULL},
    {"memory.keep_inputs", "true", IN_MODULE, NULL},
    {"memory.dump_residency_report", "true", IN_MODULE, NULL},
    {"platform.name", "\"apollo3\"", IN_MODULE, NULL},
    {"platform.cpu", "\"cortex-m4\"", IN_MODULE, NULL},
    {"platform.memories", "{\"DTCM\": 0}", IN_MODULE, NULL},
    {"platform.capabilities", "[\"dsp\"]", IN_MODULE, NULL},
    {"platform.preferred_memory_order", "[\"SRAM\", \"MRAM\"]", IN_MODULE, NULL},
    {"platform.min_alignment", "64", IN_MODULE, NULL},
    {"test.enabled", "true", IN_MODULE, NULL},
    {"test.golden_data", "\"nowhere.npz\"", REFUSED, "test.enabled=true"},
    {"test.reference", "\"litert\"", REFUSED, "test.enabled=true"},
    {"test.litert_library", "\"nowhere.so\"", NOWHERE, "test.enabled=true"},
    {"test.tolerance", "3", IN_MODULE, "test.enabled=true"},
    {"test.float_tolerance", "0.25", IN_MODULE, "test.enabled=true"},
    {"test.skip_verification", "true", IN_MODULE, "test.enabled=true"},
    {"test.num_iterations", "2", IN_MODULE, "test.enabled=true"},
    {"test.state_feedback", "[[\"nobody\", \"0\"]]", REFUSED, "test.enabled=true"},
    {"documentation.html", "true", IN_MODULE, NULL},
    {"optimization.goal", "\"size\"", IN_MODULE, NULL},
    {"optimization.kernel_entry", "\"generic\"", IN_MODULE, NULL},
    {"optimization.allow_numeric_changes", "true", IN_RECORD, NULL},
    {"verbose", "0", NOWHERE, NULL},
    {"force", "true", NOWHERE, NULL},
    {"keep_work_dir", "true", NOWHERE, NULL},
    {"log_file", "\"log.txt\"", NOWHERE, NULL},
};
enum { NUM_ROWS = sizeof(rows) / sizeof(rows[0]) };

static const ConfigKey *key_of(const Row *row)
{
    const uint32_t key = key_find(row->key);
    if (key == UINT32_MAX)
        fail_msg("%s is no key", row->key);
    return &config_keys[key];
}

static void every_key_has_a_row(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < num_config_keys; i++) {
        uint32_t n = 0;
        for (const Row *row = rows; row < rows + NUM_ROWS; row++)
            n += key_of(row) == &config_keys[i];
        if (n != 1)
            fail_msg("this test has %u rows for the key %s; it needs one", n, config_keys[i].path);
    }
}

/* ---- the configuration ------------------------------------------------------------------------- */
/* The value as a flag has it: a text without quotes. */
static const char *flag_value(const Row *row)
{
    const size_t n = strlen(row->value);
    return row->value[0] == '"' ? helia_strndup(arena, row->value + 1, n - 2) : row->value;
}

/* --memory.keep-inputs=true, or with '_' for '-'. */
static const char *flag_of(const Row *row, bool dashes)
{
    char *flag = helia_format(arena, "--%s", row->key);
    for (char *c = flag; dashes && *c; c++)
        if (*c == '_')
            *c = '-';
    return helia_format(arena, "%s=%s", flag, flag_value(row));
}

static const char *yaml_of_row(const Row *row)
{
    return yaml_of(key_of(row), row->value);
}

static const char *dumped(const Config *config)
{
    assert_string_equal(messages, "");
    assert_non_null(config);
    return config_dump(arena, config, digest);
}

static const char *dumped_with_flag(const char *yaml, const char *flag)
{
    if (yaml)
        load(yaml);
    ConfigFlags flags = {0};
    messages[0] = 0;
    config_flag(arena, diag, &flags, flag, NULL);
    return dumped(config_load(arena, diag, yaml ? yaml_path() : NULL, &flags));
}

/* The bytes of the key's field. A path of a file is absolute here or the same as a flag's. */
static const char *field_text(const Config *config, const ConfigKey *key)
{
    const char *field = (const char *)config + key->offset, *text;
    int32_t integer;
    switch (key->kind) {
    case KEY_PATH:
    case KEY_TEXT:
    case KEY_WORD:
        memcpy(&text, field, sizeof(text));
        return text ? strrchr(text, '/') ? strrchr(text, '/') + 1 : text : "none";
    case KEY_BOOL:
        return *(const bool *)(const void *)field ? "true" : "false";
    default:
        memcpy(&integer, field, sizeof(integer));
        return helia_format(arena, "%d", integer);
    }
}

static void recorded_from_file_and_flag(void **state)
{
    (void)state;
    const char *plain = dumped(load(""));
    for (const Row *row = rows; row < rows + NUM_ROWS; row++) {
        const ConfigKey *key = key_of(row);
        const Config *config = load(yaml_of_row(row));
        const char *from_file = dumped(config);
        assert_string_equal(dumped_with_flag(NULL, flag_of(row, false)), from_file);
        assert_string_equal(dumped_with_flag(NULL, flag_of(row, true)), from_file);
        if (strcmp(row->key, "model.sha256") == 0)
            continue; /* recorded as that of the file */
        if (key->recorded ? strcmp(from_file, plain) == 0 : strcmp(from_file, plain) != 0)
            fail_msg("%s: %s is %srecorded", row->key, row->value, key->recorded ? "not " : "");
        if (key->kind != KEY_STRUCT)
            assert_string_not_equal(field_text(config, key), field_text(load(""), key));
    }
}

/* Defaults < file < command line, the last flag of several; null takes back what has no default. */
static void command_line_wins(void **state)
{
    (void)state;
    for (const Row *row = rows; row < rows + NUM_ROWS; row++) {
        const ConfigKey *key = key_of(row);
        const char *plain = dumped(load("")), *other = NULL;
        if (key->fallback && key->kind != KEY_STRUCT)
            other = helia_format(arena, "--%s=%s", row->key, key->fallback);
        else if (key->kind == KEY_STRUCT)
            other = helia_format(arena, "--%s=%s", row->key, key->fallback ? key->fallback : "null");
        if (!other)
            continue; /* no value that stands for the default */
        const char *with_flag = dumped_with_flag(yaml_of_row(row), other);
        if (key->kind != KEY_STRUCT || key->fallback)
            assert_string_equal(with_flag, plain);
        ConfigFlags flags = {0};
        config_flag(arena, diag, &flags, other, NULL);
        config_flag(arena, diag, &flags, flag_of(row, false), NULL);
        assert_string_equal(dumped(config_load(arena, diag, NULL, &flags)), dumped(load(yaml_of_row(row))));
    }
    const char *const args[] = {"--memory.tensors=null", "--transforms=null", "--plugins=null", "--operators=null"};
    ConfigFlags flags = {0};
    load("memory: {tensors: [{attributes: {memory: SRAM}}]}\ntransforms: [{name: a}]\nplugins: [{path: a}]\n"
         "operators: [{attributes: {code_placement: ITCM}}]\n");
    for (int i = 0; i < 4; i++)
        config_flag(arena, diag, &flags, args[i], NULL);
    const Config *config = config_load(arena, diag, yaml_path(), &flags);
    assert_int_equal(config->memory.tensors.len + config->transforms.len + config->plugins.len + config->operators.len,
                     0);
}

/* All keys at once: what is recorded is read back to the same record. */
static void recorded_again(void **state)
{
    (void)state;
    const char *text = "", *section = "";
    size_t n = 0;
    for (const Row *row = rows; row < rows + NUM_ROWS; row++) {
        const size_t k = key_section(key_of(row));
        if (k && (k != n || strncmp(section, row->key, k) != 0))
            text = helia_format(arena, "%s%.*s:\n", text, (int)k, row->key);
        section = row->key;
        n = k;
        text = helia_format(arena, "%s%s%s: %s\n", text, k ? "  " : "", row->key + (k ? k + 1 : 0), row->value);
    }
    const char *once = dumped(load(text));
    assert_string_equal(dumped(load(once)), once);
    for (const Row *row = rows; row < rows + NUM_ROWS; row++) {
        const ConfigKey *key = key_of(row);
        const size_t k = key_section(key);
        const char *line = helia_format(arena, "\n%s%s:", k ? "  " : "", row->key + (k ? k + 1 : 0));
        if (key->recorded && !strstr(once, line))
            fail_msg("%s is not recorded in\n%s", row->key, once);
    }
}

/* ---- the module -------------------------------------------------------------------------------- */
static void set(HeliaSession *s, const char *key, const char *value)
{
    assert_int_equal(helia_session_set(s, key, value), HELIA_STATUS_OK);
}

/* A module in memory; with `row`, by its value. */
static HeliaSession *made(const Row *row, const char *with)
{
    HeliaSession *s = helia_session_new(to_messages, NULL);
    messages[0] = 0;
    set(s, "model.path", MODELS "branches.tflite");
    if (with)
        set(s, helia_strndup(arena, with, strcspn(with, "=")), strchr(with, '=') + 1);
    if (row)
        set(s, row->key, flag_value(row));
    helia_session_run(s, HELIA_STAGE_EMIT);
    return s;
}

static bool same_files(const HeliaSession *a, const HeliaSession *b, bool with_record)
{
    if (helia_session_num_files(a) != helia_session_num_files(b))
        return false;
    for (uint32_t i = 0; i < helia_session_num_files(a); i++) {
        HeliaModuleFile x, y;
        assert_true(helia_session_file(a, i, &x) && helia_session_file(b, i, &y));
        if (strcmp(x.path, y.path) != 0)
            return false;
        if (strcmp(x.path, "helia_aot.yaml") == 0 && !with_record)
            continue;
        if (x.size != y.size || memcmp(x.bytes, y.bytes, x.size) != 0)
            return false;
    }
    return true;
}

/* What is wrong with a row; NULL: nothing. */
static const char *fault(const Row *row)
{
    HeliaSession *plain = made(NULL, row->with), *changed = made(row, row->with);
    const HeliaStatus status = helia_session_status(changed);
    const char *text = NULL;
    if ((status != HELIA_STATUS_OK) != (row->effect == REFUSED))
        text = helia_format(arena, "ends with status %d\n%s", (int)status, messages);
    else if (row->effect == REFUSED)
        text = helia_session_num_files(changed) || !strstr(messages, "error: ") ? "is refused without an error" : NULL;
    else if (same_files(plain, changed, false) == (row->effect == IN_MODULE))
        text = row->effect == IN_MODULE ? "leaves the module as it is" : "changes the module";
    else if (row->effect == NOWHERE && !same_files(plain, changed, true))
        text = "is recorded";
    helia_session_free(plain);
    helia_session_free(changed);
    return text;
}

static void seen_in_the_module(void **state)
{
    (void)state;
    uint32_t faults = 0;
    for (const Row *row = rows; row < rows + NUM_ROWS; row++) {
        const char *text = fault(row);
        if (text)
            print_error("%s: %s %s\n", row->key, row->value, text);
        faults += text != NULL;
    }
    assert_int_equal(faults, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fresh, finish)
    const struct CMUnitTest tests[] = {TEST(every_key_has_a_row), TEST(recorded_from_file_and_flag),
                                       TEST(command_line_wins), TEST(recorded_again), TEST(seen_in_the_module)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
