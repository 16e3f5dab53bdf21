/* Attribute rules and budgets in the plan: their strength, what they place, what they are warned of. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "plan/plan.h"

static HeliaArena *arena;
static HeliaDiag *diag;
static char messages[8192];
static AirGraph *g;
static Config config;
static Platform platform;
static AirTensor *in, *weights, *mid, *out;

static const HeliaOpClass plain = {.type = "CONV_2D"}, in_place = {.type = "ADD", .traits = HELIA_OP_INPLACE};

static void to_messages(void *user, HeliaSeverity severity, const char *text)
{
    (void)user;
    (void)severity;
    if (strlen(messages) + strlen(text) + 2 < sizeof(messages)) {
        strcat(messages, text);
        strcat(messages, "\n");
    }
}

static AirTensor *tensor(const char *name, int32_t bytes)
{
    AirTensor *t = air_tensor_new(g, name, AIR_S8, 1, &bytes);
    t->litert_index = (int32_t)t->id;
    return t;
}

static AirNode *node(const HeliaOpClass *op, AirTensor *a, AirTensor *b, AirTensor *to)
{
    AirNode *n = air_node_new(g, op->type, b ? 2 : 1, 1);
    n->op = op;
    n->cname = helia_format(arena, "op_%u", g->nodes.len);
    n->litert_index = (int32_t)g->nodes.len;
    n->in[0] = a;
    if (b)
        n->in[1] = b;
    n->out[0] = to;
    HELIA_PUSH(arena, &g->nodes, n);
    return n;
}

/* in (256) -> CONV_2D with weights (128) and working memory (64) -> mid (256) -> ADD, in place -> out (256) */
static int fresh(void **state)
{
    (void)state;
    arena = helia_arena_new(NULL);
    diag = helia_diag_new(arena, to_messages, NULL, 1);
    messages[0] = '\0';
    AirModel *model = HELIA_NEW(arena, AirModel);
    model->arena = arena;
    model->diag = diag;
    model->file = "model.tflite";
    g = HELIA_NEW(arena, AirGraph);
    g->model = model;
    g->name = "main";
    config = (Config){.memory.planner = "optimal"};
    platform = (Platform){.name = "board", .preferred = {MEMORY_DTCM, MEMORY_SRAM, MEMORY_MRAM}, .n_preferred = 3};
    platform.size[MEMORY_DTCM] = platform.size[MEMORY_SRAM] = platform.size[MEMORY_PSRAM] = 8192;
    platform.size[MEMORY_MRAM] = 65536;
    platform.min_alignment = 16;
    int32_t bytes = 128;
    in = tensor("in", 256);
    weights = air_constant_new(g, "weights", AIR_S8, 1, &bytes, helia_alloc(arena, 128, 1));
    weights->litert_index = 1;
    mid = tensor("mid", 256);
    out = tensor("out", 256);
    node(&plain, in, weights, mid)->scratch = 64;
    node(&in_place, mid, NULL, out);
    HELIA_PUSH(arena, &g->inputs, in);
    HELIA_PUSH(arena, &g->outputs, out);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    helia_arena_free(arena);
    return 0;
}

static void rule(ConfigRules *rules, const char *type, const char *id, int attribute, const char *value)
{
    ConfigRule r = {.at = HELIA_NOWHERE, .type = type};
    r.at.line = (int32_t)rules->len + 1;
    r.at.file = "aot.yaml";
    if (id)
        HELIA_PUSH(arena, &r.ids, id);
    r.attributes[attribute] = value;
    HELIA_PUSH(arena, rules, r);
}

static void tensor_rule(const char *type, const char *id, const char *memory)
{
    rule(&config.memory.tensors, type, id, ATTRIBUTE_MEMORY, memory);
}

static const MemoryPlan *plan(void)
{
    messages[0] = '\0';
    return plan_memory(arena, g, &platform, &config);
}

static const MemoryRegion *home(const MemoryPlan *p, const AirTensor *t)
{
    assert_true(p->tensors[t->id].region >= 0);
    return &p->regions.at[p->tensors[t->id].region];
}

static void strength(void **state)
{
    (void)state;
    tensor_rule("SCRATCH", "mid", "PSRAM"); /* the strongest, though it is the first */
    tensor_rule(NULL, "mid", "DTCM");
    tensor_rule("SCRATCH", NULL, "SRAM");
    tensor_rule(NULL, NULL, "DTCM");
    tensor_rule(NULL, "0", "PSRAM"); /* by index; the later of two equals */
    tensor_rule(NULL, "in", "SRAM");
    const MemoryPlan *p = plan();
    assert_string_equal(messages, "");
    assert_int_equal(home(p, mid)->memory, MEMORY_PSRAM);
    assert_int_equal(home(p, out)->memory, MEMORY_SRAM);
    assert_int_equal(home(p, in)->memory, MEMORY_SRAM);
    assert_int_equal(home(p, weights)->memory, MEMORY_DTCM);
    assert_false(home(p, weights)->staged);
}

static void operators(void **state)
{
    (void)state;
    rule(&config.operators, "CONV_2D", NULL, ATTRIBUTE_SCRATCH_PLACEMENT, "PSRAM");
    rule(&config.operators, NULL, "out", ATTRIBUTE_CODE_PLACEMENT, "MRAM");
    const MemoryPlan *p = plan();
    assert_string_equal(messages, "");
    assert_int_equal(p->regions.at[p->scratch[0].region].memory, MEMORY_PSRAM);
    assert_int_equal(p->code[0], -1);
    assert_int_equal(p->code[1], MEMORY_MRAM);
}

static void staged(void **state)
{
    (void)state;
    config.memory.constants.in[MEMORY_MRAM] = CONSTANTS_SIDECAR;
    rule(&config.memory.tensors, "CONSTANT", NULL, ATTRIBUTE_DESTINATION, "DTCM");
    const MemoryPlan *p = plan();
    assert_string_equal(messages, "");
    const MemoryRegion *r = home(p, weights);
    assert_int_equal(r->memory, MEMORY_DTCM);
    assert_int_equal(region_source(r), MEMORY_MRAM);
    assert_true(r->staged && r->sidecar);
    const uint32_t hash = p->hash;
    config.memory.constants.in[MEMORY_MRAM] = CONSTANTS_EMBEDDED;
    assert_int_not_equal(plan()->hash, hash);
    rule(&config.memory.tensors, NULL, "weights", ATTRIBUTE_DESTINATION, "MRAM"); /* where it is: cold */
    r = home(plan(), weights);
    assert_int_equal(r->memory, MEMORY_MRAM);
    assert_false(r->staged);
}

static void two_sources(void **state)
{
    (void)state;
    int32_t bytes = 32;
    AirTensor *more = air_constant_new(g, "more", AIR_S8, 1, &bytes, helia_alloc(arena, 32, 1));
    AirTensor *extra = tensor("extra", 16);
    node(&plain, out, more, extra);
    HELIA_PUSH(arena, &g->outputs, extra);
    rule(&config.memory.tensors, "CONSTANT", NULL, ATTRIBUTE_DESTINATION, "DTCM");
    tensor_rule(NULL, "more", "PSRAM");
    assert_null(plan());
    assert_non_null(
        strstr(messages, "aot.yaml:1: error: constant \"more\" is staged from PSRAM to DTCM, others from MRAM"));
}

static void budgets(void **state)
{
    (void)state;
    const ConfigBudget list[] = {{HELIA_NOWHERE, MEMORY_SRAM, 1024}, {HELIA_NOWHERE, MEMORY_PSRAM, -1}};
    HELIA_PUSH(arena, &config.memory.constraints, list[0]);
    HELIA_PUSH(arena, &config.memory.constraints, list[1]);
    assert_int_equal(home(plan(), mid)->memory, MEMORY_SRAM);
    config.memory.constraints.at[0].max_size = 300; /* some must go on to PSRAM, none to DTCM */
    const MemoryPlan *p = plan();
    assert_string_equal(messages, "");
    for (uint32_t i = 0; i < p->regions.len; i++)
        assert_int_not_equal(p->regions.at[i].memory, MEMORY_DTCM);
    config.memory.constraints.at[1].max_size = 100;
    assert_null(plan());
    assert_non_null(strstr(messages, "the activations do not fit"));
    assert_non_null(strstr(messages, "PSRAM: 100 bytes"));
    assert_non_null(
        strstr(messages, "DTCM: 8192 bytes; memory.constraints leaves it out, so only rules put data there"));
    assert_non_null(strstr(messages, "what would help: to name DTCM in memory.constraints, too"));
    assert_null(strstr(messages, "SRAM: 300 bytes; memory.constraints leaves"));
    config.memory.constraints.len = 0;
    HELIA_PUSH(arena, &config.platform.preferred_memory_order, MEMORY_DTCM);
    platform.n_preferred = 1;
    platform.size[MEMORY_DTCM] = 100;
    assert_null(plan());
    assert_non_null(strstr(messages, "SRAM: 8192 bytes; platform.preferred_memory_order leaves it out"));
    assert_non_null(strstr(messages, "in platform.preferred_memory_order, too"));
}

/* What rules put where it has no place: the memory and the rule are named. */
static void rules_that_do_not_fit(void **state)
{
    (void)state;
    platform.size[MEMORY_ITCM] = 16;
    rule(&config.memory.tensors, "CONSTANT", NULL, ATTRIBUTE_DESTINATION, "ITCM");
    assert_null(plan());
    assert_non_null(strstr(messages, "the constants do not fit into platform board"));
    assert_non_null(strstr(messages, "aot.yaml:1: note: the rule needs ITCM, which has no place for "));
    assert_non_null(
        strstr(messages, "what would help: a rule for less of the constants, or a platform with more ITCM"));
    assert_null(strstr(messages, "more MRAM"));
    config.memory.tensors.len = 0;
    messages[0] = 0;
    rule(&config.memory.tensors, "SCRATCH", NULL, ATTRIBUTE_MEMORY, "ITCM");
    assert_null(plan());
    assert_non_null(strstr(messages, "aot.yaml:1: note: what would help: rules that put less into ITCM; they put "));
}

static void budget_of_nothing(void **state)
{
    (void)state;
    const ConfigBudget list[] = {{HELIA_NOWHERE, MEMORY_ITCM, -1}};
    HELIA_PUSH(arena, &config.memory.constraints, list[0]);
    assert_null(plan());
    assert_non_null(strstr(messages, "memory.constraints names ITCM, which platform board does not have"));
    messages[0] = 0;
    config.memory.constraints.at[0].max_size = 4096; /* the board has it after all */
    assert_non_null(plan());
}

static void no_memory_is_preferred(void **state)
{
    (void)state;
    const ConfigBudget list[] = {{HELIA_NOWHERE, MEMORY_SRAM, 0}};
    HELIA_PUSH(arena, &config.memory.constraints, list[0]);
    assert_null(plan());
    assert_non_null(strstr(messages, "memory.constraints leaves platform board no writable memory"));
}

static void refused(void **state)
{
    (void)state;
    tensor_rule("SCRATCH", NULL, "ITCM");
    assert_null(plan());
    assert_string_equal(messages, "aot.yaml:1: error: the rule names ITCM, which platform board does not have\n");
    config.memory.tensors.len = 0;
    tensor_rule(NULL, "mid", "MRAM");
    assert_null(plan());
    assert_non_null(strstr(messages, "which cannot be written"));
    config.memory.tensors.len = 0;
    tensor_rule(NULL, "mid", "DTCM");
    platform.size[MEMORY_DTCM] = 128;
    assert_null(plan());
    assert_non_null(strstr(messages, "in DTCM they take 256 bytes and 128 are left"));
}

static void warnings(void **state)
{
    (void)state;
    tensor_rule(NULL, "none", "SRAM");
    rule(&config.memory.tensors, "SCRATCH", NULL, ATTRIBUTE_DESTINATION, "SRAM");
    rule(&config.operators, "SOFTMAX", NULL, ATTRIBUTE_CODE_PLACEMENT, "SRAM");
    rule(&config.operators, NULL, "op_1", ATTRIBUTE_SCRATCH_PLACEMENT, "SRAM");
    rule(&config.operators, NULL, NULL, ATTRIBUTE_SCRATCH_PLACEMENT, "SRAM"); /* some have working memory: fine */
    assert_non_null(plan());
    assert_non_null(strstr(messages, "aot.yaml:1: warning: the rule matches no tensor of the model\n"));
    assert_non_null(strstr(messages,
                           "aot.yaml:2: warning: the rule sets constant_destination_memory: SRAM, which tensor "
                           "\"in\" (SCRATCH) does not support\n"));
    assert_non_null(strstr(messages, "aot.yaml:1: warning: the rule matches no operator of the model\n"));
    assert_non_null(
        strstr(messages, "aot.yaml:2: warning: the rule sets scratch_placement: SRAM, which operator op_1"));
    assert_null(strstr(messages, "aot.yaml:3: "));
}

/* Results in place need inputs that are wanted in the same memory. */
static void in_place_or_not(void **state)
{
    (void)state;
    const MemoryPlan *p = plan();
    assert_int_equal(p->tensors[out->id].root, p->tensors[mid->id].root);
    tensor_rule(NULL, "out", "SRAM");
    p = plan();
    assert_int_not_equal(p->tensors[out->id].root, p->tensors[mid->id].root);
    assert_int_equal(home(p, out)->memory, MEMORY_SRAM);
    assert_int_equal(home(p, mid)->memory, MEMORY_DTCM);
}

/* Equal tables of several operators are one, or each its own. */
static void tables(void **state)
{
    (void)state;
    static const uint8_t values[16] = {1, 2, 3};
    AirTensor *table[3];
    for (int i = 0; i < 3; i++) {
        AirNode *n = node(&plain, mid, NULL, tensor("result", 16));
        table[i] = air_table_new(g, n, "table", AIR_S8, 16, values);
        air_arg(n, g, mid, false);
        air_arg(n, g, table[i], false);
        air_arg(n, g, n->out[0], true);
    }
    const MemoryPlan *p = plan();
    const size_t shared = home(p, table[0])->size;
    assert_int_equal(p->tensors[table[0]->id].offset, p->tensors[table[2]->id].offset);
    rule(&config.operators, NULL, g->nodes.at[g->nodes.len - 1]->cname, ATTRIBUTE_LUT_MODE, "per_op");
    p = plan();
    assert_int_equal(p->tensors[table[0]->id].offset, p->tensors[table[1]->id].offset);
    assert_int_not_equal(p->tensors[table[0]->id].offset, p->tensors[table[2]->id].offset);
    assert_int_equal(home(p, table[0])->size, shared + 16);
    rule(&config.operators, "ADD", NULL, ATTRIBUTE_LUT_MODE, "universal");
    assert_non_null(plan());
    assert_non_null(strstr(messages, "sets lut_mode: universal, which operator"));
}

/* Plans that were tampered with. */
static void verified(void **state)
{
    (void)state;
    config.memory.planner = "greedy";
    MemoryPlan *p = plan_memory(arena, g, &platform, &config);
    assert_true(plan_verify(arena, g, p, false));
    const size_t offset = p->tensors[mid->id].offset;
    p->tensors[mid->id].offset = p->tensors[in->id].offset;
    assert_false(plan_verify(arena, g, p, false));
    assert_non_null(strstr(messages, "overlap"));
    p->tensors[mid->id].offset = offset;
    assert_true(plan_verify(arena, g, p, false));
    const MemorySlot place = p->tensors[out->id];
    p->tensors[out->id].root = in->id;
    assert_false(plan_verify(arena, g, p, true));
    assert_non_null(strstr(messages, "do not lie in their storage"));
    p->tensors[out->id].offset = p->tensors[in->id].offset; /* keep_inputs: the input's value is gone */
    assert_false(plan_verify(arena, g, p, true));
    assert_non_null(strstr(messages, "the value that the application reads is not there any more"));
    p->tensors[out->id] = place;
    p->budget[MEMORY_DTCM] = 16;
    assert_false(plan_verify(arena, g, p, false));
    assert_non_null(strstr(messages, "whose budget is 16"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fresh, finish)
    const struct CMUnitTest tests[] = {
        TEST(strength),
        TEST(operators),
        TEST(staged),
        TEST(two_sources),
        TEST(rules_that_do_not_fit),
        TEST(budgets),
        TEST(budget_of_nothing),
        TEST(no_memory_is_preferred),
        TEST(refused),
        TEST(warnings),
        TEST(in_place_or_not),
        TEST(verified),
        TEST(tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
