/* The commands as a user runs them: exit status, standard output, standard error. */
#include <fcntl.h>
#include <jansson.h>

#include "config/keys.h"

#include "cli_fixture.h"

static void help(void **state)
{
    (void)state;
    assert_int_equal(run("--help"), 0);
    static const char *const commands[] = {"convert",        "explain MODEL",  "compare MODEL DUMP",  "run MODEL",
                                           "operators list", "platforms list", "platforms show NAME", "plan FILE.csv",
                                           "schema",         "version"};
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
        expect(out, commands[i]);
    assert_int_equal(run("convert --help"), 0);
    for (uint32_t i = 0; i < num_config_keys; i++)
        expect(out, config_keys[i].doc);
    assert_string_equal(err, "");
    expect(out, "usage: helia-aot convert [MODEL] [OPTIONS]");
    expect(out, "MODEL is the same as --model.path");
    assert_int_equal(run("platforms show --help"), 0);
    expect(out, "--json");
    assert_int_equal(run("platforms --help"), 0);
    expect(out, "usage: helia-aot platforms COMMAND");
    expect(out, "  platforms list ");
    expect(out, "  platforms show NAME ");
    assert_null(strstr(out, "operators"));
    assert_int_equal(run("operators -h"), 0);
    expect(out, "  operators list ");
    assert_int_equal(run("version"), 0);
    expect(out, "helia-aot ");
    assert_int_equal(run(""), 1);
    expect(err, "usage: ");
}

static void wrong_command_lines(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *what;
    } cases[] = {
        {"conver", "unknown command \"conver\"; the nearest known one is \"convert\""},
        {"platforms", "unknown command \"platforms\"; the nearest known one is \"platforms list\""},
        {"platforms lst", "unknown command \"platforms lst\"; the nearest known one is \"platforms list\""},
        {"convert --modle.path x", "unknown option \"--modle.path\"; the nearest known one is \"--model.path\""},
        {"convert --forse", "unknown option \"--forse\"; the nearest known one is \"--force\""},
        {"convert x.tflite y.tflite", "unexpected argument \"y.tflite\""},
        {"convert x.tflite --model.path=y.tflite", "--model.path: error: the model is named already: \"x.tflite\""},
        {"explain x.tflite --model.path y.tflite", "--model.path: error: the model is named already: \"x.tflite\""},
        {"convert --path", "--path: error: a value is missing; expected FILE.yaml"},
        {"convert --module.path", "--module.path: error: a value is missing; expected a path"},
        {"convert --memory.planner=gredy", "--memory.planner: error: memory.planner: expected greedy, "},
        {"convert --model.path " MODEL " --dump=lod",
         "--dump: unknown stage \"lod\"; the stages are hooks, load, fold_static_shape_expressions, "},
        {"convert --model.path " MODEL " --transforms '[{\"name\": \"x\"}]'",
         "--transforms:1:2: error: transforms: unknown transform"},
        {"convert --model.path " MODEL " --platform.name apollo511", "apollo510"},
        {"explain", "MODEL is missing"},
        {"compare " MODEL, "DUMP is missing"},
        {"platforms show apolo3", "unknown platform \"apolo3\"; the nearest known one is \"apollo3\""},
        {"platforms list --json=1", "--json: error: takes no value"},
        {"run " MODEL, "--input is missing"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(run(cases[i].arguments), 1);
        expect(err, cases[i].what);
        assert_string_equal(out, "");
    }
}

static void machine_at_fault(void **state)
{
    (void)state;
    assert_int_equal(run("convert --path nowhere.yaml"), 2);
    expect(err, "nowhere.yaml: error: cannot open: ");
    assert_int_equal(run("explain nowhere.tflite"), 2);
    assert_int_equal(run("explain " MODEL " --log-file /nonexistent/log"), 2);
    assert_int_equal(run("run " MODEL " --input " GOLDEN " --output /nonexistent/o.npz"), 2);
    char full_disk[4200];
    snprintf(full_disk, sizeof(full_disk), "'%s' version >/dev/full 2>err", tool);
    assert_int_equal(shell(full_disk), 2);
}

static void json_lists(void **state)
{
    (void)state;
    static const char *const lists[] = {"platforms list --json", "operators list --json"};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(run(lists[i]), 0);
        json_t *list = json_loads(out, 0, NULL);
        assert_true(json_array_size(list) > 0);
        json_decref(list);
    }
    assert_int_equal(run("platforms show apollo510_evb --json"), 0);
    json_t *platform = json_loads(out, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(platform, "name")), "apollo510");
    assert_int_equal(json_integer_value(json_object_get(json_object_get(platform, "memories"), "DTCM")), 507904);
    json_decref(platform);
    assert_int_equal(run("schema"), 0);
    json_t *schema = json_loads(out, 0, NULL);
    assert_non_null(schema);
    json_decref(schema);
}

/* What a kernel needs is an instruction set, a library, both or nothing. */
static void operators(void **state)
{
    (void)state;
    assert_int_equal(run("operators list"), 0);
    expect(out, "\n    CMSIS-NN mve    helia_conv_2d_s8_cmsis_nn ");
    expect(out, "\n    ns-cmsis-nn dsp helia_conv_2d_s8_ns_cmsis_nn ");
    expect(out, "\n    CMSIS-NN        helia_add_s8_cmsis_nn ");
    expect(out, "\n    mve             helia_add_s8_mve ");
    expect(out, "\n    portable        helia_add_s8_c ");
    expect(out, "\nRESHAPE: another shape for the same bytes\n    no code\n");
    assert_int_equal(run("operators list --json"), 0);
    expect(out, "\"CMSIS-NN mve\"");
}

static void named_models(void **state)
{
    (void)state;
    assert_int_equal(run("convert " MODEL " --platform.name host --module.path named"), 0);
    assert_int_equal(run("convert --model.path " MODEL " --platform.name host --module.path flag"), 0);
    assert_int_equal(shell("diff -r named flag"), 0);
    write_text("named.yaml", "model: {path: absent.tflite}\nplatform: {name: host}\nmodule: {path: file}\n");
    assert_int_equal(run("convert --path named.yaml " MODEL), 0);
    assert_int_equal(shell("diff -r named file"), 0);
}

static void plans(void **state)
{
    (void)state;
    write_text("p.csv", "id,first,last,size\na,0,1,10\r\n\nb,2,3,10\nlong name,1,2,5\n");
    assert_int_equal(run("plan p.csv --planner greedy"), 0);
    expect(out, "peak 15 bound 15 proven ");
    expect(out, "\na,0\nb,0\nlong name,10\n");
    write_text("q.csv", "a,0,x,10\nb,3,2,5\nc,0,1,99999999999999999999\n");
    assert_int_equal(run("plan q.csv"), 1);
    expect(err, "q.csv:1: error: expected id,first,last,size");
    expect(err, "q.csv:2: error: ");
    expect(err, "q.csv:3: error: ");
    assert_int_equal(run("plan p.csv --planner gredy"), 1);
    expect(err, "--planner: error: memory.planner: expected greedy, greedy_by_size, hill_climb or optimal");
    assert_int_equal(run("plan p.csv --planner hill_climb --iterations 5 --seed=7 --max-stall-iterations 2"), 0);
    expect(out, "peak 15 bound 15 proven yes\n");
    assert_int_equal(run("plan p.csv --planner optimal --step_limit 1"), 0);
    assert_int_equal(run("plan p.csv --planner optimal --seed 7 --step-limit 0"), 1);
    expect(err, "--step-limit:1:14: error: ");
    expect(err, "memory.planner_options.step_limit: expected an integer from 1 to 2147483647, found \"0\"");
    assert_int_equal(run("plan p.csv --iterations many --seed x"), 1);
    expect(err, "--seed:1:8: error: ");
    expect(err, "--iterations:1:14: error: memory.planner_options.iterations: expected an integer from 1 to "
                "2147483647, found \"many\"");
    assert_int_equal(run("plan --help"), 0);
    expect(out, "--step-limit N\n      optimal: steps of the search");
    write_text("r.csv", "a,0,1\nb,0,1,2,3\n,0,1,2\nc,-1,2,3\n");
    assert_int_equal(run("plan r.csv"), 1);
    for (int i = 1; i <= 4; i++) {
        char line[48];
        snprintf(line, sizeof(line), "r.csv:%d: error: expected id,", i);
        expect(err, line);
    }
}

static void verbosity_and_log(void **state)
{
    (void)state;
    assert_int_equal(run("explain " MODEL " --verbose 0"), 0);
    assert_string_equal(err, "");
    expect(out, "add_0");
    assert_int_equal(run("explain " MODEL " --log-file log"), 0);
    char log_text[4096];
    read_back("log", log_text, sizeof(log_text));
    assert_string_equal(log_text, err);
    expect(err, "load: ");
    assert_int_equal(run("explain " MODEL " --stop-after load --dump load"), 0);
    expect(out, "ADD");
    assert_null(strstr(err, "resolve"));
}

/* What only a terminal would show. */
static void hooks_on_a_terminal(void **state)
{
    (void)state;
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    char line[1 << 14];
    snprintf(line, sizeof(line), "'%s' explain " MODEL " --dump hooks >%s 2>err", tool, ptsname(terminal));
    assert_int_equal(shell(line), 1);
    read_back("err", err, sizeof(err));
    expect(err, "--dump: stage hooks is a .tflite, which a terminal cannot show; redirect the output to a file");
    close(terminal);
    assert_int_equal(run("convert --model.path " MODEL " --dump hooks --stop-after hooks"), 0);
    assert_memory_equal(out + 4, "TFL3", 4);
}

static void long_paths(void **state)
{
    (void)state;
    char name[600], line[800];
    memset(name, 'a', sizeof(name) - 1);
    name[sizeof(name) - 1] = 0;
    snprintf(line, sizeof(line), "convert --path ./%s/end.yaml", name);
    assert_int_equal(run(line), 2);
    expect(err, "aaaaaa/end.yaml: error: cannot open: ");
    assert_int_equal(strncmp(err, "...aaa", 6), 0);
    assert_true(strlen(err) < 320);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help),       cmocka_unit_test(wrong_command_lines), cmocka_unit_test(machine_at_fault),
        cmocka_unit_test(json_lists), cmocka_unit_test(operators),           cmocka_unit_test(named_models),
        cmocka_unit_test(plans),      cmocka_unit_test(verbosity_and_log),   cmocka_unit_test(hooks_on_a_terminal),
        cmocka_unit_test(long_paths),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
