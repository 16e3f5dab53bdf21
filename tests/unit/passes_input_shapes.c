/* model.input_shapes: shapes that are fixed, what follows from them, the same bits as one by one, and what is refused. */
#include "config_fixture.h"

#include "compile.h"
#include "op/eval.h"
#include "support/npz.h"

#define MODELS HELIA_SOURCE_DIR "/tests/conformance/models/"
#define CONV MODELS "dynamic_batch_float32_conv.tflite"
#define FLATTEN MODELS "dynamic_batch_float32_flatten.tflite"
#define GOLDEN HELIA_SOURCE_DIR "/tests/conformance/golden/dynamic_batch_float32_%s.npz"

/* Up to Resolve, with the portable kernels; `shapes` is JSON, NULL: none. */
static bool resolved(Compile *c, const char *model, const char *shapes, const char *transforms)
{
    ConfigFlags flags = {0};
    config_flag(arena, diag, &flags, "--model.path", model);
    if (shapes)
        config_flag(arena, diag, &flags, "--model.input-shapes", shapes);
    if (transforms)
        config_flag(arena, diag, &flags, "--transforms", transforms);
    messages[0] = 0;
    diag = helia_diag_new(arena, to_messages, NULL, 0); /* a failure stops what is compiled with it for good */
    const Config *config = config_load(arena, diag, NULL, &flags);
    if (!config)
        return false;
    *c = (Compile){.arena = arena, .diag = diag, .config = config, .portable = true, .last = STAGE_RESOLVE};
    c->registry = helia_build_default_registry_context(arena, diag, NULL, NULL, 0, false);
    return compile(c);
}

static const void *evaluated(const Compile *c, const void *input, size_t size)
{
    Evaluation *e = evaluation_new(arena, c->air->main);
    assert_non_null(e);
    assert_int_equal(air_bytes(c->air->main->inputs.at[0]), size);
    memcpy(evaluation_input(e, 0), input, size);
    assert_true(evaluation_run(e));
    return evaluation_output(e, 0);
}

/* Two inputs as a batch of two give what each gives alone. */
static void batch_of_two(const char *model, const char *name, const char *shapes)
{
    Npz npz;
    Compile one, two;
    assert_true(npz_read(arena, diag, helia_format(arena, GOLDEN, name), &npz));
    const NpzArray *first = npz_find(&npz, "in0_0"), *second = npz_find(&npz, "in0_1");
    uint8_t *both = helia_alloc(arena, 2, first->size);
    memcpy(both, first->data, first->size);
    memcpy(both + first->size, second->data, first->size);
    if (!resolved(&two, model, shapes, NULL))
        fail_msg("%s", messages);
    const AirTensor *in = two.air->main->inputs.at[0], *out = two.air->main->outputs.at[0];
    assert_int_equal(in->dim[0], 2);
    assert_int_equal(out->dim[0], 2);
    const uint8_t *got = evaluated(&two, both, 2 * first->size);
    assert_true(resolved(&one, model, NULL, NULL));
    const size_t half = air_bytes(out) / 2;
    assert_memory_equal(got, evaluated(&one, first->data, first->size), half);
    assert_memory_equal(got + half, evaluated(&one, second->data, first->size), half);
}

static void batches(void **state)
{
    (void)state;
    Compile c;
    assert_true(resolved(&c, CONV, NULL, NULL));
    const char *conv = helia_format(arena, "{\"%s\": [2, 8, 7, 4]}", c.air->main->input_names[0]);
    assert_true(resolved(&c, FLATTEN, NULL, NULL));
    const AirTensor *in = c.air->main->inputs.at[0];
    const char *flatten = helia_format(arena, "{\"%s\": [2", in->name);
    for (int32_t i = 1; i < in->rank; i++)
        flatten = helia_format(arena, "%s, %d", flatten, in->dim[i]);
    batch_of_two(CONV, "conv", conv);
    batch_of_two(FLATTEN, "flatten", helia_format(arena, "%s]}", flatten));
}

/* Inferred before the first transform: none sees a shape of the file that does not hold any more. */
static void known_at_load(void **state)
{
    (void)state;
    Compile c;
    assert_true(resolved(&c, CONV, NULL, NULL));
    const char *shapes = helia_format(arena, "{\"%s\": [3, 8, 7, 4]}", c.air->main->input_names[0]);
    ConfigFlags flags = {0};
    config_flag(arena, diag, &flags, "--model.path", CONV);
    config_flag(arena, diag, &flags, "--model.input_shapes", shapes);
    c = (Compile){.arena = arena, .diag = diag, .config = config_load(arena, diag, NULL, &flags), .last = STAGE_LOAD};
    c.registry = helia_build_default_registry_context(arena, diag, NULL, NULL, 0, false);
    assert_true(compile(&c));
    const AirTensor *out = c.air->main->nodes.at[0]->out[0];
    assert_int_equal(out->dim[0], 3);
    assert_false(out->shape_is_open);
}

static void refused(void **state)
{
    (void)state;
    Compile c;
    assert_true(resolved(&c, CONV, NULL, NULL));
    const char *name = c.air->main->input_names[0];
    const struct {
        const char *shapes, *what;
    } cases[] = {
        {"{\"nobody\": [1, 8, 7, 4]}", helia_format(arena, "the model has no input \"nobody\"; it has \"%s\"", name)},
        {helia_format(arena, "{\"%s\": [8, 7, 4]}", name), "is [?x8x7x4], of rank 4; found [8x7x4], of rank 3"},
        {helia_format(arena, "{\"%s\": [1, 8, 6, 4]}", name),
         "is [?x8x7x4], whose dimension 2 is fixed; found [1x8x6x4]"},
        {helia_format(arena, "{\"%s\": [0, 8, 7, 4]}", name), "expected an integer from 1 to 2147483647, found \"0\""},
        {helia_format(arena, "{\"%s\": [-1, 8, 7, 4]}", name),
         "expected an integer from 1 to 2147483647, found \"-1\""},
        {helia_format(arena, "{\"%s\": [1.5, 8, 7, 4]}", name),
         "expected an integer from 1 to 2147483647, found \"1.5\""},
        {helia_format(arena, "{\"%s\": [null, 8, 7, 4]}", name),
         "expected an integer from 1 to 2147483647, found null"},
        {helia_format(arena, "{\"%s\": 3}", name), "expected a list of sizes, found \"3\""},
        {helia_format(arena, "{\"%s\": [1,1,1,1,1,1,1,1,1]}", name), "9 dimensions; at most 8 are supported"},
        {helia_format(arena, "{\"%s\": [2000000000, 8, 7, 4]}", name), "has more than 134217727 elements"},
        {"[1, 8, 7, 4]", "expected a mapping, found a list"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_false(resolved(&c, CONV, cases[i].shapes, NULL));
        if (strncmp(messages, "--model.input-shapes:1:", 23) != 0 || !strstr(messages, cases[i].what))
            fail_msg("%s: expected \"%s\", got:\n%s", cases[i].shapes, cases[i].what, messages);
    }
}

/* The shape that the file says is accepted; what then does not fit an operator is the operator's error. */
static void contradictions_behind(void **state)
{
    (void)state;
    Compile c;
    assert_true(resolved(&c, FLATTEN, NULL, NULL));
    const AirTensor *in = c.air->main->inputs.at[0];
    const char *shapes = helia_format(arena, "{\"%s\": [2", in->name);
    for (int32_t i = 1; i < in->rank; i++)
        shapes = helia_format(arena, "%s, %d", shapes, in->dim[i]);
    shapes = helia_format(arena, "%s]}", shapes);
    assert_false(resolved(&c, FLATTEN, shapes, "[{\"name\": \"fold_static_shape_expressions\", \"enabled\": false}]"));
    assert_non_null(strstr(messages, "RESHAPE"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fresh, finish)
    const struct CMUnitTest tests[] = {TEST(batches), TEST(known_at_load), TEST(refused), TEST(contradictions_behind)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
