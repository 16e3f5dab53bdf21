/* Plug-ins as a user has them: each way in which one can be wrong is a clear message, the right exit status and no
 * output. The executable stands in the folder of this test. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/npz.h"

#define MODEL HELIA_SOURCE_DIR "/tests/conformance/models/add_int8_bc_scalar.tflite"
#define GOLDEN HELIA_SOURCE_DIR "/tests/conformance/golden/add_int8_bc_scalar.npz"

static char folder[] = "/tmp/helia-plugin-XXXXXX";
static char tool[4096];
static char err[1 << 16];

static int shell(const char *fmt, ...)
{
    char command[8192], line[8300];
    va_list args;
    va_start(args, fmt);
    vsnprintf(command, sizeof(command), fmt, args);
    va_end(args);
    snprintf(line, sizeof(line), "cd %s && %s", folder, command);
    int status = system(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void build(const char *flags)
{
    assert_int_equal(shell("gcc -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Werror -shared -fPIC -fvisibility=hidden "
                           "-I " HELIA_SOURCE_DIR "/include %s -o p.so " HELIA_SOURCE_DIR "/tests/plugins/variant.c",
                           flags),
                     0);
}

/* Standard output and error of the last command are in err. */
static int run(const char *arguments)
{
    char path[128];
    int status = shell("rm -rf out && '%s' %s >err 2>&1", tool, arguments);
    snprintf(path, sizeof(path), "%s/err", folder);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    err[fread(err, 1, sizeof(err) - 1, f)] = 0;
    fclose(f);
    return status;
}

static void expect(const char *part)
{
    if (!strstr(err, part))
        fail_msg("expected \"%s\" in:\n%s", part, err);
}

#define CONVERT "convert --model.path " MODEL " --platform.name host --module.path out "

static void refused(const char *flags, const char *message)
{
    build(flags);
    assert_int_equal(run(CONVERT "--plugin p.so"), 1);
    expect("p.so");
    expect(message);
    assert_int_equal(shell("test ! -e out"), 0);
}

static void accepted(void **state)
{
    (void)state;
    build("");
    assert_int_equal(run(CONVERT "--plugin=p.so"), 0);
    expect("plug-in: variant 1.2");
    assert_int_equal(shell("grep -q 'version: \"1.2\"' out/helia_aot_nn/helia_aot.yaml"), 0);
    assert_int_equal(run("operators list --plugin p.so"), 0);
    expect("CONV_2D");
    assert_int_equal(run("explain " MODEL " --plugin p.so"), 0);
}

static void wrong_numbers(void **state)
{
    (void)state;
    refused("-DABI=99", "has ABI 99");
    refused("-DSIZE=8", "describes itself in 8 bytes");
    refused("-DLAYOUT=7", "structs have other sizes (0x00000007");
}

static void wrong_description(void **state)
{
    (void)state;
    refused("'-DNAME=\"a b\"'", "name is \"a b\"");
    refused("-DNAME=NULL", "name is \"\"");
    refused("'-DVERSION=\"1 2\"'", "version is \"1 2\"");
    refused("-DCUSTOMIZE=NULL", "no customize function");
    refused("-DREFUSE", "refuses helia-aot");
    refused("-DENTRY=other", "does not define helia_plugin_init");
}

static void failing(void **state)
{
    (void)state;
    build("-DFAIL");
    assert_int_equal(run(CONVERT "--plugin p.so"), 1);
    expect("plug-in variant failed to set up the registries");
    assert_int_equal(shell("test ! -e out"), 0);
}

static void no_plugin(void **state)
{
    (void)state;
    assert_int_equal(shell("echo text >text.so"), 0);
    assert_int_equal(run(CONVERT "--plugin text.so"), 1);
    expect("text.so: error: cannot load the plug-in");
    assert_int_equal(run(CONVERT "--plugin absent.so"), 2);
    expect("absent.so");
    assert_int_equal(run(CONVERT "--plugin"), 1);
    expect("expected FILE.so");
    assert_int_equal(shell("test ! -e out"), 0);
}

/* A file cut off anywhere, or with a header that points out of it, would end the process inside dlopen(). */
static void damaged(void **state)
{
    (void)state;
    build("-s");
    static const struct {
        const char *change, *message;
    } cases[] = {
        {"head -c 40 p.so >d.so", "the file ends inside the ELF header"},
        {"head -c 100 p.so >d.so", "the file ends inside its program headers: it has 100 bytes"},
        {"head -c 4096 p.so >d.so", "the file ends before its section headers: it has 4096 bytes"},
        {"head -c -1 p.so >d.so", "the file ends before its section headers"},
        /* no section headers */
        {"(head -c 40 p.so; head -c 8 /dev/zero; head -c 4096 p.so | tail -c +49) >d.so",
         "the file ends inside segment"},
        {"(head -c 4 p.so; printf '\\001'; tail -c +6 p.so) >d.so", "it is for a machine of 32 bits, little-endian"},
        {"(head -c 18 p.so; printf '\\050\\000'; tail -c +21 p.so) >d.so", "it is for another machine (ELF number 40)"},
        {"gcc -std=c11 -c -I " HELIA_SOURCE_DIR "/include -o d.so " HELIA_SOURCE_DIR "/tests/plugins/variant.c",
         "it is an object file; expected a shared object"},
        {": >d.so", "it is no ELF file"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(shell("%s", cases[i].change), 0);
        assert_int_equal(run(CONVERT "--plugin d.so"), 1);
        expect("d.so: error: cannot load the plug-in: ");
        expect(cases[i].message);
    }
}

static void two_of_one_name(void **state)
{
    (void)state;
    build("");
    assert_int_equal(shell("mkdir -p more && cp p.so more/q.so && cp p.so more/p.so"), 0);
    assert_int_equal(run(CONVERT "--plugin p.so --plugin more/q.so"), 1);
    expect("more/q.so: error: the plug-in's name is \"variant\", which p.so has, too");
    assert_int_equal(run(CONVERT "--plugin p.so --plugin more/p.so"), 1);
    expect("more/p.so: error: the plug-in's name is \"variant\", which p.so has, too");
    assert_int_equal(run(CONVERT "--plugins '[{path: p.so}, {path: more/q.so}]'"), 1);
    expect("more/q.so: error: the plug-in's name is \"variant\", which p.so has, too");
    assert_int_equal(run(CONVERT "--plugin p.so --plugin p.so"), 0);
}

static void overriding(void **state)
{
    (void)state;
    build("-DREPLACE=0");
    assert_int_equal(run(CONVERT "--plugin p.so"), 1);
    expect("\"ADD\": a built-in can be replaced only where overriding is allowed");
    assert_int_equal(run(CONVERT "--plugin p.so --plugin-allow-override"), 1);
    expect("the replacement emits nothing");
    assert_int_equal(shell("test ! -e out"), 0);
    assert_int_equal(run("explain " MODEL " --plugin p.so --plugin-allow-override"), 0);
}

/* A function that fails must be blamed for it where it says nothing itself. */
static void silent(void **state)
{
    (void)state;
    static const struct {
        char which;
        const char *message;
    } cases[] = {{'h', "the model hook silent"}, {'t', "the transform silent"},   {'p', "the operator's parser"},
                 {'i', "the class's infer"},     {'r', "the class's on_resolve"}, {'e', "the class's emit"}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char flag[32], message[96];
        snprintf(flag, sizeof(flag), "\"-DSILENT='%c'\"", cases[i].which);
        snprintf(message, sizeof(message), "%s failed without saying why", cases[i].message);
        build(flag);
        assert_int_equal(run(CONVERT "--plugin p.so --plugin-allow-override"), 1);
        expect(message);
        assert_int_equal(shell("test ! -e out"), 0);
    }
    build("\"-DSILENT='v'\"");
    assert_int_equal(run("run " MODEL " --input " GOLDEN " --output o.npz --plugin p.so --plugin-allow-override"), 1);
    expect("the class's eval failed without saying why");
    assert_int_equal(shell("test ! -e o.npz"), 0);
}

/* A class emits the operator's header, its run function, and an init function if it says so. */
static void incomplete_emission(void **state)
{
    (void)state;
    static const struct {
        const char *emitted, *message;
    } cases[] = {
        {"RUN", "the operator class ADD does not write includes-api/aot_add_0.h; expected: its emit begins with"},
        {"HEADER", "the operator class ADD does not emit aot_add_0_run; expected: int32_t aot_add_0_run(aot_model_"},
        {"HEADER+RUN+INIT",
         "the operator class ADD emits aot_add_0_init, which nothing would call; expected: has_init"},
        {"HEADER+RUN+INIT_CALLED", "the operator class ADD does not emit aot_add_0_init; expected: int32_t aot_add_0_"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char flag[64];
        snprintf(flag, sizeof(flag), "-DREPLACE=%s", cases[i].emitted);
        build(flag);
        assert_int_equal(run(CONVERT "--plugin p.so --plugin-allow-override"), 1);
        expect(cases[i].message);
        assert_int_equal(shell("test ! -e out"), 0);
    }
    build("-DREPLACE=HEADER+RUN");
    assert_int_equal(run(CONVERT "--plugin p.so --plugin-allow-override"), 0);
    build("-DREPLACE=HEADER+RUN+INIT+INIT_CALLED");
    assert_int_equal(run(CONVERT "--plugin p.so --plugin-allow-override"), 0);
}

static void kernel_sources(void **state)
{
    (void)state;
    build("'-DSOURCE=\"helia_x.c\"'");
    assert_int_equal(run(CONVERT "--plugin p.so"), 0);
    build("'-DSOURCE=\"x.c\"'");
    assert_int_equal(run(CONVERT "--plugin p.so"), 1);
    expect("accepted are names helia_*.c and helia_*.h");
    build("'-DSOURCE=\"helia_math.h\"'");
    assert_int_equal(run(CONVERT "--plugin p.so"), 1);
    expect("the runtime has a file of that name");
}

static void configured(void **state)
{
    (void)state;
    build("");
    assert_int_equal(shell("printf 'plugins: [{path: p.so, name: variant, version: \"1.2\"}]\\n' >c.yaml"), 0);
    assert_int_equal(run(CONVERT "--path c.yaml"), 0);
    assert_int_equal(
        shell("mkdir -p moved && cp p.so moved && sed 's/path: p.so/path: gone\\/p.so/' c.yaml >gone.yaml"), 0);
    assert_int_equal(run(CONVERT "--path gone.yaml"), 2);
    assert_int_equal(run(CONVERT "--path gone.yaml --plugin moved/p.so"), 0);
    assert_int_equal(shell("sed 's/1.2/1.3/' c.yaml >newer.yaml && sed 's/variant/another/' c.yaml >other.yaml"), 0);
    assert_int_equal(run(CONVERT "--path newer.yaml"), 1);
    expect("version of \"variant\" is \"1.3\"; that of ");
    assert_int_equal(run(CONVERT "--path other.yaml"), 1);
    expect("name is \"another\"; that of ");
}

#define FIR HELIA_SOURCE_DIR "/examples/scratch-and-state/"

/* The example's own builder, as a part of this program. */
int fir_make_model(int argc, char **argv);
#define main fir_make_model
#include "../../examples/scratch-and-state/make_model.c"
#undef main

static void write_fir_model(void)
{
    char name[] = "make_model", path[128];
    snprintf(path, sizeof(path), "%s/fir.tflite", folder);
    char *arguments[] = {name, path, NULL};
    assert_int_equal(fir_make_model(2, arguments), 0);
}

/* A frame of four channels, all with the same value. */
static void add_frame(HeliaArena *arena, Npz *npz, const char *name, int8_t value)
{
    int8_t *frame = helia_alloc(arena, 4, 1);
    memset(frame, value, 4);
    HELIA_PUSH(arena, npz,
               ((NpzArray){.name = name, .kind = 'i', .item = 1, .rank = 2, .dim = {1, 4}, .data = frame, .size = 4}));
}

/* The example with state, evaluated over four steps with the plug-in's own kernel: taps 1, 2, 1 and a shift of 2. */
static void evaluated(void **state)
{
    (void)state;
    static const int8_t inputs[] = {40, 80, -8, 0}, expected[] = {10, 40, 48, 16};
    HeliaArena *arena = helia_arena_new(NULL);
    HeliaDiag *diag = helia_diag_new(arena, NULL, NULL, 0);
    Npz in = {0}, out = {0};
    char path[128];
    assert_int_equal(shell("gcc -std=c11 -shared -fPIC -fvisibility=hidden -I " HELIA_SOURCE_DIR
                           "/include -o fir.so " FIR "fir.c " FIR "helia_fir_s8.c && cp " FIR "helia_fir_s8.[ch] ."),
                     0);
    write_fir_model();
    for (int i = 0; i < 4; i++)
        add_frame(arena, &in, helia_format(arena, "in0_%d", i), inputs[i]);
    snprintf(path, sizeof(path), "%s/in.npz", folder);
    assert_true(npz_write(arena, diag, path, &in));
    assert_int_equal(run("run fir.tflite --input in.npz --output out.npz --plugin fir.so"), 0);
    snprintf(path, sizeof(path), "%s/out.npz", folder);
    assert_true(npz_read(arena, diag, path, &out));
    for (int i = 0; i < 4; i++) {
        const NpzArray *a = npz_find(&out, helia_format(arena, "out0_%d", i));
        assert_true(a && a->size == 4);
        assert_int_equal(((const int8_t *)a->data)[3], expected[i]);
    }
    helia_arena_free(arena);
}

/* Where the operators of a model may come from, by what is missing. */
static void missing_operators(void **state)
{
    (void)state;
    write_fir_model();
    assert_int_equal(run("explain fir.tflite"), 1);
    expect("FIR \"filtered\": error: the operator is not supported");
    expect("custom operators come from plug-ins, of --plugin FILE.so or of `plugins` in the configuration; none is "
           "loaded");
    expect("helia_audio_frontend.so, which is installed with helia-aot");
    assert_null(strstr(err, "supported operators: "));
    build("-DPARSER=\\\"FIR2\\\"");
    assert_int_equal(run("explain fir.tflite --plugin p.so"), 1);
    expect("loaded are: FIR2");
}

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    return shell("rm -rf %s", folder);
}

int main(int argc, char **argv)
{
    (void)argc;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepted),
        cmocka_unit_test(wrong_numbers),
        cmocka_unit_test(wrong_description),
        cmocka_unit_test(failing),
        cmocka_unit_test(no_plugin),
        cmocka_unit_test(damaged),
        cmocka_unit_test(two_of_one_name),
        cmocka_unit_test(overriding),
        cmocka_unit_test(silent),
        cmocka_unit_test(incomplete_emission),
        cmocka_unit_test(kernel_sources),
        cmocka_unit_test(configured),
        cmocka_unit_test(evaluated),
        cmocka_unit_test(missing_operators),
    };
    char *here = realpath(argv[0], NULL);
    char *slash = here ? strrchr(here, '/') : NULL;
    if (!slash)
        return 2;
    snprintf(tool, sizeof(tool), "%.*s/helia-aot", (int)(slash - here), here);
    free(here);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
