/* Malformed configurations, made from the key table: for every key and every field of its structure the wrong type, values
 * out of range, misspelt words and names, keys given twice, null, and what is missing. Each is refused with lines that say
 * where and what would be accepted, as a file and as a flag; every few of them by the executable, which stands in the
 * folder of this test, too. */
#include "config_fixture.h"

#include <ctype.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* Where the value under test goes in a file; NULL: file cases are not wanted. */
typedef struct Place {
    const char *before, *after;
    const char
        *flag; /* "--memory.planner", and what is in front of the value and behind it there; NULL: no such flag */
    const char *flag_before, *flag_after;
} Place;

static uint32_t n_files, n_flags, n_run;
static char tool[4096];
enum { RUN_EVERY = 25 };

/* "PLACE:" or, of a structured value, "PLACE:line:column:", and the word error. */
static bool names_place(const char *line, const char *file, bool with_column)
{
    const size_t n = strlen(file);
    if (strncmp(line, file, n) != 0 || line[n] != ':')
        return false;
    line += n + 1;
    for (int i = 0; i < 2 && (with_column || isdigit((unsigned char)*line)); i++) {
        if (!isdigit((unsigned char)*line))
            return false;
        line += strspn(line, "0123456789");
        if (*line++ != ':')
            return false;
    }
    return strncmp(line, " error: ", 8) == 0;
}

static bool says_what_is_accepted(const char *line, size_t n)
{
    static const char *const parts[] = {
        "expected ",     "the nearest known one is \"", "is given twice", "the list is empty", "at most ",
        "\" is missing", "as a key inside its"};
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        const char *found = strstr(line, parts[i]);
        if (found && found < line + n)
            return true;
    }
    return false;
}

static void check_messages(const char *text, const char *file, bool with_column)
{
    if (!*messages)
        fail_msg("accepted: %s", text);
    for (const char *line = messages; *line;) {
        const size_t n = strcspn(line, "\n");
        if (!names_place(line, file, with_column) || !says_what_is_accepted(line, n))
            fail_msg("%s\nsays: %.*s", text, (int)n, line);
        line += n + 1;
    }
}

/* Exit status 1, no output on standard output or in files, the same lines and nothing else on standard error. */
static void run_tool(void)
{
    char line[8300], path[64];
    snprintf(line, sizeof(line), "cd %s && '%s' convert --path aot.yaml --module.path made >out 2>err", folder, tool);
    const int status = system(line);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    struct stat st;
    snprintf(path, sizeof(path), "%s/made", folder);
    assert_int_equal(stat(path, &st), -1);
    snprintf(path, sizeof(path), "%s/out", folder);
    assert_true(stat(path, &st) == 0 && st.st_size == 0);
    unlink(path);
    snprintf(path, sizeof(path), "%s/err", folder);
    FILE *f = fopen(path, "r");
    char text[4096];
    text[fread(text, 1, sizeof(text) - 1, f)] = 0;
    fclose(f);
    unlink(path);
    assert_int_equal(strncmp(text, "aot.yaml:", 9), 0);
    assert_non_null(strstr(text, ": error: "));
    n_run++;
}

static void bad_file(const char *text)
{
    HeliaArena *outer = arena;
    arena = helia_arena_child(outer);
    diag = helia_diag_new(arena, to_messages, NULL, 1);
    const Config *config = load(text);
    if (config)
        fail_msg("accepted: %s", text);
    assert_int_equal(helia_diag_exit_status(diag), 1);
    check_messages(text, yaml_path(), true);
    if (n_files++ % RUN_EVERY == 0 && *tool)
        run_tool();
    helia_arena_free(arena);
    arena = outer;
}

static void bad_flag(const char *flag, const char *value)
{
    HeliaArena *outer = arena;
    arena = helia_arena_child(outer);
    diag = helia_diag_new(arena, to_messages, NULL, 1);
    messages[0] = 0;
    ConfigFlags flags = {0};
    const FlagResult result = config_flag(arena, diag, &flags, helia_format(arena, "%s=%s", flag, value), NULL);
    assert_true(result == FLAG_TAKEN || result == FLAG_REFUSED);
    assert_null(config_load(arena, diag, NULL, &flags));
    assert_int_equal(helia_diag_exit_status(diag), 1);
    check_messages(helia_format(arena, "%s=%s", flag, value), flag, false);
    n_flags++;
    helia_arena_free(arena);
    arena = outer;
}

static void bad(const Place *p, const char *value)
{
    bad_file(helia_format(arena, "%s%s%s", p->before, value, p->after));
    if (p->flag)
        bad_flag(p->flag, helia_format(arena, "%s%s%s", p->flag_before, value, p->flag_after));
}

/* Of a value that is only wrong in a file, where quotes and types are seen. */
static void bad_in_file(const Place *p, const char *value)
{
    bad_file(helia_format(arena, "%s%s%s", p->before, value, p->after));
}

static Place inside(const Place *p, const char *before, const char *after)
{
    return (Place){helia_format(arena, "%s%s", p->before, before), helia_format(arena, "%s%s", after, p->after),
                   p->flag, p->flag ? helia_format(arena, "%s%s", p->flag_before, before) : NULL,
                   p->flag ? helia_format(arena, "%s%s", after, p->flag_after) : NULL};
}

/* ---- values ------------------------------------------------------------------------------------ */
static void each_bad(const Place *p, const char *const *values)
{
    for (; *values; values++)
        bad(p, *values);
}

static bool is_word(const char *const *words, const char *text)
{
    while (*words && strcmp(*words, text) != 0)
        words++;
    return *words != NULL;
}

/* Each in the other case, with a letter more and with one less. */
static void bad_words(const Place *p, const char *const *words)
{
    for (const char *const *word = words; *word; word++) {
        char *other = helia_strdup(arena, *word);
        for (char *c = other; *c; c++)
            *c = (char)(islower((unsigned char)*c) ? toupper((unsigned char)*c) : tolower((unsigned char)*c));
        bad(p, other);
        bad(p, helia_format(arena, "%sx", *word));
        if (!is_word(words, *word + 1)) /* PSRAM, SRAM */
            bad(p, *word + 1);
    }
}

static void bad_integers(const Place *p, const ConfigKey *key)
{
    static const char *const values[] = {"1.5", "1e3", "0x", "0b1", "--1", "+", "one", "99999999999999999999",
                                         "1 2", NULL};
    each_bad(p, values);
    bad(p, helia_format(arena, "%lld", (long long)key->lowest - 1));
    bad(p, helia_format(arena, "%lld", (long long)key->highest + 1));
    if (key->power_of_two)
        bad(p, "24");
    bad_in_file(p, helia_format(arena, "\"%lld\"", (long long)key->lowest));
}

static void bad_texts(const Place *p, const ConfigKey *key)
{
    static const struct {
        const KeyCheck *check;
        const char *values[10];
    } rows[] = {
        {&check_identifier, {"1a", "a b", "a-b", "a.b", "_a", "int", "class", NULL}},
        {&check_module_name, {"1a", "a b", "a-b", "_a", "int", "all", "test", "package", "install"}},
        {&check_sha256,
         {"abc", "0", "g123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
          "0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef", NULL}},
        {&check_platform, {"apollo51", "cortex", "Apollo3", "apollo 3", NULL}},
        {&check_cpu, {"-m4", "m 4", "m/4", "core-of-a-name-that-is-much-too-long", NULL}},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (key->check == rows[i].check)
            each_bad(p, rows[i].values);
    if (key->check)
        bad_in_file(p, "\"\"");
}

static const char *good_value(const ConfigKey *key)
{
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

static void bad_values(const Place *p, const ConfigKey *key);

static bool is_field(const KeyStructure *s, const char *name)
{
    uint32_t i = 0;
    while (i < s->n_fields && strcmp(s->fields[i].path, name) != 0)
        i++;
    return i < s->n_fields;
}

/* A mapping with known fields at p: each field wrong, misspelt, twice, or missing. */
static void bad_fields(const Place *p, const KeyStructure *s)
{
    for (uint32_t i = 0; i < s->n_fields; i++) {
        const ConfigKey *field = &s->fields[i];
        const char *others = "";
        for (uint32_t k = 0; k < s->n_fields; k++)
            if (k != i && s->fields[k].required)
                others = helia_format(arena, "%s%s: %s, ", others, s->fields[k].path, good_value(&s->fields[k]));
        const Place value = inside(p, helia_format(arena, "{%s%s: ", others, field->path), "}");
        bad_values(&value, field);
        bad(p, helia_format(arena, "{%s%sx: 1}", others, field->path));
        if (!is_field(s, field->path + 1))
            bad(p, helia_format(arena, "{%s%s: 1}", others, field->path + 1));
        bad(p, helia_format(arena, "{%s%s: %s, %s: %s}", others, field->path, good_value(field), field->path,
                            good_value(field)));
        if (field->required)
            bad(p, *others ? helia_format(arena, "{%.*s}", (int)strlen(others) - 2, others) : "{}");
    }
}

static void bad_structure(const Place *p, const ConfigKey *key)
{
    const KeyStructure *s = key->structure;
    bad(p, s->list ? "{a: 1}" : "[1]");
    if (!s->or_text || s->words)
        bad(p, "certainly-not");
    const Place item = s->list ? inside(p, "[", "]") : *p;
    if (s->n_fields)
        bad_fields(&item, s);
    if (s->list && s->n_fields) {
        bad(&item, "1");
        bad(&item, "[1]");
        bad(&item, "null");
    } else if (s->pairs) {
        static const char *const values[] = {"1", "[1]", "[1, 2, 3]", "[[1], 2]", "[1, null]", "{a: 1}", NULL};
        each_bad(&item, values);
    } else if (s->list) {
        bad(&item, "[1]");
        bad(&item, "{a: 1}");
    }
    if (s->words && s->list)
        bad_words(&item, s->words);
    if (s->item) {
        const Place value = s->list ? item : inside(p, "{name: ", "}");
        bad_values(&value, s->item);
    } else if (!s->list && !s->n_fields) {
        bad(p, "{name: [1]}");
        bad(p, "{name: {a: 1}}");
    }
}

static void bad_values(const Place *p, const ConfigKey *key)
{
    static const char *const bools[] = {"yes", "on", "1", "tru", "TRue", NULL};
    static const char *const floats[] = {"-1", "nan", ".inf", "1..2", "1e999", "half", "0x1p3", NULL};
    if (key->fallback || key->required)
        bad_in_file(p, "null");
    if (key->kind == KEY_STRUCT) {
        bad_structure(p, key);
        return;
    }
    bad_in_file(p, "[1]");
    bad_in_file(p, "{a: 1}");
    switch (key->kind) {
    case KEY_PATH:
        bad_in_file(p, "\"\"");
        break;
    case KEY_TEXT:
        bad_texts(p, key);
        break;
    case KEY_WORD:
    case KEY_ENUM:
        bad_words(p, key->words);
        break;
    case KEY_INT:
        bad_integers(p, key);
        break;
    case KEY_FLOAT:
        each_bad(p, floats);
        break;
    default:
        each_bad(p, bools);
        bad_in_file(p, "\"true\"");
        break;
    }
}

/* ---- keys -------------------------------------------------------------------------------------- */
#define FOR_EACH_KEY(key) for (const ConfigKey *key = config_keys; key < config_keys + num_config_keys; key++)

static const char *last_name(const ConfigKey *key)
{
    const size_t n = key_section(key);
    return key->path + (n ? n + 1 : 0);
}

/* "{memory: {planner: " and "}}"; flow style, so that a value can be a structure in one line. */
static Place place_of(const ConfigKey *key)
{
    const size_t n = key_section(key);
    const char *name = last_name(key), *flag = helia_format(arena, "--%s", key->path);
    return n ? (Place){helia_format(arena, "{%.*s: {%s: ", (int)n, key->path, name), "}}\n", flag, "", ""}
             : (Place){helia_format(arena, "{%s: ", name), "}\n", flag, "", ""};
}

static void values(void **state)
{
    (void)state;
    FOR_EACH_KEY(key)
    {
        const Place p = place_of(key);
        bad_values(&p, key);
        bad_in_file(&p, "");
    }
}

/* A letter more, a letter less, two changed over, in capitals, in the wrong place, or twice. */
static void names(void **state)
{
    (void)state;
    FOR_EACH_KEY(key)
    {
        const size_t n = key_section(key), length = strlen(last_name(key));
        char *swapped = helia_strdup(arena, last_name(key)), *upper = helia_strdup(arena, last_name(key));
        swapped[length - 1] = last_name(key)[length - 2];
        swapped[length - 2] = last_name(key)[length - 1];
        for (char *c = upper; *c; c++)
            *c = (char)toupper((unsigned char)*c);
        const char *const wrong[] = {helia_format(arena, "%sx", last_name(key)), last_name(key) + 1, swapped, upper};
        for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
            if (strcmp(wrong[i], last_name(key)) == 0)
                continue; /* two equal letters changed over */
            bad_file(n ? helia_format(arena, "%.*s:\n  %s: 1\n", (int)n, key->path, wrong[i])
                       : helia_format(arena, "%s: 1\n", wrong[i]));
            ConfigFlags flags = {0};
            const char *flag = helia_format(arena, "--%.*s%s%s", (int)n, key->path, n ? "." : "", wrong[i]);
            if (i != 3) /* '-', '_' are equal in flags, capitals are not */
                assert_int_equal(config_flag(arena, diag, &flags, flag, "1"), FLAG_UNKNOWN);
            uint32_t distance;
            assert_true(strncmp(config_nearest_flag(arena, flag, &distance), "--", 2) == 0);
        }
        bad_file(n ? helia_format(arena, "%s: 1\n", key->path) : helia_format(arena, "model:\n  %s: 1\n", key->path));
        const char *good = strcmp(key->path, "model.sha256") == 0 ? "null" : good_value(key);
        if (key->check != &check_platform)
            bad_file(n ? helia_format(arena, "%.*s:\n  %s: %s\n  %s: %s\n", (int)n, key->path, last_name(key), good,
                                      last_name(key), good)
                       : helia_format(arena, "%s: %s\n%s: %s\n", key->path, good, key->path, good));
    }
}

static void sections(void **state)
{
    (void)state;
    const char *before = "";
    FOR_EACH_KEY(key)
    {
        const size_t n = key_section(key);
        if (!n || (strlen(before) == n && strncmp(before, key->path, n) == 0))
            continue;
        before = helia_strndup(arena, key->path, n);
        bad_file(helia_format(arena, "%s: 1\n", before));
        bad_file(helia_format(arena, "%s: [a]\n", before));
        bad_file(helia_format(arena, "%ss: {}\n", before));
        bad_file(helia_format(arena, "%s: {}\n%s: {}\n", before, before));
        bad_file(helia_format(arena, "%s: {certainly_not: 1}\n", before));
    }
    bad_file("1\n");
    bad_file("[a, b]\n");
}

/* That the table makes as many as it should, and that the executable was asked. */
static void enough(void **state)
{
    (void)state;
    printf("%u files, %u flags, %u of them by the executable\n", n_files, n_flags, n_run);
    assert_true(n_files >= 600 && n_flags >= 300);
    assert_true(!*tool || n_run >= 20);
}

static int set_up(void **state)
{
    ssize_t n = readlink("/proc/self/exe", tool, sizeof(tool) - 16);
    if (n <= 0 || make_folder(state) != 0)
        return -1;
    tool[n] = 0;
    strcpy(strrchr(tool, '/') + 1, "helia-aot");
    if (access(tool, X_OK) != 0)
        return -1;
    return 0;
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fresh, finish)
    const struct CMUnitTest tests[] = {TEST(values), TEST(names), TEST(sections), TEST(enough)};
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
