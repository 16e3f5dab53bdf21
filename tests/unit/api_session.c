/* The public interface: a conversion from setting up to looking at the result, every misuse, running out of memory, and
 * the registries' rules as a customizer meets them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <helia_aot/helia_aot.h>

#define MODELS HELIA_SOURCE_DIR "/tests/conformance/models/"
#define MODEL MODELS "add_int8_bc_scalar.tflite"

static char messages[1 << 16];
static HeliaSession *s;

static void to_messages(void *user, HeliaSeverity severity, const char *text)
{
    (void)severity;
    assert_ptr_equal(user, messages);
    if (strlen(messages) + strlen(text) + 2 < sizeof(messages)) {
        strcat(messages, text);
        strcat(messages, "\n");
    }
}

static int set_up(void **state)
{
    (void)state;
    messages[0] = 0;
    s = helia_session_new(to_messages, messages);
    return s ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    helia_session_free(s);
    return 0;
}

static void set(const char *key, const char *value)
{
    assert_int_equal(helia_session_set(s, key, value), HELIA_STATUS_OK);
}

static void said(const char *part)
{
    if (!strstr(messages, part))
        fail_msg("expected \"%s\" in:\n%s", part, messages);
}

static void whole_conversion(void **state)
{
    (void)state;
    set("model.path", MODEL);
    set("platform.name", "cortex-m4");
    set("module.prefix", "kws");
    set("verbose", "2");
    assert_int_equal(helia_session_run(s, HELIA_STAGE_EMIT), HELIA_STATUS_OK);
    said("resolve:");
    const AirModel *air = helia_session_air(s);
    assert_non_null(air);
    assert_string_equal(air->main->nodes.at[0]->op_type, "ADD");
    assert_non_null(strstr(helia_session_air_text(s), "ADD"));
    assert_non_null(strstr(helia_session_explain(s), "add_0"));
    assert_non_null(helia_registry_get(helia_session_registries(s)->aot_operator_classes, "ADD"));
    HeliaRegion region;
    HeliaPlace in, out;
    assert_true(helia_session_num_regions(s) >= 1 && helia_session_region(s, 0, &region));
    assert_string_equal(region.role, "SCRATCH");
    assert_false(helia_session_region(s, helia_session_num_regions(s), &region));
    assert_true(helia_session_tensor_place(s, air->main->inputs.at[0], &in));
    assert_true(helia_session_tensor_place(s, air->main->outputs.at[0], &out));
    assert_true(in.offset + in.size <= region.size && out.offset + out.size <= region.size);
    assert_false(helia_session_tensor_place(s, NULL, &in));
    assert_false(helia_session_scratch_place(s, 1000, &in));
    HeliaModuleFile file;
    bool found = false;
    for (uint32_t i = 0; helia_session_file(s, i, &file); i++)
        found = found || (strcmp(file.path, "src/kws_model.c") == 0 && strlen(file.bytes) == file.size);
    assert_true(found);
}

static void stages_end_where_asked(void **state)
{
    (void)state;
    set("model.path", MODEL);
    assert_int_equal(helia_session_run(s, HELIA_STAGE_LOAD), HELIA_STATUS_OK);
    assert_non_null(helia_session_air(s));
    assert_null(helia_session_air(s)->main->nodes.at[0]->op);
    assert_null(helia_session_explain(s));
    assert_int_equal(helia_session_num_regions(s), 0);
    assert_int_equal(helia_session_num_files(s), 0);
}

static void configuration_file(void **state)
{
    (void)state;
    char folder[] = "/tmp/helia-api-XXXXXX", path[64], line[256];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/c.yaml", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "model: {path: %s}\nmodule: {name: fromfile, prefix: one}\nplatform: {name: host}\n", MODEL);
    fclose(f);
    assert_int_equal(helia_session_config_file(s, path), HELIA_STATUS_OK);
    set("module.prefix", "two");
    set("module.path", folder);
    assert_int_equal(helia_session_run(s, HELIA_STAGE_EXPORT), HELIA_STATUS_OK);
    snprintf(line, sizeof(line), "test -f %s/fromfile/src/two_model.c && rm -rf %s", folder, folder);
    assert_int_equal(system(line), 0);
}

static void mistakes(void **state)
{
    (void)state;
    assert_int_equal(helia_session_set(s, "module.prefixx", "a"), HELIA_STATUS_INPUT);
    said("the nearest known one is \"module.prefix\"");
    assert_int_equal(helia_session_set(s, NULL, "a"), HELIA_STATUS_INPUT);
    assert_int_equal(helia_session_set(s, "force=true", "a"), HELIA_STATUS_INPUT);
    assert_int_equal(helia_session_customize(s, NULL, NULL), HELIA_STATUS_INPUT);
    assert_int_equal(helia_session_plugin(s, "", false), HELIA_STATUS_INPUT);
    assert_int_equal(helia_session_run(s, HELIA_STAGE_LOAD), HELIA_STATUS_INPUT);
    assert_null(helia_session_air(s));
    assert_null(helia_session_air_text(s));
    assert_null(helia_session_registries(s));
    assert_int_equal(helia_session_run(s, HELIA_STAGE_LOAD), HELIA_STATUS_INPUT);
    said("the session has been run");
}

static void missing_files(void **state)
{
    (void)state;
    set("model.path", "/nonexistent/x.tflite");
    assert_int_equal(helia_session_run(s, HELIA_STAGE_EXPORT), HELIA_STATUS_MACHINE);
    said("/nonexistent/x.tflite");
    helia_session_free(s);
    s = helia_session_new(to_messages, messages);
    assert_int_equal(helia_session_plugin(s, "/nonexistent/p.so", false), HELIA_STATUS_OK);
    assert_int_equal(helia_session_run(s, HELIA_STAGE_EXPORT), HELIA_STATUS_MACHINE);
    said("/nonexistent/p.so");
}

/* ---- customizers ------------------------------------------------------------------------------ */
static bool swallow_memory(HeliaRegistryContext *c, void *user)
{
    *(int *)user = 1;
    HeliaArena *child = helia_arena_child(c->arena);
    helia_alloc(child, SIZE_MAX / 8, 4);
    *(int *)user = 2;
    return true;
}

static void out_of_memory(void **state)
{
    (void)state;
    int reached = 0;
    assert_int_equal(helia_session_customize(s, swallow_memory, &reached), HELIA_STATUS_OK);
    set("model.path", MODEL);
    assert_int_equal(helia_session_run(s, HELIA_STAGE_EXPORT), HELIA_STATUS_MACHINE);
    said("out of memory");
    assert_int_equal(reached, 1);
    assert_int_equal(helia_session_status(s), HELIA_STATUS_MACHINE);
    assert_int_equal(helia_session_set(s, "verbose", "1"), HELIA_STATUS_MACHINE);
    assert_int_equal(helia_session_run(s, HELIA_STAGE_LOAD), HELIA_STATUS_MACHINE);
    assert_null(helia_session_air(s));
    assert_null(helia_session_explain(s));
    assert_int_equal(helia_session_num_files(s), 0);
}

/* A copy of ADD with one function changed. */
static uint32_t emitted;

static bool emit_counted(HeliaEmitter *e, const AirNode *n)
{
    emitted++;
    return ((const HeliaOpClass *)n->op->user)->emit(e, n);
}

static bool change_add(HeliaRegistryContext *c, void *user)
{
    const HeliaOpClass *builtin = helia_registry_get(c->aot_operator_classes, user);
    HeliaOpClass *copy = helia_memdup(c->arena, builtin, sizeof(*builtin));
    copy->emit = emit_counted;
    copy->user = builtin;
    return helia_registry_register(c->aot_operator_classes, user, copy, true);
}

static void override_needs_permission(void **state)
{
    (void)state;
    set("model.path", MODEL);
    helia_session_customize(s, change_add, "ADD");
    assert_int_equal(helia_session_run(s, HELIA_STAGE_EMIT), HELIA_STATUS_INPUT);
    said("overriding is allowed");
    assert_null(helia_session_registries(s));
    assert_null(helia_session_air(s));
}

/* Files of the module that are C, compared with those of another session. */
static void same_sources(HeliaSession *a, HeliaSession *b)
{
    HeliaModuleFile fa, fb;
    assert_true(helia_session_num_files(a) > 0);
    assert_int_equal(helia_session_num_files(a), helia_session_num_files(b));
    for (uint32_t i = 0; helia_session_file(a, i, &fa) && helia_session_file(b, i, &fb); i++) {
        assert_string_equal(fa.path, fb.path);
        assert_string_equal(fa.bytes, fb.bytes);
    }
}

/* It keeps validation, the choice of kernels, constants and scratch of every row, those with their own emit included.
 */
static void copied_class_keeps_the_rest(void **state)
{
    (void)state;
    static const char *const models[] = {MODEL, HELIA_SOURCE_DIR "/models/kws_dscnn.tflite"};
    static const char *const keys[] = {"ADD", "CONV_2D"};
    static const char *const platforms[] = {"cortex-m4", "cortex-m55", "host"};
    for (int m = 0; m < 2; m++)
        for (int p = 0; p < 3; p++) {
            HeliaSession *both[2];
            for (int i = 0; i < 2; i++) {
                both[i] = helia_session_new(to_messages, messages);
                emitted = 0;
                helia_session_allow_override(both[i], true);
                if (i)
                    helia_session_customize(both[i], change_add, (void *)(uintptr_t)keys[m]);
                helia_session_set(both[i], "model.path", models[m]);
                helia_session_set(both[i], "platform.name", platforms[p]);
                assert_int_equal(helia_session_run(both[i], HELIA_STAGE_EMIT), HELIA_STATUS_OK);
            }
            assert_true(emitted > 0);
            same_sources(both[0], both[1]);
            const AirGraph *a = helia_session_air(both[0])->main, *b = helia_session_air(both[1])->main;
            for (uint32_t i = 0; i < a->nodes.len; i++) {
                assert_ptr_equal(a->nodes.at[i]->kernel, b->nodes.at[i]->kernel);
                assert_int_equal(a->nodes.at[i]->scratch, b->nodes.at[i]->scratch);
            }
            helia_session_free(both[0]);
            helia_session_free(both[1]);
        }
}

static bool break_shape(const HeliaModelHook *self, LitertModel *model, HeliaDiag *diag)
{
    (void)self;
    (void)diag;
    LitertSubgraph *g = &model->subgraphs.at[0];
    LitertTensor *t = &g->tensors.at[g->outputs.at[0]];
    t->shape.at[t->shape.len - 1] += 1;
    return true;
}
static const HeliaModelHook breaking_hook = {break_shape, NULL};

static bool add_hook(HeliaRegistryContext *c, void *user)
{
    (void)user;
    return helia_registry_register(c->litert_model_hooks, "break_shape", &breaking_hook, false);
}

/* Its validation: what the built-in refuses, the copy refuses in the same words. */
static void copied_class_keeps_validation(void **state)
{
    (void)state;
    char first[sizeof(messages)];
    for (int i = 0; i < 2; i++) {
        HeliaSession *one = helia_session_new(to_messages, messages);
        messages[0] = 0;
        helia_session_allow_override(one, true);
        if (i)
            helia_session_customize(one, change_add, "ADD");
        helia_session_customize(one, add_hook, NULL);
        helia_session_set(one, "model.path", MODEL);
        helia_session_set(one, "verbose", "0");
        HeliaStatus status = helia_session_run(one, HELIA_STAGE_EMIT);
        if (i)
            assert_string_equal(first, messages);
        strcpy(first, messages);
        helia_session_free(one);
        assert_int_equal(status, HELIA_STATUS_INPUT);
    }
}

/* The key of a parser that no class has: the graph is made, resolving it fails. */
static bool parse_nothing(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self;
    (void)p;
    node->op_type = "ANOTHER_KEY";
    return true;
}
static const HeliaLitertParser other_parser = {parse_nothing, NULL};

static bool split_keys(HeliaRegistryContext *c, void *user)
{
    (void)user;
    return helia_registry_register(c->litert_parsers, "ADD", &other_parser, true);
}

static void one_key_in_three_places(void **state)
{
    (void)state;
    helia_session_allow_override(s, true);
    helia_session_customize(s, split_keys, NULL);
    set("model.path", MODEL);
    assert_int_equal(helia_session_run(s, HELIA_STAGE_EMIT), HELIA_STATUS_INPUT);
    said("ANOTHER_KEY");
    said("no operator class is registered under this key");
}

static void is_frozen_after_the_run(void **state)
{
    (void)state;
    set("model.path", MODEL);
    assert_int_equal(helia_session_run(s, HELIA_STAGE_LOAD), HELIA_STATUS_OK);
    HeliaRegistryContext *c = (HeliaRegistryContext *)(uintptr_t)helia_session_registries(s);
    assert_false(helia_registry_register(c->litert_parsers, "NEW", &other_parser, true));
    assert_false(helia_register_kernel_source(c, "helia_x.h", "", 0));
    said("frozen");
}

static void version(void **state)
{
    (void)state;
    assert_true(strlen(helia_version()) >= 5);
    helia_session_free(NULL);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(whole_conversion),
        TEST(stages_end_where_asked),
        TEST(configuration_file),
        TEST(mistakes),
        TEST(missing_files),
        TEST(out_of_memory),
        TEST(override_needs_permission),
        TEST(copied_class_keeps_the_rest),
        TEST(copied_class_keeps_validation),
        TEST(one_key_in_three_places),
        TEST(is_frozen_after_the_run),
        TEST(version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
