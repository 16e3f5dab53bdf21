/* The commands as a user runs them: exit status, standard output, standard error. The executable stands in the folder
 * of this test. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <helia_aot/registry.h>

#include "config/keys.h"
#include "support/npz.h"

#define MODEL HELIA_SOURCE_DIR "/tests/conformance/models/add_int8_bc_scalar.tflite"
#define GOLDEN HELIA_SOURCE_DIR "/tests/conformance/golden/add_int8_bc_scalar.npz"

static char folder[] = "/tmp/helia-cli-XXXXXX";
static char tool[4096];
static char out[1 << 18], err[1 << 16];

static void read_back(const char *name, char *to, size_t capacity)
{
    char path[128];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(to, 1, capacity - 1, f) : 0;
    to[n] = 0;
    if (f)
        fclose(f);
}

/* A command of the shell in the test's folder. */
static int shell(const char *command)
{
    char line[8300];
    assert_true(snprintf(line, sizeof(line), "cd %s && %s", folder, command) < (int)sizeof(line));
    int status = system(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Runs the tool there; what it prints is in out and err. */
static int run(const char *arguments)
{
    char line[8192];
    snprintf(line, sizeof(line), "'%s' %s >out 2>err", tool, arguments);
    int status = shell(line);
    read_back("out", out, sizeof(out));
    read_back("err", err, sizeof(err));
    return status;
}

static void write_text(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void expect(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("expected \"%s\" in:\n%s", part, text);
}

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

static void run_gives_the_golden_answer(void **state)
{
    (void)state;
    assert_int_equal(run("run " MODEL " --input " GOLDEN " --output o.npz"), 0);
    HeliaArena *arena = helia_arena_new(NULL);
    HeliaDiag *diag = helia_diag_new(arena, NULL, NULL, 1);
    Npz golden, result;
    char path[128];
    snprintf(path, sizeof(path), "%s/o.npz", folder);
    assert_true(npz_read(arena, diag, path, &result) && npz_read(arena, diag, GOLDEN, &golden));
    assert_int_equal(result.len, 1);
    const NpzArray *a = npz_find(&result, "out0_0"), *b = npz_find(&golden, "tflm0_0");
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->data, b->data, a->size);

    /* The same by index, and by name; the output is then output_0. */
    Npz named = {0};
    NpzArray in0 = *npz_find(&golden, "in0_0"), in1 = *npz_find(&golden, "in1_0");
    in0.name = "input_0";
    in1.name = "in1";
    HELIA_PUSH(arena, &named, in0);
    HELIA_PUSH(arena, &named, in1);
    snprintf(path, sizeof(path), "%s/i.npz", folder);
    assert_true(npz_write(arena, diag, path, &named));
    assert_int_equal(run("run " MODEL " --input i.npz --output o.npz"), 0);
    snprintf(path, sizeof(path), "%s/o.npz", folder);
    assert_true(npz_read(arena, diag, path, &result));
    assert_memory_equal(npz_find(&result, "output_0")->data, b->data, b->size);
    helia_arena_free(arena);
}

/* An input archive with one array of the given name, type and shape instead of in0_0. */
static void run_with(const char *name, char kind, uint32_t item, int32_t rank, const int64_t *dim)
{
    static const uint8_t zeros[4096];
    HeliaArena *arena = helia_arena_new(NULL);
    HeliaDiag *diag = helia_diag_new(arena, NULL, NULL, 1);
    Npz npz = {0};
    NpzArray array = {.name = name, .kind = kind, .item = item, .rank = rank, .data = zeros, .size = item};
    for (int32_t i = 0; i < rank; i++) {
        array.dim[i] = dim[i];
        array.size *= (size_t)dim[i];
    }
    HELIA_PUSH(arena, &npz, array);
    HELIA_PUSH(arena, &npz,
               ((NpzArray){.name = "in1_0", .kind = 'i', .item = 1, .rank = 1, .dim = {1}, .data = zeros, .size = 1}));
    char path[128];
    snprintf(path, sizeof(path), "%s/i.npz", folder);
    assert_true(npz_write(arena, diag, path, &npz));
    helia_arena_free(arena);
    assert_int_equal(run("run " MODEL " --input i.npz --output refused.npz"), 1);
    snprintf(path, sizeof(path), "%s/refused.npz", folder);
    assert_int_equal(access(path, F_OK), -1);
}

/* A typing error must not cost someone the files that a command reads, or a device. */
static void inputs_stay(void **state)
{
    (void)state;
    assert_int_equal(shell("cp " MODEL " m.tflite && cp " GOLDEN " g.npz && echo 'model: {path: m.tflite}' >c.yaml"),
                     0);
    assert_int_equal(run("run m.tflite --input g.npz --output m.tflite"), 1);
    expect(err, "m.tflite: error: --output names a file that is read");
    assert_int_equal(run("run m.tflite --input g.npz --output g.npz"), 1);
    assert_int_equal(run("convert --path c.yaml --module.path mo --log_file m.tflite"), 1);
    expect(err, "m.tflite: error: log_file names a file that is read");
    assert_int_equal(run("convert --path c.yaml --module.path mo --log_file c.yaml"), 1);
    assert_int_equal(shell("cmp m.tflite " MODEL " && cmp g.npz " GOLDEN " && grep -q m.tflite c.yaml && test ! -e mo"),
                     0);
    assert_int_equal(shell("mkfifo pipe && ln -s o.npz link"), 0);
    assert_int_equal(run("run m.tflite --input g.npz --output pipe"), 1);
    expect(err, "is no regular file");
    assert_int_equal(run("run m.tflite --input g.npz --output o.npz"), 0);
    assert_int_equal(run("run m.tflite --input g.npz --output link"), 0);
    assert_int_equal(shell("test -p pipe && test -h link && rm pipe link"), 0);
}

static void run_refuses_wrong_arrays(void **state)
{
    (void)state;
    static const int64_t shape[] = {1, 4, 5, 6}, other[] = {4, 5, 6};
    run_with("in0_0", 'f', 4, 4, shape);
    expect(err, "i.npz: \"in0_0\": error: type is <f4; input 0 takes |i1");
    run_with("in0_0", 'i', 1, 3, other);
    expect(err, "i.npz: \"in0_0\": error: shape is (4, 5, 6); input 0 takes (1, 4, 5, 6)");
    run_with("in0_1", 'i', 1, 4, shape);
    expect(err, "i.npz: \"in0_1\": error: there is no array in0_0 before it; steps are numbered from 0 without a gap");
    run_with("in1_4000000000", 'i', 1, 4, shape);
    expect(err, "there is no array in1_3999999999 before it");
    run_with("in1_99999999999999999999", 'i', 1, 4, shape);
    expect(err, "the numbers are too large or begin with 0; expected in<i>_<step>");
    run_with("in1_00", 'i', 1, 4, shape);
    expect(err, "the numbers are too large or begin with 0");
    run_with("input_0", 'i', 1, 4, shape);
    expect(err, "i.npz: \"input_0\": error: the array belongs to no input; expected in0_<step>, in1_<step>");
    run_with("in2_0", 'i', 1, 4, shape);
    expect(err, "i.npz: \"in2_0\": error: the array belongs to no input; expected in0_<step>, in1_<step>");
    run_with("imput", 'i', 1, 4, shape);
    expect(err, "i.npz: error: input 0 \"in0\" is missing: expected an array in0_0 of type |i1 and shape (1, 4, 5, 6)");
    expect(err, "i.npz: \"imput\": error: the array belongs to no input; expected in0_<step>, in1_<step>");
}

/* Inputs by index or name: unknown names, and two arrays of one input. */
static void run_refuses_unknown_names(void **state)
{
    (void)state;
    static const uint8_t zeros[120];
    static const char *const names[] = {"input_0", "in1", "input_2", "output_1", "x"};
    HeliaArena *arena = helia_arena_new(NULL);
    HeliaDiag *diag = helia_diag_new(arena, NULL, NULL, 1);
    Npz npz = {0};
    for (int i = 0; i < 5; i++)
        HELIA_PUSH(arena, &npz,
                   ((NpzArray){.name = names[i],
                               .kind = 'i',
                               .item = 1,
                               .rank = i == 1 ? 1 : 4,
                               .dim = {1, 4, 5, 6},
                               .data = zeros,
                               .size = i == 1 ? 1 : 120}));
    char path[128];
    snprintf(path, sizeof(path), "%s/i.npz", folder);
    assert_true(npz_write(arena, diag, path, &npz));
    assert_int_equal(run("run " MODEL " --input i.npz --output refused.npz"), 1);
    for (int i = 2; i < 5; i++)
        expect(err, helia_format(arena,
                                 "\"%s\": error: the array belongs to no input; expected input_0 or \"in0\", "
                                 "input_1 or \"in1\"",
                                 names[i]));
    npz.len = 2;
    assert_true(npz_write(arena, diag, path, &npz));
    assert_int_equal(run("run " MODEL " --input i.npz --output o.npz"), 0);
    npz.at[2].name = "in0";
    npz.len = 3;
    assert_true(npz_write(arena, diag, path, &npz));
    assert_int_equal(run("run " MODEL " --input i.npz --output refused.npz"), 1);
    expect(err, "i.npz: \"in0\": error: input 0 has the array \"input_0\" already; expected one of them");
    helia_arena_free(arena);
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

/* The module's files stay beside what is exported, and where the export fails. */
static void work_folder_is_kept(void **state)
{
    (void)state;
    assert_int_equal(run("convert --model.path " MODEL " --module.path kept --keep-work-dir"), 0);
    expect(err, "export: the work folder kept/.helia_aot_nn.");
    assert_int_equal(shell("diff -r kept/helia_aot_nn kept/.helia_aot_nn.*.work"), 0);
    assert_int_equal(run("convert --model.path " MODEL " --module.path kept.zip --keep-work-dir"), 0);
    expect(err, "export: the work folder kept.zip.");
    assert_int_equal(shell("diff -r kept/helia_aot_nn kept.zip.*.work"), 0);
    assert_int_equal(run("convert --model.path " MODEL " --module.path kept.zip --keep-work-dir"), 1);
    expect(err, "export: the work folder kept.zip.");
    assert_int_equal(run("convert --model.path " MODEL " --module.path left"), 0);
    assert_int_equal(shell("test \"$(ls -A left)\" = helia_aot_nn"), 0);
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

/* --verbose 2 says what attributes each operator and tensor ended with; a rule without effect is warned of by its line. */
static void attributes_and_their_rules(void **state)
{
    (void)state;
    write_text("rules.yaml", "operators:\n  - {type: ADD, attributes: {code_placement: ITCM}}\n"
                             "  - {type: SOFTMAX, attributes: {code_placement: ITCM}}\n"
                             "  - {id: add_0, attributes: {scratch_placement: SRAM}}\n"
                             "memory:\n  tensors:\n    - {type: SCRATCH, attributes: {memory: SRAM}}\n"
                             "    - {id: nobody, attributes: {memory: SRAM}}\n"
                             "    - {id: in0, attributes: {constant_destination_memory: DTCM}}\n");
    assert_int_equal(run("explain " MODEL " --path rules.yaml --verbose 2"), 0);
    expect(err, "plan: operator add_0: code_placement ITCM, scratch_placement none needed");
    expect(err, "plan: tensor \"in0\" (SCRATCH): memory SRAM");
    expect(err, "rules.yaml:3:5: warning: the rule matches no operator of the model");
    expect(err,
           "rules.yaml:4:5: warning: the rule sets scratch_placement: SRAM, which operator add_0 does not support");
    expect(err, "rules.yaml:8:7: warning: the rule matches no tensor of the model");
    expect(err, "rules.yaml:9:7: warning: the rule sets constant_destination_memory: DTCM, which tensor \"in0\" "
                "(SCRATCH) does not support");
}

static void keys_without_effect(void **state)
{
    (void)state;
    write_text("vain.yaml", "test: {tolerance: 1, golden_data: x.npz, num_iterations: 1}\n"
                            "memory: {planner_options: {step_limit: 3, seed: 0}, tensors: [{attributes: {}}]}\n"
                            "operators: [{id: add_0, attributes: {lut_mode: null}}]\n");
    assert_int_equal(run("convert --path vain.yaml --module.path vain --model.path " MODEL), 0);
    expect(err, "vain.yaml:1:19: warning: test.tolerance has no effect: test.enabled is false");
    expect(err, "vain.yaml:1:35: warning: test.golden_data has no effect: test.enabled is false");
    assert_null(strstr(err, "num_iterations"));
    expect(err, "vain.yaml:2:28: warning: step_limit has no effect: planner greedy takes no options");
    expect(err, "vain.yaml:2:43: warning: seed has no effect: planner greedy takes no options");
    expect(err, "vain.yaml:2:63: warning: the rule has no effect: it sets no attribute; expected memory or ");
    expect(err, "vain.yaml:3:13: warning: the rule has no effect: it sets no attribute; expected code_placement, ");
    assert_int_equal(run("convert --module.path vain2 --model.path " MODEL " --test.enabled --test.skip_verification "
                         "--test.tolerance 1 --test.litert_library x.so --test.state-feedback '[[0, 0]]'"),
                     0);
    expect(err, "--test.tolerance: warning: test.tolerance has no effect: test.skip_verification is true");
    expect(err, "test.litert_library has no effect: test.skip_verification is true");
    expect(err, "test.state_feedback has no effect: test.num_iterations is 1");
    assert_int_equal(run("convert --path vain2/helia_aot_nn/helia_aot.yaml --module.path vain3 --model.path " MODEL
                         " --no-test.skip_verification --test.state_feedback=[] --memory.planner optimal "
                         "--memory.planner_options '{step_limit: 3}'"),
                     0);
    assert_null(strstr(err, "no effect"));
    write_text("p.csv", "a,0,1,10\n");
    assert_int_equal(run("plan p.csv --planner optimal --max-stall-iterations 5 --step-limit 7"), 0);
    expect(err,
           "--max-stall-iterations: warning: max_stall_iterations has no effect: planner optimal takes step_limit");
    assert_null(strstr(err, "--step-limit"));
}

static void levels_of_progress(void **state)
{
    (void)state;
    assert_int_equal(run("explain " MODEL " --verbose 1"), 0);
    assert_null(strstr(err, "add_0"));
    assert_int_equal(run("explain " MODEL " --verbose 2 --platform.name cortex-m4"), 0);
    expect(err, "transform: fuse_activation, 1 -> 1 operators");
    expect(err, "resolve: add_0: helia_add_s8_dsp\n");
    assert_null(strstr(err, "fused_activation_function"));
    assert_int_equal(run("explain " MODEL " --verbose 3 --platform.name cortex-m4"), 0);
    expect(err, "resolve: tensor %0 s8[1x4x5x6] \"in0\" litert 0 q ");
    expect(err, "resolve: add_0: op 0 ADD (%0 %1) -> (%2) {fused_activation_function=NONE");
}

/* Results keep their bits, whatever transforms there are. */
static void transforms_keep_the_bits(void **state)
{
    (void)state;
    static const char *const models[] = {"branches", "digits", "ic_resnet8"};
    HeliaArena *arena = helia_arena_new(NULL);
    HeliaDiag *diag = helia_diag_new(arena, NULL, NULL, 1);
    const HeliaRegistry *t = helia_build_default_registry_context(arena, diag, NULL, NULL, 0, false)->transforms;
    const char *off = "";
    for (uint32_t i = 0; i < helia_registry_count(t); i++)
        off = helia_format(arena, "%s%s{\"name\": \"%s\", \"enabled\": false}", off, i ? ", " : "",
                           helia_registry_key(t, i));
    for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
        const char *text = helia_format(arena,
                                        "run " HELIA_SOURCE_DIR "/models/%s.tflite --input " HELIA_SOURCE_DIR
                                        "/models/golden/%s.npz --output",
                                        models[i], models[i]);
        assert_int_equal(run(helia_format(arena, "%s on.npz", text)), 0);
        assert_int_equal(run(helia_format(arena, "%s off.npz --transforms '[%s]'", text, off)), 0);
        assert_int_equal(shell("cmp on.npz off.npz"), 0);
    }
    helia_arena_free(arena);
}

/* What the module records converts to the same module, with the model beside it or named from elsewhere. */
static void recorded_configuration_converts_again(void **state)
{
    (void)state;
    assert_int_equal(run("convert --model.path " MODEL " --module.path one --module.prefix kws --transforms "
                         "'[{\"name\": \"prune_identity_ops\", \"enabled\": false}]'"),
                     0);
    assert_int_equal(run("convert --path one/helia_aot_nn/helia_aot.yaml --module.path two --model.path " MODEL), 0);
    assert_int_equal(shell("diff -r one two"), 0);
    assert_int_equal(shell("cp " MODEL " one/helia_aot_nn/ && cp " MODEL " elsewhere.tflite"), 0);
    assert_int_equal(run("convert --path one/helia_aot_nn/helia_aot.yaml --module.path three"), 0);
    assert_int_equal(
        run("convert --path one/helia_aot_nn/helia_aot.yaml --module.path four --model.path elsewhere.tflite"), 0);
    assert_int_equal(shell("diff -r two three && diff -r two four"), 0);
    assert_int_equal(run("convert --path one/helia_aot_nn/helia_aot.yaml --module.path three"), 1);
    expect(err, "--force");
    assert_int_equal(run("convert --path one/helia_aot_nn/helia_aot.yaml --module.path three --force"), 0);
}

/* With every key that is recorded at a value that is no default, but for plug-ins and what contradicts another: what the
 * module records converts to the same bytes, itself included. */
static void every_key_converts_again(void **state)
{
    (void)state;
    write_text(
        "every.yaml",
        "model: {subgraph: 0, type: litert, name: a name, description: 'two words', version: 1.10,\n"
        "        input_shapes: {x: [2, 8, 7, 4]}}\n"
        "module: {type: plain, name: my_nn, prefix: my, schedule: static}\n"
        "transforms: [{name: prune_identity_ops, enabled: false}]\n"
        "operators: [{type: CONV_2D, attributes: {code_placement: ITCM}}]\n"
        "memory: {planner: hill_climb, planner_options: {iterations: 50, seed: 7, max_stall_iterations: 9},\n"
        "         reorder: false, constraints: [{memory: SRAM, max_size: 100000}, {memory: MRAM}],\n"
        "         tensors: [{type: CONSTANT, attributes: {constant_destination_memory: SRAM}}],\n"
        "         allocate_arenas: false, constants: {MRAM: sidecar}, keep_inputs: true,\n"
        "         dump_residency_report: true}\n"
        "platform: {name: apollo4p, cpu: cortex-m33, memories: {SRAM: 200000, ITCM: 65536}, capabilities: [dsp],\n"
        "           preferred_memory_order: [SRAM, MRAM], min_alignment: 64}\n"
        "test: {enabled: true, tolerance: 2, float_tolerance: 0.125, num_iterations: 2}\n"
        "documentation: {html: true}\n"
        "optimization: {goal: size, kernel_entry: generic, allow_numeric_changes: true}\n"
        "verbose: 0\nforce: true\nlog_file: log.txt\n");
    const char *model = "--model.path " HELIA_SOURCE_DIR "/tests/conformance/models/dynamic_batch_float32_conv.tflite";
    char line[512];
    snprintf(line, sizeof(line), "convert --path every.yaml %s --module.path first", model);
    if (run(line) != 0)
        fail_msg("%s", err);
    snprintf(line, sizeof(line), "convert --path first/my_nn/helia_aot.yaml %s --module.path second", model);
    assert_int_equal(run(line), 0);
    assert_int_equal(shell("diff -r first second && ! grep -q log.txt -r first"), 0);
}

static int set_up(void **state)
{
    (void)state;
    ssize_t n = readlink("/proc/self/exe", tool, sizeof(tool) - 16);
    if (n <= 0 || !mkdtemp(folder))
        return -1;
    tool[n] = 0;
    strcpy(strrchr(tool, '/') + 1, "helia-aot");
    return access(tool, X_OK);
}

static int tear_down(void **state)
{
    (void)state;
    char line[64];
    snprintf(line, sizeof(line), "rm -r %s", folder);
    return system(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help),
        cmocka_unit_test(wrong_command_lines),
        cmocka_unit_test(machine_at_fault),
        cmocka_unit_test(json_lists),
        cmocka_unit_test(operators),
        cmocka_unit_test(named_models),
        cmocka_unit_test(plans),
        cmocka_unit_test(verbosity_and_log),
        cmocka_unit_test(run_gives_the_golden_answer),
        cmocka_unit_test(inputs_stay),
        cmocka_unit_test(run_refuses_wrong_arrays),
        cmocka_unit_test(run_refuses_unknown_names),
        cmocka_unit_test(hooks_on_a_terminal),
        cmocka_unit_test(work_folder_is_kept),
        cmocka_unit_test(long_paths),
        cmocka_unit_test(attributes_and_their_rules),
        cmocka_unit_test(keys_without_effect),
        cmocka_unit_test(levels_of_progress),
        cmocka_unit_test(transforms_keep_the_bits),
        cmocka_unit_test(recorded_configuration_converts_again),
        cmocka_unit_test(every_key_converts_again),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
