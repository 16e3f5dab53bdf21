/* What a custom operator may count on, each rule with a module that is built and run: init only where it is declared,
 * scratch reserved by the planner, headers for C++, and statuses handed through. */
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

#include <helia_aot/helia_aot.h>

#define INTS(arena, ...)                                                                                               \
    ((LitertInts){helia_memdup((arena), (const int32_t[]){__VA_ARGS__}, sizeof((const int32_t[]){__VA_ARGS__})),       \
                  sizeof((const int32_t[]){__VA_ARGS__}) / sizeof(int32_t)})

static char folder[64], messages[1 << 14];
static HeliaSession *s;

static int shell(const char *fmt, ...)
{
    char command[4096], line[4200];
    va_list args;
    va_start(args, fmt);
    vsnprintf(command, sizeof(command), fmt, args);
    va_end(args);
    snprintf(line, sizeof(line), "cd %s && %s", folder, command);
    int status = system(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void to_messages(void *user, HeliaSeverity severity, const char *text)
{
    (void)user;
    (void)severity;
    if (strlen(messages) + strlen(text) + 2 < sizeof(messages))
        strcat(strcat(messages, text), "\n");
}

/* ---- the operator ----------------------------------------------------------------------------- */
static bool parse(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self;
    (void)p;
    (void)node;
    return true;
}

enum { SCRATCH = 100 };

static size_t scratch(const HeliaOpContext *c, const AirNode *n)
{
    (void)c;
    (void)n;
    return SCRATCH;
}

static void function(HeliaEmitter *e, const AirNode *n, HeliaOut *o, const char *phase)
{
    const char *p = helia_emit_prefix(e);
    helia_out_line(o, "int32_t %s_%s_%s(%s_model_context_t *ctx)", p, n->cname, phase, p);
    helia_out_line(o, "{");
}

/* The first input byte is the status of run; init gives INIT_STATUS if that is defined. The input goes through scratch,
 * which is filled whole first. */
static bool emit(HeliaEmitter *e, const AirNode *n)
{
    HeliaOut *o = helia_emit_operator(e, n);
    if (!o)
        return false;
    helia_out_line(o, "#include <string.h>");
    if (n->op->has_init) {
        function(e, n, o, "init");
        helia_out_line(o, "    (void)ctx;");
        helia_out_line(o, "    return INIT_STATUS;");
        helia_out_line(o, "}");
    }
    function(e, n, o, "run");
    helia_out_line(o, "    const int8_t *in = (const int8_t *)%s;", helia_emit_tensor(e, n->in[0]));
    helia_out_line(o, "    void *work = %s;", helia_emit_scratch(e, n));
    helia_out_line(o, "    int32_t status = in[0];");
    if (n->scratch) {
        helia_out_line(o, "    memset(work, 0x55, %zuu);", n->scratch);
        helia_out_line(o, "    memcpy(work, in, 8u);");
    }
    helia_out_line(o, "    memcpy(%s, work ? work : (const void *)in, 8u);", helia_emit_tensor(e, n->out[0]));
    helia_out_line(o, "    return status;");
    helia_out_line(o, "}");
    return true;
}

static const HeliaLitertParser parser = {parse, NULL};
static HeliaOpClass op_class;

static bool customize(HeliaRegistryContext *c, void *user)
{
    (void)user;
    return helia_register_op(c, &op_class, &parser, NULL);
}

/* ---- the model: two of them in a row ---------------------------------------------------------- */
static void write_model(void)
{
    HeliaArena *arena = helia_arena_new(NULL);
    LitertModel *m = litert_model_new(arena, "custom.tflite");
    HELIA_PUSH(arena, &m->operator_codes, ((LitertOpcode){LITERT_OP_CUSTOM, "my-op", 1}));
    LitertSubgraph g = {.name = "main", .inputs = INTS(arena, 0), .outputs = INTS(arena, 2)};
    static const char *const names[] = {"in", "mid", "out"};
    for (int i = 0; i < 3; i++)
        HELIA_PUSH(arena, &g.tensors, ((LitertTensor){.name = names[i], .type = 9, .shape = INTS(arena, 1, 8)}));
    HELIA_PUSH(arena, &g.operators, ((LitertOp){.inputs = INTS(arena, 0), .outputs = INTS(arena, 1)}));
    HELIA_PUSH(arena, &g.operators, ((LitertOp){.inputs = INTS(arena, 1), .outputs = INTS(arena, 2)}));
    HELIA_PUSH(arena, &m->subgraphs, g);
    LitertBytes bytes = litert_write(arena, helia_diag_new(arena, NULL, NULL, 0), m);
    char path[128];
    snprintf(path, sizeof(path), "%s/custom.tflite", folder);
    FILE *f = fopen(path, "wb");
    assert_true(f && bytes.len && fwrite(bytes.at, 1, bytes.len, f) == bytes.len && fclose(f) == 0);
    helia_arena_free(arena);
}

static void write_text(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_true(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

/* The program's exit status is what model_run returns for an input that begins with argv[1], 100 + that of model_init
 * if it fails. */
static const char program[] = "#include <stdlib.h>\n#include \"aot_model.h\"\n"
                              "static aot_model_context_t ctx;\n"
                              "int main(int argc, char **argv)\n{\n"
                              "    int32_t status = aot_model_init(&ctx);\n"
                              "    if (status)\n        return 100 + (int)status;\n"
                              "    ((int8_t *)ctx.inputs[0].data)[0] = (int8_t)(argc > 1 ? atoi(argv[1]) : 0);\n"
                              "    ((int8_t *)ctx.inputs[0].data)[7] = 9;\n"
                              "    status = aot_model_run(&ctx);\n"
                              "    if (!status && ((int8_t *)ctx.outputs[0].data)[7] != 9)\n        return 99;\n"
                              "    return (int)status;\n}\n";

static void convert(const char *schedule)
{
    char path[128];
    snprintf(path, sizeof(path), "%s/custom.tflite", folder);
    helia_session_free(s);
    messages[0] = 0;
    s = helia_session_new(to_messages, NULL);
    helia_session_customize(s, customize, NULL);
    helia_session_set(s, "model.path", path);
    helia_session_set(s, "module.path", folder);
    helia_session_set(s, "module.name", "m");
    helia_session_set(s, "module.schedule", schedule);
    helia_session_set(s, "platform.name", "host");
    helia_session_set(s, "force", "true");
    if (helia_session_run(s, HELIA_STAGE_EXPORT) != HELIA_STATUS_OK)
        fail_msg("%s", messages);
}

static int build(const char *flags)
{
    return shell(
        "gcc -std=c99 -Wall -Wextra -Wpedantic -Wmissing-prototypes -Werror -fsanitize=undefined %s -I m/includes-api "
        "-I m/src p.c m/src/*.c -o p",
        flags);
}

static int set_up(void **state)
{
    (void)state;
    s = NULL;
    op_class = (HeliaOpClass){.type = "MY_OP", .min_in = 1, .max_in = 1, .n_out = 1, .emit = emit};
    strcpy(folder, "/tmp/helia-rules-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    write_model();
    write_text("p.c", program);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    helia_session_free(s);
    return shell("rm -rf %s", folder);
}

/* ---- rules ------------------------------------------------------------------------------------ */
static const char *const schedules[] = {"table", "static"};

static void no_init_unless_declared(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        op_class.has_init = false;
        convert(schedules[i]);
        assert_int_equal(shell("! grep -rq 'my_op_[01]_init' m"), 0);
        assert_int_equal(build(""), 0);
        op_class.has_init = true;
        convert(schedules[i]);
        assert_int_equal(build("-DINIT_STATUS=0"), 0);
        assert_int_equal(shell("./p"), 0);
        assert_int_equal(build("-DINIT_STATUS=23"), 0);
        assert_int_equal(shell("./p"), 123);
    }
}

static void status_is_handed_through(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        convert(schedules[i]);
        assert_int_equal(build(""), 0);
        assert_int_equal(shell("./p"), 0);
        assert_int_equal(shell("./p 42"), 42);
        assert_int_equal(shell("./p 1"), 1);
    }
}

static void scratch_is_reserved(void **state)
{
    (void)state;
    HeliaPlace place, tensor;
    HeliaRegion region;
    convert("table");
    const AirGraph *g = helia_session_air(s)->main;
    assert_false(helia_session_scratch_place(s, 0, &place));
    assert_true(helia_session_region(s, 0, &region) && region.size < SCRATCH);

    op_class.scratch = scratch;
    convert("table");
    g = helia_session_air(s)->main;
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(g->nodes.at[i]->scratch, SCRATCH);
        assert_true(helia_session_scratch_place(s, i, &place) && helia_session_region(s, place.region, &region));
        assert_true(place.size >= SCRATCH && place.offset + place.size <= region.size);
        assert_true(place.first == i && place.last == i);
        const AirTensor *both[] = {g->nodes.at[i]->in[0], g->nodes.at[i]->out[0]};
        for (int k = 0; k < 2; k++) {
            assert_true(helia_session_tensor_place(s, both[k], &tensor));
            assert_true(tensor.region != place.region || tensor.offset >= place.offset + SCRATCH ||
                        tensor.offset + tensor.size <= place.offset);
        }
    }
    assert_int_equal(build(""), 0);
    assert_int_equal(shell("./p"), 0);
}

static void tensors_through_the_context(void **state)
{
    (void)state;
    convert("table");
    assert_int_equal(shell("grep -q 'ctx->tensor_ptrs\\[aot_in\\]' m/src/aot_my_op_0.c"), 0);
    assert_int_equal(shell("grep -q 'ctx->tensor_ptrs\\[aot_out\\]' m/src/aot_my_op_1.c"), 0);
}

/* Every #include of every header stands before extern "C", which every function is declared in. */
static void includes_outside_the_guard(void **state)
{
    (void)state;
    op_class.has_init = true;
    convert("table");
    assert_int_equal(
        shell("awk 'FNR == 1 { inside = 0 } /extern \"C\" \\{/ { inside = 1 } /^#include/ && inside { bad = 1 } "
              "/^int32_t .*\\(/ && !inside { bad = 1 } /^}$/ { inside = 0 } END { exit bad }' "
              "m/includes-api/aot_my_op_*.h m/includes-api/aot_operators.h m/includes-api/aot_model.h"),
        0);
    assert_int_equal(shell("grep -q 'extern \"C\" {' m/includes-api/aot_my_op_0.h"), 0);
}

static void links_from_cpp(void **state)
{
    (void)state;
    convert("table");
    write_text("p.cpp", "#include \"aot_my_op_1.h\"\n#include \"aot_model.h\"\nstatic aot_model_context_t ctx;\n"
                        "int main() { return aot_model_init(&ctx) || aot_my_op_1_run(&ctx); }\n");
    assert_int_equal(
        shell("mkdir -p o && cd o && gcc -std=c99 -c -I ../m/includes-api -I ../m/src ../m/src/*.c && cd .. && "
              "g++ -Wall -Wextra -Wpedantic -Werror -I m/includes-api p.cpp o/*.o -o pp && ./pp"),
        0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(no_init_unless_declared),     TEST(status_is_handed_through),   TEST(scratch_is_reserved),
        TEST(tensors_through_the_context), TEST(includes_outside_the_guard), TEST(links_from_cpp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
