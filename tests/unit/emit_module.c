/* The generated module: it compiles without warnings, as C99 and its headers as C++, and does what its interface says.
 * The programs in tests/emit are compiled with it and check the rest. */
#include "emit_fixture.h"

static const char warnings[] =
    "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wdouble-promotion -Wundef -Wmissing-prototypes "
    "-Wstrict-prototypes -Werror";

static void build_and_run(const char *compiler, const char *module, const char *program, const char *flags)
{
    assert_int_equal(
        run_command("%s -std=c99 -O1 -fsanitize=undefined %s %s -I %s/%s/includes-api -I %s/%s/src " HELIA_SOURCE_DIR
                    "/tests/emit/%s %s/%s/src/*.c -o %s/program && %s/program",
                    compiler, warnings, flags, folder, module, folder, module, program, folder, module, folder, folder),
        0);
}

static void write_sample(const Sample *s)
{
    Module *m = emit_sample(s);
    assert_string_equal(messages, "");
    assert_non_null(m);
    assert_true(module_write(m, &s->config, diag));
    assert_string_equal(messages, "");
}

static void table(void **state)
{
    (void)state;
    Sample s = make_sample();
    write_sample(&s);
    build_and_run("gcc", "sample", "application.c", "-DTABLE");
    build_and_run("clang", "sample", "application.c", "-DTABLE");
}

static void static_schedule(void **state)
{
    (void)state;
    Sample s = make_sample();
    s.config.module.schedule = SCHEDULE_STATIC;
    s.config.memory.keep_inputs = true;
    write_sample(&s);
    build_and_run("gcc", "sample", "application.c", "");
}

static void bound_arenas(void **state)
{
    (void)state;
    Sample s = make_sample();
    s.config.memory.allocate_arenas = false;
    write_sample(&s);
    build_and_run("gcc", "sample", "application.c", "-DTABLE -DBIND");
}

static void headers_in_cpp(void **state)
{
    (void)state;
    Sample s = make_sample();
    write_sample(&s);
    assert_int_equal(
        run_command(
            "cd %s/sample/includes-api && for h in *.h; do echo \"#include \\\"$h\\\"\" | g++ -x c++ -Wall -Wextra "
            "-Wpedantic -Wconversion -Wshadow -Wundef -Werror -fsyntax-only -I . - || exit 1; "
            "(echo \"#include \\\"$h\\\"\"; echo 'extern int unit;') | gcc -x c -std=c99 %s -fsyntax-only -I . - || "
            "exit 1; done",
            folder, warnings),
        0);
}

/* The README's example is a program as it stands. */
static void readme_example(void **state)
{
    (void)state;
    Sample s = make_sample();
    for (int bind = 0; bind < 2; bind++) {
        s.config.memory.allocate_arenas = !bind;
        s.config.force = true;
        write_sample(&s);
        assert_int_equal(
            run_command(
                "sed -n '/^```c$/,/^```$/p' %s/sample/README.md | grep -v '^```' > %s/example.c && gcc -std=c99 -Wall "
                "-Wextra -Werror -c -I %s/sample/includes-api %s/example.c -o %s/example.o",
                folder, folder, folder, folder, folder),
            0);
    }
}

/* Two modules in one program: nothing is defined twice, and no symbol is without a prefix. */
static void two_prefixes(void **state)
{
    (void)state;
    Sample s = make_sample();
    write_sample(&s);
    s.config.module.name = "other";
    s.config.module.prefix = "Kws2";
    write_sample(&s);
    build_and_run("gcc", "sample", "application.c",
                  helia_format(arena, "-DTABLE -I %s/other/includes-api %s/other/src/*.c", folder, folder));
    assert_int_equal(
        run_command("cd %s && for f in other/src/*.c; do gcc -std=c99 -c -I other/includes-api $f -o o.o && nm -g "
                    "--defined-only o.o || exit 1; done > symbols && ! grep -v -E '^$| [A-Za-z] Kws2_' symbols",
                    folder),
        0);
}

static void cross_compiles(void **state)
{
    (void)state;
    Sample s = make_sample();
    write_sample(&s);
    assert_int_equal(
        run_command("cd %s/sample && for f in src/*.c; do arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -std=c99 %s -c -I "
                    "includes-api $f -o %s/o.o || exit 1; done",
                    folder, warnings, folder),
        0);
}

static void same_bytes(void **state)
{
    (void)state;
    Sample a = make_sample(), b = make_sample();
    b.graph->model->file = "elsewhere/sample.tflite";
    b.config.module.path = "/nowhere";
    const Module *m = emit_sample(&a), *n = emit_sample(&b);
    assert_int_equal(m->files.len, n->files.len);
    for (uint32_t i = 0; i < m->files.len; i++) {
        assert_string_equal(m->files.at[i].path, n->files.at[i].path);
        assert_int_equal(m->files.at[i].size, n->files.at[i].size);
        assert_memory_equal(m->files.at[i].bytes, n->files.at[i].bytes, m->files.at[i].size);
    }
}

/* A graph of nothing but a view: no operators, no state, no constants. */
static void no_operators(void **state)
{
    (void)state;
    for (int schedule = SCHEDULE_TABLE; schedule <= SCHEDULE_STATIC; schedule++) {
        Sample s = make_sample();
        s.graph->nodes.len = 1;
        s.graph->nodes.at[0] = s.graph->nodes.at[1];
        s.graph->nodes.at[0]->in[0] = s.in;
        s.graph->outputs.at[0] = s.view;
        s.plan->regions.len = 1;
        for (uint32_t i = 0; i < s.graph->tensors.len; i++)
            s.plan->tensors[i].region = -1;
        place(&s, s.in, 0, 0, s.in->id);
        place(&s, s.view, 0, 0, s.in->id);
        s.config.module.schedule = (Schedule)schedule;
        s.config.force = true;
        write_sample(&s);
        build_and_run("gcc", "sample", "no_operators.c", "");
    }
}

/* A view that does not share its input's storage becomes an operator. */
static void copied_view(void **state)
{
    (void)state;
    Sample s = make_sample();
    s.graph->nodes.len = 1;
    s.graph->nodes.at[0] = s.graph->nodes.at[1];
    s.graph->nodes.at[0]->in[0] = s.constant;
    s.view->dim[0] = s.view->dim[1] = 1;
    s.graph->outputs.at[0] = s.view;
    s.sum->is_variable = false;
    place(&s, s.view, 0, 32, s.view->id);
    write_sample(&s);
    build_and_run("gcc", "sample", "copied_view.c", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(table, fresh, finish),
        cmocka_unit_test_setup_teardown(static_schedule, fresh, finish),
        cmocka_unit_test_setup_teardown(bound_arenas, fresh, finish),
        cmocka_unit_test_setup_teardown(headers_in_cpp, fresh, finish),
        cmocka_unit_test_setup_teardown(readme_example, fresh, finish),
        cmocka_unit_test_setup_teardown(two_prefixes, fresh, finish),
        cmocka_unit_test_setup_teardown(cross_compiles, fresh, finish),
        cmocka_unit_test_setup_teardown(same_bytes, fresh, finish),
        cmocka_unit_test_setup_teardown(no_operators, fresh, finish),
        cmocka_unit_test_setup_teardown(copied_view, fresh, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
