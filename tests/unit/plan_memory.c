/* Where storage goes: state, constants, spilling, what does not fit; the picture of it. */
#include "plan_fixture.h"

/* ---- state and constants ---------------------------------------------------------------------- */
static void constants_are_interned(void **state)
{
    (void)state;
    AirTensor *in = input("in", 64), *out = tensor("out", 64), *mid = tensor("mid", 64), *last = tensor("last", 64);
    AirTensor *late = constant("late", 20, 7), *early = constant("early", 40, 1), *twin = constant("twin", 40, 1);
    AirTensor *never = constant("never", 40, 2);
    node(&plain, in, early, mid);
    node(&plain, mid, late, out);
    node(&plain, out, twin, last);
    output(last);
    const MemoryPlan *p = plan();
    assert_int_equal(slot(p, never)->region, -1);
    assert_int_equal(slot(p, early)->offset, 0);
    assert_int_equal(slot(p, late)->offset, 48);
    assert_true(same_place(p, early, twin));
    assert_int_equal(slot(p, twin)->root, early->id);
    assert_int_equal(slot(p, early)->first, 0);
    assert_int_equal(slot(p, twin)->first, 2);
    assert_int_equal(region_size(p, ROLE_CONSTANT, MEMORY_MRAM), 68);
    platform.size[MEMORY_MRAM] = 0;
    p = plan();
    assert_int_equal(region_size(p, ROLE_CONSTANT, MEMORY_DTCM), 68);
}

static void alignment(void **state)
{
    (void)state;
    AirTensor *in = input("in", 1), *c = constant("c", 1, 1), *d = constant("d", 1, 2), *out = tensor("out", 1);
    node(&plain, c, d, out);
    output(out);
    output(in);
    platform.min_alignment = 32;
    const MemoryPlan *p = plan();
    assert_int_equal(slot(p, d)->offset, 32);
    assert_int_equal(activations(p), 64);
    for (uint32_t i = 0; i < p->regions.len; i++)
        assert_int_equal(p->regions.at[i].align, 32);
}

static void state_is_apart(void **state)
{
    (void)state;
    AirTensor *in = input("in", 64), *s = tensor("s", 4000), *r = tensor("r", 4000), *out = tensor("out", 64);
    s->is_variable = r->is_variable = true;
    node(&plain, in, s, r);
    node(&plain, in, r, out);
    output(out);
    const MemoryPlan *p = plan();
    assert_int_equal(region_size(p, ROLE_PERSISTENT, MEMORY_DTCM), 4000);
    assert_int_equal(region_size(p, ROLE_PERSISTENT, MEMORY_SRAM), 4000);
    assert_int_equal(region_size(p, ROLE_SCRATCH, MEMORY_SRAM) + region_size(p, ROLE_SCRATCH, MEMORY_DTCM), 128);
    const MemoryRole roles[] = {ROLE_SCRATCH, ROLE_SCRATCH, ROLE_PERSISTENT, ROLE_PERSISTENT};
    const MemoryType memories[] = {MEMORY_DTCM, MEMORY_SRAM, MEMORY_DTCM, MEMORY_SRAM};
    assert_int_equal(p->regions.len, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_true(p->regions.at[i].role == roles[i] && p->regions.at[i].memory == memories[i]);
}

/* ---- what does not fit ------------------------------------------------------------------------ */
/* One large skip over a chain of small ones: only it needs to move. */
static void spilling(void **state)
{
    (void)state;
    AirTensor *in = input("in", 3000), *skip = tensor("skip", 3000), *before = skip;
    node(&plain, in, NULL, skip);
    for (int i = 0; i < 4; i++) {
        AirTensor *next = tensor("next", 1000);
        node(&plain, before, NULL, next)->scratch = 500;
        before = next;
    }
    AirTensor *out = tensor("out", 1000);
    node(&plain, skip, before, out);
    output(out);
    const MemoryPlan *p = plan();
    assert_non_null(p);
    assert_int_equal(region_size(p, ROLE_SCRATCH, MEMORY_SRAM), 3008);
    assert_true(activations(p) <= 4096);
    for (uint32_t i = 0; i < g->nodes.len; i++)
        if (p->scratch[i].region >= 0)
            assert_int_equal(p->regions.at[p->scratch[i].region].memory, MEMORY_DTCM);
}

static void larger_than_the_first_memory(void **state)
{
    (void)state;
    AirTensor *in = input("in", 5000), *out = tensor("out", 1000);
    node(&plain, in, NULL, out);
    output(out);
    const MemoryPlan *p = plan();
    assert_int_equal(region_size(p, ROLE_SCRATCH, MEMORY_SRAM), 5008);
    assert_int_equal(activations(p), 1008);
}

static void misfits(void **state)
{
    (void)state;
    AirTensor *in = input("in", 9000), *out = tensor("out", 2000), *c = constant("big", 70000, 1);
    node(&plain, in, c, out);
    output(out);
    assert_null(plan());
    expect("the activations do not fit into platform board: in the last memory, SRAM they take 9008 bytes and 8192 are "
           "left");
    expect("DTCM: 4096 bytes; activations 2000");
    expect("11008 bytes are live at operator 0 (op_0)");
    expect("\"in\", 9008 bytes, live from operator 0 to 0");
    expect("what would help: a platform with more memory");
    expect("the constants do not fit into platform board: there is no place for 70000 bytes");
    expect("\"big\", 70000 bytes");
}

static void state_does_not_fit(void **state)
{
    (void)state;
    AirTensor *in = input("in", 64), *s = tensor("s", 10000);
    s->is_variable = true;
    node(&plain, in, NULL, s);
    assert_null(plan());
    expect("the state does not fit into platform board: there is no place for 10000 bytes");
}

static void no_writable_memory(void **state)
{
    (void)state;
    AirTensor *in = input("in", 64);
    output(in);
    platform.size[MEMORY_DTCM] = platform.size[MEMORY_SRAM] = 0;
    assert_null(plan());
    expect("leaves platform board no writable memory");
}

/* ---- all of it -------------------------------------------------------------------------------- */
static uint32_t below(uint32_t n)
{
    static uint64_t random_state = 88172645463325252u;
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)((random_state >> 20) % n);
}

/* Random graphs in memories of all sizes; plan() checks what is planned. */
static void random_graphs(void **state)
{
    (void)state;
    static const HeliaOpClass *const classes[] = {&plain, &plain, &view, &inplace};
    static const char *const planners[] = {"greedy", "greedy_by_size", "hill_climb", "optimal"};
    uint32_t planned = 0;
    for (int round = 0; round < 200; round++) {
        HeliaArena *outer = arena;
        fresh(NULL);
        config.memory.planner = planners[round % 4];
        config.memory.keep_inputs = below(2);
        config.memory.planner_options.step_limit = 20000;
        config.memory.planner_options.iterations = 50;
        platform.size[MEMORY_DTCM] = 512 + below(2048);
        HELIA_VEC(AirTensor *) known = {0};
        HELIA_PUSH(arena, &known, input("in", (int32_t)(1 + below(600))));
        HELIA_PUSH(arena, &known, constant("c", (int32_t)(1 + below(600)), 1));
        HELIA_PUSH(arena, &known, constant("d", (int32_t)(1 + below(600)), 1));
        AirTensor *variable = tensor("s", (int32_t)(1 + below(300)));
        variable->is_variable = true;
        HELIA_PUSH(arena, &known, variable);
        for (uint32_t i = 0; i < 12; i++) {
            const HeliaOpClass *op = classes[below(4)];
            uint32_t recent = known.len < 5 ? known.len : 5;
            AirTensor *a = known.at[known.len - 1 - below(recent)], *b = known.at[below(known.len)];
            AirTensor *out = tensor("t", op == &plain ? (int32_t)(1 + below(600)) : a->dim[0]);
            node(op, a, op == &view ? NULL : b, out)->scratch = below(4) ? 0 : below(300);
            HELIA_PUSH(arena, &known, out);
            if (below(8) == 0)
                output(out);
        }
        output(known.at[known.len - 1]);
        const MemoryPlan *p = plan(), *again = plan_memory(arena, g, &platform, &config);
        planned += p != NULL;
        assert_true(p || helia_diag_errors(diag) > 0);
        if (p) {
            assert_int_equal(p->hash, again->hash);
            assert_memory_equal(p->tensors, again->tensors, g->tensors.len * sizeof(MemorySlot));
            assert_non_null(plan_report_text(arena, g, p));
        }
        helia_arena_free(arena);
        arena = outer;
    }
    assert_true(planned > 150);
}

static void picture(void **state)
{
    (void)state;
    AirTensor *in = input("in", 16), *mid = tensor("mid", 32), *flat = tensor("flat", 32), *out = tensor("out", 16);
    node(&plain, in, NULL, mid);
    node(&view, mid, NULL, flat);
    node(&plain, flat, constant("c", 20, 1), out)->scratch = 8;
    output(out);
    config.memory.planner = "greedy";
    const MemoryPlan *p = plan();
    const char *text = plan_report_text(arena, g, p);
    static const char *const lines[] = {
        "SCRATCH DTCM: 64 bytes, alignment 16\nthe minimum for this order of operators\n",
        "  A           0         32     0     2  mid\n  A=          0         32     0     2  flat\n",
        "  B          32         16     0     0  in\n",
        "  ~          48          8     2     2  (working memory of op_2)\n",
        "   0 op_0                            48   |AAAAAAAAAAAAAAAAAAAAAAAAAAAABBBBBBBBBBBBBB..............|\n",
        "   2 op_2                            56 * |AAAAAAAAAAAAAAAAAAAAAAAAAAAACCCCCCCCCCCCCC~~~~~~~.......|\n",
        "CONSTANT MRAM: 20 bytes, alignment 16\n",
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        if (!strstr(text, lines[i]))
            fail_msg("no \"%s\" in:\n%s", lines[i], text);
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 100);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, fresh, finish)
    const struct CMUnitTest tests[] = {
        TEST(constants_are_interned),
        TEST(alignment),
        TEST(state_is_apart),
        TEST(spilling),
        TEST(larger_than_the_first_memory),
        TEST(misfits),
        TEST(state_does_not_fit),
        TEST(no_writable_memory),
        TEST(random_graphs),
        TEST(picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
