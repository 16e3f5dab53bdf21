/* The registries' rules: keys, overwriting, protection of built-ins, freezing, canonical keys. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include <helia_aot/registry.h>

typedef struct Log {
    char text[4096];
} Log;

static void to_log(void *user, HeliaSeverity severity, const char *text)
{
    Log *log = user;
    (void)severity;
    strncat(log->text, text, sizeof(log->text) - strlen(log->text) - 2);
    strcat(log->text, "\n");
}

typedef struct Fixture {
    HeliaArena *arena;
    HeliaDiag *diag;
    Log log;
} Fixture;

static int set_up(void **state)
{
    static Fixture f;
    memset(&f, 0, sizeof(f));
    f.arena = helia_arena_new(NULL);
    f.diag = helia_diag_new(f.arena, to_log, &f.log, 1);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    helia_arena_free(((Fixture *)*state)->arena);
    return 0;
}

static const HeliaOpClass some_class = {.type = "SOME_OP"};
static const HeliaOpClass other_class = {.type = "SOME_OP"};
static const HeliaOpClass conv_class = {.type = "CONV_2D"};

static bool add_new(HeliaRegistryContext *c, void *user)
{
    (void)user;
    return helia_registry_register(c->aot_operator_classes, "SOME_OP", &some_class, true);
}

static bool replace_new(HeliaRegistryContext *c, void *user)
{
    (void)user;
    return helia_registry_register(c->aot_operator_classes, "SOME_OP", &other_class, true);
}

static bool register_again(HeliaRegistryContext *c, void *user)
{
    (void)user;
    return helia_registry_register(c->aot_operator_classes, "SOME_OP", &other_class, false);
}

static bool replace_builtin(HeliaRegistryContext *c, void *user)
{
    (void)user;
    helia_registry_register(c->aot_operator_classes, "CONV_2D", &conv_class, true);
    return true; /* a customizer that ignores the refusal changes nothing */
}

static bool remove_builtin(HeliaRegistryContext *c, void *user)
{
    (void)user;
    helia_registry_remove(c->litert_parsers, "CONV_2D");
    return true;
}

static bool bad_keys(HeliaRegistryContext *c, void *user)
{
    static const char *const keys[] = {"", "1OP", "A B", "A.B", "A-B", "\xc3\xa4"};
    (void)user;
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        assert_false(helia_registry_register(c->aot_operator_classes, keys[i], &some_class, false));
    return true;
}

/* A customizer for each registry, with an entry that could not be used. */
static bool no_functions(HeliaRegistryContext *c, void *user)
{
    static const HeliaLitertParser parser = {NULL, NULL};
    static const HeliaModelHook hook = {NULL, NULL};
    static const HeliaTransform transform = {"some_transform", "", NULL, NULL};
    static const HeliaTransform other = {"other", "", NULL, NULL};
    static const HeliaOptionsClass options = {NULL, 0, NULL, 0};
    static const HeliaKernel row = {"helia_x", "helia_x.c", 0, "int8", NULL, NULL, NULL, NULL, NULL, NULL};
    static const HeliaOpClass op = {.type = "ROW_OP", .kernels = &row, .n_kernels = 1};
    (void)user;
    return helia_registry_register(c->litert_parsers, "SOME_OP", &parser, false) &&
           helia_registry_register(c->litert_model_hooks, "some_hook", &hook, false) &&
           helia_registry_register(c->transforms, "some_transform", &transform, false) &&
           helia_registry_register(c->transforms, "other_key", &other, false) &&
           helia_registry_register(c->air_options, "SOME_OP", &options, false) &&
           helia_registry_register(c->aot_operator_classes, "ROW_OP", &op, false) &&
           helia_registry_register(c->aot_operator_classes, "OTHER_KEY", &some_class, false);
}

static HeliaRegistryContext *build(Fixture *f, HeliaCustomizer a, HeliaCustomizer b, bool allow_override)
{
    const HeliaCustomizer list[2] = {a, b};
    return helia_build_default_registry_context(f->arena, f->diag, list, NULL, b ? 2 : a ? 1 : 0, allow_override);
}

static void builtins_are_there(void **state)
{
    HeliaRegistryContext *c = build(*state, NULL, NULL, false);
    assert_non_null(c);
    assert_non_null(helia_registry_get(c->aot_operator_classes, "CONV_2D"));
    assert_non_null(helia_registry_get(c->litert_parsers, "CONV_2D"));
    assert_non_null(helia_registry_get(c->transforms, "prune_identity_ops"));
    assert_null(helia_registry_get(c->aot_operator_classes, "SOME_OP"));
}

static void customizers_add_and_replace_their_own(void **state)
{
    HeliaRegistryContext *c = build(*state, add_new, replace_new, false);
    assert_non_null(c);
    assert_ptr_equal(helia_registry_get(c->aot_operator_classes, "SOME_OP"), &other_class);
    assert_null(build(*state, add_new, register_again, false));
    assert_non_null(strstr(((Fixture *)*state)->log.text, "registered already"));
}

static void builtins_are_protected(void **state)
{
    Fixture *f = *state;
    assert_null(build(f, replace_builtin, NULL, false));
    assert_non_null(strstr(f->log.text, "CONV_2D"));
    assert_non_null(strstr(f->log.text, "allow_override"));
    assert_null(build(f, remove_builtin, NULL, false));
    HeliaRegistryContext *c = build(f, replace_builtin, remove_builtin, true);
    assert_non_null(c);
    assert_ptr_equal(helia_registry_get(c->aot_operator_classes, "CONV_2D"), &conv_class);
    assert_null(helia_registry_get(c->litert_parsers, "CONV_2D"));
}

static void frozen_context_refuses(void **state)
{
    Fixture *f = *state;
    HeliaRegistryContext *c = build(f, NULL, NULL, true);
    assert_false(helia_registry_register(c->aot_operator_classes, "SOME_OP", &some_class, false));
    assert_false(helia_registry_remove(c->aot_operator_classes, "CONV_2D"));
    assert_non_null(strstr(f->log.text, "frozen"));
}

static void unusable_entries_are_refused(void **state)
{
    Fixture *f = *state;
    assert_null(build(f, no_functions, NULL, true));
    assert_int_equal(helia_diag_errors(f->diag), 7);
    assert_non_null(strstr(f->log.text, "key and type must be equal"));
    assert_non_null(
        strstr(f->log.text, "\"other_key\": the transform has the name \"other\"; key and name must be equal"));
    assert_non_null(strstr(f->log.text, "kernel row 0 has no symbol, file or fits"));
    assert_non_null(strstr(f->log.text, "the hook has no run function"));
}

static void keys_are_identifiers(void **state)
{
    assert_non_null(build(*state, bad_keys, NULL, true));
}

static void custom_code_becomes_a_key(void **state)
{
    Fixture *f = *state;
    assert_string_equal(helia_custom_code_to_op_key(f->arena, f->diag, HELIA_NOWHERE, " custom-noop\t"), "CUSTOM_NOOP");
    assert_string_equal(helia_custom_code_to_op_key(f->arena, f->diag, HELIA_NOWHERE, "SignalRfft"), "SIGNALRFFT");
    static const char *const bad[] = {"", "my op", "my.op", "3d", NULL};
    for (size_t i = 0; i < 5; i++)
        assert_null(helia_custom_code_to_op_key(f->arena, f->diag, HELIA_NOWHERE, bad[i]));
    assert_int_equal(helia_diag_errors(f->diag), 5);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(builtins_are_there),        TEST(customizers_add_and_replace_their_own), TEST(builtins_are_protected),
        TEST(frozen_context_refuses),    TEST(unusable_entries_are_refused),          TEST(keys_are_identifiers),
        TEST(custom_code_becomes_a_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
