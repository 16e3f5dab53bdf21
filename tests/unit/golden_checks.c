/* What tests and dumps are made and compared with: archives, made-up inputs, feedback, dumps as text and as archives. One
 * conformance model: input 0 is int8 [1x4x5x6], input 1 int8 [1], output 0 int8 [1x4x5x6]. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compile.h"
#include "golden/dump.h"
#include "golden/test_case.h"
#include "op/eval.h"
#include "support/npz.h"

#define MODEL HELIA_SOURCE_DIR "/tests/conformance/models/add_int8_bc_scalar.tflite"
#define GOLDEN HELIA_SOURCE_DIR "/tests/conformance/golden/add_int8_bc_scalar.npz"
enum { N = 120 };

static char messages[1 << 16];
static HeliaArena *arena;
static HeliaDiag *diag;
static char folder[64];
static Compile c;

static void to_messages(void *user, HeliaSeverity severity, const char *text)
{
    (void)user;
    (void)severity;
    if (strlen(messages) + strlen(text) + 2 < sizeof(messages)) {
        strcat(messages, text);
        strcat(messages, "\n");
    }
}

static int fresh(void **state)
{
    (void)state;
    arena = helia_arena_new(NULL);
    diag = helia_diag_new(arena, to_messages, NULL, 0);
    messages[0] = 0;
    strcpy(folder, "/tmp/helia-golden-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int finish(void **state)
{
    (void)state;
    char line[128];
    snprintf(line, sizeof(line), "rm -r %s", folder);
    helia_arena_free(arena);
    return system(line);
}

/* The model, resolved for the portable kernels; flags: "--x=y" up to NULL. */
static void load(const char *const *flags)
{
    ConfigFlags list = {0};
    diag = helia_diag_new(arena, to_messages, NULL, 0); /* errors so far would stop it */
    config_flag(arena, diag, &list, "--model.path=" MODEL, NULL);
    config_flag(arena, diag, &list, "--test.enabled", NULL);
    for (; flags && *flags; flags++)
        assert_int_equal(config_flag(arena, diag, &list, *flags, NULL), FLAG_TAKEN);
    c = (Compile){.arena = arena, .diag = diag, .portable = true, .last = STAGE_RESOLVE};
    c.config = config_load(arena, diag, NULL, &list);
    assert_non_null(c.config);
    c.registry = helia_build_default_registry_context(arena, diag, NULL, NULL, 0, false);
    assert_true(compile(&c));
}

static TestCase *make(const char *const *flags)
{
    load(flags);
    return test_case_make(arena, diag, c.config, c.air->main, c.air->main, c.registry, c.litert);
}

static void expect(const char *part)
{
    if (!strstr(messages, part))
        fail_msg("expected \"%s\" in:\n%s", part, messages);
    messages[0] = 0;
}

static const char *in_folder(const char *name)
{
    return helia_format(arena, "%s/%s", folder, name);
}

static NpzArray array_of(const char *name, const void *data, size_t n)
{
    NpzArray a = {.name = name, .kind = 'i', .item = 1, .rank = 1, .dim = {(int64_t)n}, .data = data, .size = n};
    if (n == N) {
        static const int64_t shape[4] = {1, 4, 5, 6};
        a.rank = 4;
        memcpy(a.dim, shape, sizeof(shape));
    }
    return a;
}

/* Arrays of in0, in1 and out under these names; NULL: none. */
static const char *archive(const char *in0, const char *in1, const char *out, const int8_t *expected)
{
    static int8_t a[N], b[1] = {3};
    Npz npz = {0};
    for (int i = 0; i < N; i++)
        a[i] = (int8_t)i;
    HELIA_PUSH(arena, &npz, array_of(in0, a, N));
    HELIA_PUSH(arena, &npz, array_of(in1, b, 1));
    if (out)
        HELIA_PUSH(arena, &npz, array_of(out, expected, N));
    const char *path = in_folder("golden.npz");
    assert_true(npz_write(arena, diag, path, &npz));
    return path;
}

/* ---- the test --------------------------------------------------------------------------------- */
static void made_up_inputs(void **state)
{
    (void)state;
    const TestCase *t = make((const char *[]){"--test.num_iterations=6", NULL});
    assert_string_equal(messages, "");
    assert_non_null(t);
    assert_memory_not_equal(t->inputs[0], t->inputs[2], N);
    assert_ptr_equal(t->inputs[0], t->inputs[8]); /* they come round */
    int8_t low = 127, high = -128;
    for (int i = 0; i < N; i++) {
        const int8_t x = ((const int8_t *)t->inputs[0])[i];
        low = x < low ? x : low;
        high = x > high ? x : high;
    }
    assert_true(low < -100 && high > 100);
    Evaluation *e = evaluation_new(arena, c.air->main);
    memcpy(evaluation_input(e, 0), t->inputs[2], N);
    memcpy(evaluation_input(e, 1), t->inputs[3], 1);
    assert_true(evaluation_run(e));
    assert_memory_equal(evaluation_output(e, 0), t->outputs[1], N);
    const TestCase *again = make((const char *[]){"--test.num_iterations=6", NULL});
    assert_memory_equal(again->inputs[4], t->inputs[4], N);
}

static void archives(void **state)
{
    (void)state;
    int8_t expected[N] = {1, 2, 3};
    static const char *const names[][3] = {{"input_0", "input_1", "output_0"}, {"in0_0", "in1_0", "out0_0"}, {0}};
    for (int i = 0; i < 3; i++) {
        load(NULL);
        const AirGraph *g = c.air->main;
        const char *path = i == 2
                               ? archive(g->inputs.at[0]->name, g->inputs.at[1]->name, g->outputs.at[0]->name, expected)
                               : archive(names[i][0], names[i][1], names[i][2], expected);
        const TestCase *t = make((const char *[]){helia_format(arena, "--test.golden_data=%s", path), NULL});
        assert_string_equal(messages, "");
        assert_memory_equal(t->outputs[0], expected, N);
        assert_int_equal(((const int8_t *)t->inputs[0])[5], 5);
        assert_int_equal(((const int8_t *)t->inputs[1])[0], 3);
    }
}

static void bad_archives(void **state)
{
    (void)state;
    int8_t expected[N] = {0};
    const char *path = archive("input_0", "input_1", NULL, NULL);
    const char *flag = helia_format(arena, "--test.golden_data=%s", path);
    assert_null(make((const char *[]){flag, NULL}));
    expect("output 0 \"");
    archive("input_0", "input_2", "output_0", expected);
    assert_null(make((const char *[]){flag, NULL}));
    expect("input 1 \"");
    archive("input_1", "input_0", "output_0", expected);
    assert_null(make((const char *[]){flag, NULL}));
    expect("shape is (1,); input 0 takes (1, 4, 5, 6)");
    archive("in0_0", "in1_0", "out0_0", expected);
    assert_null(make((const char *[]){flag, "--test.num_iterations=2", NULL}));
    expect("has inputs of 1 steps; test.num_iterations is 2");
    archive("in0_0", "in1_4000000000", "out0_0", expected);
    assert_null(make((const char *[]){flag, NULL}));
    expect("there is no array in1_3999999999 before it; steps are numbered from 0 without a gap");
    archive("input_0", "input_1", "output_0", expected);
    assert_null(make((const char *[]){flag, "--test.num_iterations=2", "--test.state_feedback=[[0, 0]]", NULL}));
    expect("2 iterations need arrays in<i>_<k> and out<i>_<k>");
    assert_non_null(make((const char *[]){flag, "--test.num_iterations=2", NULL}));
}

/* An array more, under another name of something that has one. */
static void two_arrays_of_one(void **state)
{
    (void)state;
    static int8_t a[N], b[1] = {3};
    static const char *const names[][3] = {{"input_0", "input_1", "output_0"}, {"in0_0", "in1_0", "out0_0"}};
    load(NULL);
    const AirGraph *g = c.air->main;
    const char *const more[] = {g->inputs.at[0]->name, g->outputs.at[0]->name, "input_0"};
    for (int i = 0; i < 5; i++) {
        const char *const *plain = names[i / 3];
        Npz npz = {0};
        HELIA_PUSH(arena, &npz, array_of(plain[0], a, N));
        HELIA_PUSH(arena, &npz, array_of(plain[1], b, 1));
        HELIA_PUSH(arena, &npz, array_of(plain[2], a, N));
        HELIA_PUSH(arena, &npz, array_of(i == 2 ? "in0_0" : more[i % 3], a, N));
        assert_true(npz_write(arena, diag, in_folder("golden.npz"), &npz));
        assert_null(make((const char *[]){helia_format(arena, "--test.golden_data=%s/golden.npz", folder), NULL}));
        expect(i == 2       ? "\"in0_0\": error: input 0 has the array \"input_0\" already; expected one of them"
               : i % 3 == 1 ? helia_format(arena, "output 0 has the array \"%s\" already", plain[2])
                            : helia_format(arena, "input 0 has the array \"%s\" already", plain[0]));
    }
}

static void feedback(void **state)
{
    (void)state;
    const char *const flags[] = {"--test.num_iterations=3", "--test.state_feedback=[[0, 0]]", NULL};
    const TestCase *t = make(flags);
    assert_non_null(t);
    assert_true(t->fed_back[0] && !t->fed_back[1]);
    assert_true(t->inputs[0] && !t->inputs[2] && !t->inputs[4] && t->inputs[3]);
    messages[0] = 0; /* scales may differ, which is a warning */
    Evaluation *e = evaluation_new(arena, c.air->main);
    memcpy(evaluation_input(e, 0), t->outputs[0], N);
    memcpy(evaluation_input(e, 1), t->inputs[3], 1);
    assert_true(evaluation_run(e));
    assert_memory_equal(evaluation_output(e, 0), t->outputs[1], N);
    assert_null(make((const char *[]){"--test.state_feedback=[[1, nothing]]", NULL}));
    expect("there is no output \"1\"; the outputs are 0 \"");
    assert_null(make((const char *[]){"--test.state_feedback=[[0, nothing], [0, 1], [0, 0], [0, 0]]", NULL}));
    assert_non_null(strstr(messages, "there is no input \"nothing\"; the inputs are 0 \""));
    assert_non_null(strstr(messages, "output 0 is int8 [1x4x5x6]; input 1 takes int8 [1]"));
    expect("input 0 gets two outputs");
}

static void reference_is_missing(void **state)
{
    (void)state;
    assert_null(make((const char *[]){"--test.reference=litert", NULL}));
    expect("test.litert_library is missing");
    assert_null(make((const char *[]){"--test.reference=litert", "--test.litert_library=/nowhere/lib.so", NULL}));
    expect("cannot open the LiteRT runtime: /nowhere/lib.so");
    assert_null(make((const char *[]){"--test.reference=litert", "--test.litert_library=/proc/self/exe", NULL}));
    expect("/proc/self/exe");
    const TestCase *t = make((const char *[]){"--test.skip_verification", NULL});
    assert_true(t && !t->source && t->inputs[0] && !t->outputs[0]);
}

/* ---- dumps ------------------------------------------------------------------------------------ */
static const char *hex(const int8_t *bytes, size_t n)
{
    const char *text = "";
    for (size_t i = 0; i < n; i++)
        text = helia_format(arena, "%s%02x", text, (uint8_t)bytes[i]);
    return text;
}

static const char *lines_of(const char *head, const AirTensor *t, const int8_t *bytes)
{
    const size_t n = air_bytes(t), half = n / 2;
    return helia_format(arena, "helia-dump %s %zu %s %s\nhelia-dump data 0 %s\nnoise\n> helia-dump data %zu %s\r\n",
                        head, n, air_type_doc(t->type), t->name, hex(bytes, half), half, hex(bytes + half, n - half));
}

/* One inference, whose output has element 7 changed by `by`. */
static const char *dump_text(int by)
{
    static int8_t in[N], scalar[1] = {3}, out[N];
    const AirGraph *g = c.air->main;
    Evaluation *e = evaluation_new(arena, c.air->main);
    for (int i = 0; i < N; i++)
        in[i] = (int8_t)(3 * i);
    memcpy(evaluation_input(e, 0), in, N);
    memcpy(evaluation_input(e, 1), scalar, 1);
    assert_true(evaluation_run(e));
    memcpy(out, evaluation_output(e, 0), N);
    out[7] = (int8_t)(out[7] + by);
    return helia_format(arena, "boot\nhelia-dump begin 1 %s\n%s%s%s", c.air->sha256,
                        lines_of("input 0", g->inputs.at[0], in), lines_of("input 1", g->inputs.at[1], scalar),
                        lines_of("output add_0 0", g->outputs.at[0], out));
}

static bool read_text(const char *text, Dump *dump)
{
    *dump = (Dump){0};
    return dump_read_text(arena, diag, c.air->main, "dump.txt", (const uint8_t *)text, strlen(text), dump);
}

static bool compared(const Dump *dump, const char *said)
{
    static char text[1024];
    FILE *f = tmpfile();
    const bool same = dump_compare(arena, diag, c.config, c.air->main, "dump.txt", dump, f);
    rewind(f);
    text[fread(text, 1, sizeof(text) - 1, f)] = 0;
    fclose(f);
    if (!strstr(text, said))
        fail_msg("expected \"%s\" in:\n%s", said, text);
    return same;
}

static void texts(void **state)
{
    (void)state;
    Dump dump;
    load(NULL);
    assert_true(read_text(dump_text(0), &dump));
    assert_int_equal(dump.len, 1);
    assert_true(compared(&dump, "operators that agree: 1; without outputs in the dump: 0\n"));
    assert_true(read_text(helia_format(arena, "%s%s", dump_text(0), dump_text(1)), &dump));
    assert_string_equal(messages, "");
    assert_false(compared(&dump, "first difference: operator 0 add_0 (ADD), output 0 \""));
    assert_false(compared(&dump, "int8 [1x4x5x6], inference 1\n1 of 120 elements differ; the first is element 7 "
                                 "[0, 0, 1, 1]: expected "));
    expect("dump.txt: error: the dump differs from the reference evaluation");
    load((const char *[]){"--test.tolerance=1", NULL});
    assert_true(read_text(dump_text(1), &dump));
    assert_true(compared(&dump, "operators that agree: 1"));
}

static void bad_texts(void **state)
{
    (void)state;
    load(NULL);
    const char *begin = helia_format(arena, "helia-dump begin 1 %s\n", c.air->sha256);
    const char *name = c.air->main->inputs.at[0]->name;
    const struct {
        const char *text, *what;
    } cases[] = {
        {"helia-dump begin 2 x\n", "dump.txt:1: error: the dump has not the form of version 1"},
        {"\n\nhelia-dump begin 1 abc\n", "dump.txt:3: error: the dump is of another model: its SHA-256 is abc"},
        {"helia-dump input 0 1 int8 x\n", "does not start with \"helia-dump begin\""},
        {helia_format(arena, "%shelia-dump input 2 1 int8 x\n", begin), "the model has no such tensor"},
        {helia_format(arena, "%shelia-dump output add_1 0 1 int8 x\n", begin), "the model has no such tensor"},
        {helia_format(arena, "%shelia-dump output add_0 1 1 int8 x\n", begin), "the model has no such tensor"},
        {helia_format(arena, "%shelia-dump input 0 120 int16 %s\n", begin, name), "the tensor is "},
        {helia_format(arena, "%shelia-dump input 0 120 int8 other\n", begin), "the tensor is other int8, 120 bytes"},
        {helia_format(arena, "%shelia-dump data 0 00\n", begin), "lines are missing"},
        {helia_format(arena, "%shelia-dump input 0 120 int8 %s\nhelia-dump data 1 00\n", begin, name),
         "lines are missing"},
        {helia_format(arena, "%shelia-dump input 0 120 int8 %s\nhelia-dump data 0 0x\n", begin, name), "hexadecimal"},
        {helia_format(arena, "%shelia-dump input 0 120 int8 %s\nhelia-dump data 0 000\n", begin, name),
         "within a byte"},
        {helia_format(arena, "%shelia-dump input 0 120 int8 %s\nhelia-dump data 0 00\n", begin, name), "is cut off"},
        {helia_format(arena, "%shelia-dump input 4294967296 1 int8 x\n", begin), "the model has no such tensor"},
        {helia_format(arena, "%shelia-dump end\n", begin), "found \"end\""},
        {begin, "inference 0 of the dump has no input 0"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        Dump dump;
        assert_false(read_text(cases[i].text, &dump));
        expect(cases[i].what);
    }
    Dump nothing;
    assert_true(read_text("nothing of it\n", &nothing));
    assert_false(compared(&nothing, ""));
    expect("the dump has no output of an operator of this model");
}

static void dump_archives(void **state)
{
    (void)state;
    int8_t wrong[N] = {0};
    Dump dump;
    load(NULL);
    const char *name = c.air->main->outputs.at[0]->name;
    const char *path = archive("input_0", "input_1", name, wrong);
    assert_true(dump_read(arena, diag, c.air->main, path, NULL, &dump));
    assert_false(compared(&dump, "first difference: operator 0 add_0 (ADD)"));
    messages[0] = 0;
    archive("other", "input_1", name, wrong);
    assert_false(dump_read(arena, diag, c.air->main, path, NULL, &dump));
    expect("input 0 \"");
    assert_true(dump_read(arena, diag, c.air->main, path, GOLDEN, &dump)); /* inputs from elsewhere */
    Npz npz = {0};
    HELIA_PUSH(arena, &npz, array_of(name, wrong, 5));
    assert_true(npz_write(arena, diag, path, &npz));
    assert_false(dump_read(arena, diag, c.air->main, path, GOLDEN, &dump));
    expect("the array is |i1 (5,); the tensor is |i1 (1, 4, 5, 6)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(made_up_inputs, fresh, finish),
        cmocka_unit_test_setup_teardown(archives, fresh, finish),
        cmocka_unit_test_setup_teardown(bad_archives, fresh, finish),
        cmocka_unit_test_setup_teardown(two_arrays_of_one, fresh, finish),
        cmocka_unit_test_setup_teardown(feedback, fresh, finish),
        cmocka_unit_test_setup_teardown(reference_is_missing, fresh, finish),
        cmocka_unit_test_setup_teardown(texts, fresh, finish),
        cmocka_unit_test_setup_teardown(bad_texts, fresh, finish),
        cmocka_unit_test_setup_teardown(dump_archives, fresh, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
