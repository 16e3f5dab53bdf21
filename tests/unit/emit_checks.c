/* What checks a generated module: its self-test, the debug build, the report. tests/emit/checks.c is compiled with it. */
#include "emit_fixture.h"
#include "golden/test_case.h"

static const char warnings[] = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wdouble-promotion -Wundef "
                               "-Wmissing-prototypes -Wstrict-prototypes -Werror";

static int build_and_run(const char *compiler, const char *flags)
{
    return run_command("%s -std=c99 -O1 -fsanitize=undefined %s %s -I %s/sample/includes-api " HELIA_SOURCE_DIR
                       "/tests/emit/checks.c %s/sample/src/*.c -o %s/program && %s/program >%s/out",
                       compiler, warnings, flags, folder, folder, folder, folder, folder);
}

static const char *printed(void)
{
    static char text[4096];
    FILE *f = fopen(helia_format(arena, "%s/out", folder), "r");
    size_t n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;
    text[n] = 0;
    if (f)
        fclose(f);
    return text;
}

/* Three iterations; the last one takes the outputs of the one before. */
static TestCase *make_test(void)
{
    static const int8_t in[2][4] = {{1, 2, 3, 4}, {-10, 0, 10, 20}},
                        out[3][4] = {{7, 8, 9, 10}, {-3, 7, 17, 27}, {5, 15, 25, 35}};
    static const void *inputs[3] = {in[0], in[1], NULL}, *outputs[3] = {out[0], out[1], out[2]};
    static double allowed[3];
    static bool fed_back[1] = {true};
    TestCase *t = HELIA_NEW(arena, TestCase);
    *t = (TestCase){
        .iterations = 3, .fed_back = fed_back, .inputs = inputs, .outputs = outputs, .float_allowed = allowed};
    t->source = "somewhere";
    HELIA_PUSH(arena, &t->feedback, ((TestFeedback){0, 0}));
    return t;
}

static Sample checked_sample(TestCase *t)
{
    Sample s = make_sample();
    s.config.module.debug = true;
    s.config.force = true;
    s.test = t;
    return s;
}

static void write_sample(const Sample *s)
{
    Module *m = emit_sample(s);
    assert_string_equal(messages, "");
    assert_non_null(m);
    assert_true(module_write(m, &s->config, diag));
}

static void passes(void **state)
{
    (void)state;
    for (int schedule = SCHEDULE_TABLE; schedule <= SCHEDULE_STATIC; schedule++) {
        Sample s = checked_sample(make_test());
        s.config.module.schedule = (Schedule)schedule;
        write_sample(&s);
        assert_int_equal(build_and_run("gcc", ""), 0);
        assert_int_equal(build_and_run("gcc", "-DAOT_PRINTF=printf"), 0);
        assert_string_equal(printed(), "");
        assert_int_equal(build_and_run("clang", ""), 0);
    }
    assert_int_equal(
        run_command(
            "cd %s/sample && for h in aot_test_case.h aot_model.h; do echo \"#include \\\"$h\\\"\" | g++ -x c++ -Wall "
            "-Wextra -Werror -fsyntax-only -I includes-api - || exit 1; done && for f in src/*.c; do "
            "arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -std=c99 %s -c -I includes-api $f -o o.o || exit 1; done",
            folder, warnings),
        0);
}

static void fails(void **state)
{
    (void)state;
    static const int8_t wrong[4] = {5, 15, 26, 35};
    TestCase *t = make_test();
    t->outputs[2] = wrong;
    Sample s = checked_sample(t);
    write_sample(&s);
    assert_int_equal(build_and_run("gcc", "-DFAILS"), 0);
    assert_int_equal(build_and_run("gcc", "-DFAILS -DAOT_PRINTF=printf"), 0);
    assert_string_equal(printed(), "aot: iteration 2, output 0 \"scores\", element 2: expected 26, got 25\n");
    t->allowed = 1;
    write_sample(&s);
    assert_int_equal(build_and_run("gcc", ""), 0);
    t->source = NULL; /* outputs are not compared */
    t->allowed = 0;
    write_sample(&s);
    assert_int_equal(build_and_run("gcc", ""), 0);
    assert_int_equal(build_and_run("gcc", "-DAOT_PRINTF=printf"), 0);
    assert_string_equal(printed(), "aot: outputs are not compared (test.skip_verification)\n");
}

/* Equal arrays are in the module once. */
static void shared_arrays(void **state)
{
    (void)state;
    TestCase *t = make_test();
    t->inputs[1] = helia_memdup(arena, t->inputs[0], 4);
    Sample s = checked_sample(t);
    const char *text = file_text(emit_sample(&s), "src/aot_test_case.c");
    assert_non_null(
        strstr(text, "{{input0_0}, {output0_0}, {0.0f}},\n    {{input0_0}, {output0_1}, {0.0f}},\n    {{NULL}"));
    assert_null(strstr(text, "input0_1"));
}

/* Without the keys nothing of them is there. */
static void absent(void **state)
{
    (void)state;
    Sample s = make_sample();
    const Module *m = emit_sample(&s);
    for (uint32_t i = 0; i < m->files.len; i++)
        assert_false(strstr(m->files.at[i].path, "test") || strstr(m->files.at[i].path, "debug") ||
                     strstr(m->files.at[i].path, "html"));
    assert_null(strstr(file_text(m, "src/aot_model.c"), "debug"));
}

/* Texts of a model can not end what they stand in, and nothing is fetched or run. */
static void report(void **state)
{
    (void)state;
    static const char *names[] = {"<b>&\"'</td>"};
    Sample s = make_sample();
    s.config.documentation.html = true;
    s.config.model.description = "A <script>alert(1)</script> `code`";
    s.mid->name = "</code><script>";
    s.graph->input_names = names;
    const char *page = file_text(emit_sample(&s), "aot_report.html");
    assert_string_equal(messages, "");
    assert_null(strstr(page, "<script"));
    assert_null(strstr(page, "<b>"));
    assert_null(strstr(page, "http"));
    assert_non_null(strstr(page, "A &lt;script&gt;alert(1)&lt;/script&gt; <code>code</code>"));
    assert_non_null(strstr(page, "<code>&lt;b&gt;&amp;\\x22&#39;&lt;/td&gt;</code>"));
    assert_non_null(strstr(page, "<td>&lt;/code&gt;&lt;script&gt;</td>"));
    assert_non_null(strstr(page, "<td>0x1234abcd</td>"));
    assert_non_null(strstr(page, "<svg viewBox=\"0 0 3 64\""));
    assert_non_null(strstr(page, "<td>int8 [1x4]</td>"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(passes, fresh, finish),
        cmocka_unit_test_setup_teardown(fails, fresh, finish),
        cmocka_unit_test_setup_teardown(shared_arrays, fresh, finish),
        cmocka_unit_test_setup_teardown(absent, fresh, finish),
        cmocka_unit_test_setup_teardown(report, fresh, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
