/* Names: made-safe, unique, never the interface's own, whatever the model and the prefix are called. */
#include "emit_fixture.h"

static const char *tensors_header(const Sample *s)
{
    const Module *m = emit_sample(s);
    assert_string_equal(messages, "");
    assert_non_null(m);
    return file_text(m, helia_format(arena, "includes-api/%s_tensors.h", s->config.module.prefix));
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part)) {
        print_message("%s\nhas no \"%s\"\n", text, part);
        fail();
    }
}

static void assert_compiles(const Sample *s)
{
    Config config = s->config;
    config.force = true;
    assert_true(module_write(emit_sample(s), &config, diag));
    assert_int_equal(
        run_command(
            "cd %s/sample && for f in src/*.c; do gcc -std=c99 -Wall -Wextra -Wpedantic -Wshadow -Wconversion "
            "-Werror -fsyntax-only -I includes-api $f || exit 1; done && echo '#include \"%s_model.h\"' | g++ -x c++ "
            "-Wall -Wextra -Wpedantic -Werror -fsyntax-only -I includes-api -",
            folder, config.module.prefix),
        0);
}

static void enumerators(void **state)
{
    (void)state;
    Sample s = make_sample();
    const char *h = tensors_header(&s);
    assert_has(h, "    aot_serving_audio_0 = 0, /* \"serving_audio:0\" int8 [1x4], SCRATCH DTCM + 0 */\n");
    assert_has(h, "aot_model_run_t3 = "); /* the tensor "model_run" */
    assert_has(h, "\"one *_ /_ \\x0a ?"); /* neither the end nor the beginning of a comment */
    assert_has(h, "AOT_NUM_TENSORS = 6\n");
    assert_has(h, "enum {\n    AOT_INPUT_audio = 0 /* \"audio\" */\n};\n");
    assert_compiles(&s);
}

/* The same name again, the interface's names, operators' functions, copied kernels, nothing, bytes that are not ASCII.
 */
static void collisions(void **state)
{
    (void)state;
    static const char *const names[] = {"x", "x", "add_0_run", "helia_math", "", "\xc3\xa9;*/\"\\"};
    Sample s = make_sample();
    for (uint32_t i = 0; i < 6; i++)
        s.graph->tensors.at[i]->name = names[i];
    const char *h = tensors_header(&s);
    assert_has(h, "aot_x = ");
    assert_has(h, "aot_x_t1 = ");
    assert_has(h, "aot_add_0_run_t2 = ");
    assert_has(h, "aot_t_helia_math = ");
    assert_has(h, "aot_t4 = ");
    assert_has(h, "aot________ = ");
    assert_compiles(&s);
}

/* An input whose name is another's macro. */
static void ports(void **state)
{
    (void)state;
    static const char *inputs[] = {"a", "a_SCALE", "a"}, *outputs[] = {""};
    Sample s = make_sample();
    HELIA_PUSH(arena, &s.graph->inputs, s.view);
    HELIA_PUSH(arena, &s.graph->inputs, s.in);
    s.graph->input_names = inputs;
    s.graph->output_names = outputs;
    const char *h = tensors_header(&s);
    assert_has(h, "AOT_INPUT_a = 0,");
    assert_has(h, "AOT_INPUT_a_SCALE_1 = 1,");
    assert_has(h, "AOT_INPUT_a_2 = 2 ");
    assert_has(h, "AOT_OUTPUT_0 = 0 ");
    assert_compiles(&s);
}

static void prefixes(void **state)
{
    (void)state;
    static const struct {
        const char *prefix, *tensor;
    } cases[] = {
        {"int8", "t"},
        {"size", "t"},
        {"static", "assert"},
        {"AOT", "NUM_TENSORS"},
        {"AOT", "HELIA_X"},
        {"helia", "add_s8_c"},
        {"params", "x"},
        {"AOT", "INPUT_audio"},
        {"_x", "1"},
        {"reset", "all"},
        {"AOT", "REGION_SCRATCH_DTCM_SIZE"},
        {"UINT32", "MAX"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        Sample s = make_sample();
        s.config.module.prefix = cases[i].prefix;
        s.mid->name = cases[i].tensor;
        assert_string_equal(messages, "");
        assert_compiles(&s);
    }
}

/* A resource variable stands behind the tensors, under its shared name. */
static void resource_variable(void **state)
{
    (void)state;
    Sample s = make_sample();
    s.sum->litert_index = -1;
    s.sum->name = "counter/0";
    const char *h = tensors_header(&s);
    assert_has(h, "aot_var_counter_0 = 5, ");
    assert_has(h, "AOT_STATE_SIZE 8u");
    assert_compiles(&s);
}

/* What has no storage and no reader gets no enumerator; inputs and outputs always have one. */
static void unreached(void **state)
{
    (void)state;
    Sample s = make_sample();
    static const int32_t one[] = {1};
    AirTensor *spare = air_tensor_new(s.graph, "spare", AIR_S8, 1, one);
    s.plan->tensors = helia_alloc(arena, spare->id + 1, sizeof(MemorySlot));
    make_plan(&s);
    s.plan->tensors[spare->id].region = -1;
    const char *h = tensors_header(&s);
    assert_null(strstr(h, "aot_spare"));
    HELIA_PUSH(arena, &s.graph->inputs, spare);
    static const char *inputs[] = {"a", "spare"};
    s.graph->input_names = inputs;
    assert_has(tensors_header(&s), "aot_spare = ");
    assert_compiles(&s);
}

/* An operator may only name what it lists. */
static void unlisted_tensor(void **state)
{
    (void)state;
    Sample s = make_sample();
    s.graph->nodes.at[2]->in[1] = air_tensor_new(s.graph, "unlisted", AIR_S8, 1, (const int32_t[]){4});
    make_plan(&s);
    s.plan->tensors[6].region = -1;
    AirNode *n = s.graph->nodes.at[2];
    air_arg(n, s.graph, s.view, false);
    assert_null(emit_sample(&s));
    assert_has(messages, "\"unlisted\": error: an operator's code uses the tensor");
}

static void floats(void **state)
{
    (void)state;
    static const struct {
        float value;
        const char *text;
    } cases[] = {
        {0.5f, "0.5f"},
        {1.0f, "1.0f"},
        {-3.0f, "-3.0f"},
        {0.1f, "0.1f"},
        {0x1p-126f, "1.1754944e-38f"},
        {-0.0f, "-0.0f"},
        {3.40282347e+38f, "3.4028235e+38f"},
        {1e10f, "1e+10f"},
        {16777216.0f, "16777216.0f"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_string_equal(helia_float_text(arena, cases[i].value), cases[i].text);
    uint32_t bits = 12345;
    for (int i = 0; i < 20000; i++) {
        bits = bits * 1664525u + 1013904223u;
        float value;
        memcpy(&value, &bits, sizeof(value));
        if (value - value != 0.0f) /* no number */
            continue;
        float again = strtof(helia_float_text(arena, value), NULL);
        assert_memory_equal(&value, &again, sizeof(value));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(enumerators, fresh, finish),
        cmocka_unit_test_setup_teardown(collisions, fresh, finish),
        cmocka_unit_test_setup_teardown(ports, fresh, finish),
        cmocka_unit_test_setup_teardown(prefixes, fresh, finish),
        cmocka_unit_test_setup_teardown(resource_variable, fresh, finish),
        cmocka_unit_test_setup_teardown(unreached, fresh, finish),
        cmocka_unit_test_setup_teardown(unlisted_tensor, fresh, finish),
        cmocka_unit_test_setup_teardown(floats, fresh, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
