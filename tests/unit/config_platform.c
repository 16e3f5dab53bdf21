/* Attribute rules, the overridden platform, budgets and the storage of constants: read, refused, recorded. */
#include "config_fixture.h"

static void rules(void **state)
{
    (void)state;
    const Config *c = load("operators:\n"
                           "  - {type: CONV_2D, id: [\"3\", conv/out], attributes: {code_placement: ITCM}}\n"
                           "  - {id: 7, attributes: {scratch_placement: DTCM, lut_mode: universal}}\n"
                           "memory:\n  tensors:\n"
                           "    - {type: CONSTANT, attributes: {memory: MRAM, constant_destination_memory: DTCM}}\n"
                           "    - {type: \"*\", id: x, attributes: {memory: SRAM}}\n");
    assert_string_equal(messages, "");
    assert_int_equal(c->operators.len, 2);
    const ConfigRule *r = &c->operators.at[0];
    assert_string_equal(r->type, "CONV_2D");
    assert_int_equal(r->ids.len, 2);
    assert_string_equal(r->ids.at[1], "conv/out");
    assert_string_equal(r->attributes[ATTRIBUTE_CODE_PLACEMENT], "ITCM");
    assert_null(r->attributes[ATTRIBUTE_SCRATCH_PLACEMENT]);
    assert_int_equal(r->at.line, 2);
    assert_null(c->operators.at[1].type);
    assert_string_equal(c->operators.at[1].ids.at[0], "7");
    assert_string_equal(c->operators.at[1].attributes[ATTRIBUTE_LUT_MODE], "universal");
    assert_string_equal(c->memory.tensors.at[0].attributes[ATTRIBUTE_DESTINATION], "DTCM");
    assert_null(c->memory.tensors.at[1].type);
    assert_string_equal(c->memory.tensors.at[1].attributes[ATTRIBUTE_MEMORY], "SRAM");
}

static void refused_rules(void **state)
{
    (void)state;
    expect_one_error(load("operators:\n  - {type: ADD, attributes: {code_placment: ITCM}}\n"), 2, 30,
                     "the nearest known one is \"code_placement\"");
    expect_one_error(load("operators:\n  - {type: ADD}\n"), 2, 5, "\"attributes\" is missing");
    expect_one_error(load("operators:\n  - {id: [], attributes: {code_placement: ITCM}}\n"), 2, 10,
                     "the list is empty");
    expect_one_error(load("memory:\n  tensors:\n    - {type: WEIGHTS, attributes: {memory: SRAM}}\n"), 3, 14,
                     "expected SCRATCH, PERSISTENT, CONSTANT or *, found \"WEIGHTS\"");
    expect_one_error(load("memory:\n  tensors:\n    - {id: a, attributes: {memory: FLASH}}\n"), 3, 36,
                     "expected ITCM, DTCM, SRAM, PSRAM or MRAM, found \"FLASH\"");
}

static void overridden_platform(void **state)
{
    (void)state;
    const Config *c = load("platform: {name: apollo4p, memories: {PSRAM: 33554432, DTCM: 0}, min_alignment: 32,\n"
                           "  capabilities: [dsp], preferred_memory_order: [SRAM, PSRAM, MRAM]}\n");
    const Platform *p = config_platform(arena, c);
    assert_string_equal(messages, "");
    assert_string_equal(p->cpu, "cortex-m4");
    assert_int_equal(p->size[MEMORY_PSRAM], 33554432);
    assert_int_equal(p->size[MEMORY_DTCM], 0);
    assert_int_equal(p->size[MEMORY_SRAM], 1048576);
    assert_int_equal(p->min_alignment, 32);
    assert_int_equal(p->isa, HELIA_ISA_DSP);
    assert_int_equal(p->n_preferred, 3);
    assert_int_equal(p->preferred[1], MEMORY_PSRAM);

    p = config_platform(arena, load("platform: {name: apollo4p, cpu: cortex-m55}\n"));
    assert_int_equal(p->isa, platform_find("cortex-m55")->isa);
    p = config_platform(arena, load("platform: {name: apollo4p, cpu: my-core+x}\n"));
    assert_int_equal(p->isa, HELIA_ISA_C);
    assert_string_equal(p->cpu, "my-core+x");
    p = config_platform(arena, load("platform: {name: apollo4p}\n"));
    assert_memory_equal(p, platform_find("apollo4p"), sizeof(*p));
}

static void refused_platform(void **state)
{
    (void)state;
    expect_one_error(load("platform: {min_alignment: 24}\n"), 1, 27,
                     "expected a power of two from 1 to 4096, found \"24\"");
    expect_one_error(load("platform: {name: apollo5}\n"), 1, 18, "the nearest is \"apollo");
    expect_one_error(load("platform: {capabilities: [dsp, neon]}\n"), 1, 32, "found \"neon\"");
    expect_one_error(load("platform: {memories: {DTCM: many}}\n"), 1, 29, "expected an integer from 0");
    expect_one_error(load("platform: {memories: {TCM: 1}}\n"), 1, 23, "unknown key \"TCM\"");
    expect_one_error(load("platform: {preferred_memory_order: [SRAM, SRAM]}\n"), 1, 43, "SRAM is given twice");
    expect_one_error(load("platform: {cpu: \"a b\"}\n"), 1, 17, "expected a core such as cortex-m55");
}

static void budgets_and_storage(void **state)
{
    (void)state;
    const Config *c = load(
        "memory: {constraints: [{memory: SRAM, max_size: 1000}, {memory: DTCM}], constants: sidecar}");
    assert_string_equal(messages, "");
    assert_int_equal(c->memory.constraints.len, 2);
    assert_int_equal(c->memory.constraints.at[0].memory, MEMORY_SRAM);
    assert_int_equal(c->memory.constraints.at[0].max_size, 1000);
    assert_int_equal(c->memory.constraints.at[1].max_size, -1);
    assert_int_equal(c->memory.constants.in[MEMORY_MRAM], CONSTANTS_SIDECAR);
    c = load("memory: {constants: {PSRAM: sidecar}}\n");
    assert_int_equal(c->memory.constants.in[MEMORY_PSRAM], CONSTANTS_SIDECAR);
    assert_int_equal(c->memory.constants.in[MEMORY_MRAM], CONSTANTS_EMBEDDED);
    expect_one_error(load("memory: {constants: extern}\n"), 1, 21, "expected embedded or sidecar, or a mapping");
    expect_one_error(load("memory: {constants: {MRAM: extern}}\n"), 1, 28, "expected embedded or sidecar");
    expect_one_error(load("memory: {constraints: [{memory: SRAM}, {memory: SRAM}]}\n"), 1, 40, "SRAM is given twice");
    expect_one_error(load("memory: {constraints: [{max_size: 1}]}\n"), 1, 24, "\"memory\" is missing");
}

/* Loading what was recorded and recording it again gives the same text. */
static void recorded(void **state)
{
    (void)state;
    static const char hash[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    const Config *c = load("operators: [{type: ADD, id: [a, 2], attributes: {code_placement: ITCM}}]\n"
                           "platform: {cpu: x1, memories: {SRAM: 5}, capabilities: [], min_alignment: 64}\n"
                           "memory: {constants: {SRAM: sidecar}, constraints: [{memory: SRAM, max_size: 4}],\n"
                           "  tensors: [{attributes: {memory: SRAM}}]}\n");
    const char *first = config_dump(arena, c, hash);
    c = load(first);
    assert_string_equal(messages, "");
    assert_string_equal(config_dump(arena, c, hash), first);
    assert_true(c->platform.capabilities.given);
    assert_int_equal(c->platform.min_alignment, 64);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fresh, finish)
    const struct CMUnitTest tests[] = {
        TEST(rules),
        TEST(refused_rules),
        TEST(overridden_platform),
        TEST(refused_platform),
        TEST(budgets_and_storage),
        TEST(recorded),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
