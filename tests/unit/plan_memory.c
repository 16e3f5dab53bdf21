/* The graph's memory: what shares storage, how long it lives, where it goes, what does not fit. */
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

static const HeliaOpClass plain = {.type = "PLAIN"}, view = {.type = "VIEW", .traits = HELIA_OP_VIEW},
                          inplace = {.type = "INPLACE", .traits = HELIA_OP_INPLACE};

static void to_messages(void *user, HeliaSeverity severity, const char *text)
{
    (void)user;
    (void)severity;
    if (strlen(messages) + strlen(text) + 2 < sizeof(messages)) {
        strcat(messages, text);
        strcat(messages, "\n");
    }
}

static int fresh(void **state)
{
    (void)state;
    arena = helia_arena_new(NULL);
    diag = helia_diag_new(arena, to_messages, NULL, 0);
    messages[0] = '\0';
    AirModel *model = HELIA_NEW(arena, AirModel);
    model->arena = arena;
    model->diag = diag;
    model->file = "model.tflite";
    g = HELIA_NEW(arena, AirGraph);
    g->model = model;
    g->name = "main";
    config = (Config){0};
    config.memory.planner = "optimal";
    platform = (Platform){.name = "board", .preferred = {MEMORY_DTCM, MEMORY_SRAM, MEMORY_MRAM}, .n_preferred = 3};
    platform.size[MEMORY_DTCM] = 4096;
    platform.size[MEMORY_SRAM] = 8192;
    platform.size[MEMORY_MRAM] = 65536;
    platform.min_alignment = 16;
    return 0;
}

static int finish(void **state)
{
    (void)state;
    helia_arena_free(arena);
    return 0;
}

/* ---- building --------------------------------------------------------------------------------- */
static AirTensor *tensor(const char *name, int32_t bytes)
{
    return air_tensor_new(g, name, AIR_S8, 1, &bytes);
}

static AirTensor *constant(const char *name, int32_t bytes, int fill)
{
    char *data = helia_alloc(arena, (size_t)bytes, 1);
    memset(data, fill, (size_t)bytes);
    return air_constant_new(g, name, AIR_S8, 1, &bytes, data);
}

static AirNode *node(const HeliaOpClass *op, AirTensor *a, AirTensor *b, AirTensor *out)
{
    AirNode *n = air_node_new(g, op->type, b ? 2 : 1, 1);
    n->op = op;
    n->cname = helia_format(arena, "op_%u", g->nodes.len);
    n->in[0] = a;
    if (b)
        n->in[1] = b;
    n->out[0] = out;
    HELIA_PUSH(arena, &g->nodes, n);
    return n;
}

static AirTensor *input(const char *name, int32_t bytes)
{
    AirTensor *t = tensor(name, bytes);
    HELIA_PUSH(arena, &g->inputs, t);
    return t;
}

static void output(AirTensor *t)
{
    HELIA_PUSH(arena, &g->outputs, t);
}

/* ---- looking ---------------------------------------------------------------------------------- */
static bool overlap(const MemorySlot *a, const MemorySlot *b)
{
    return a->region >= 0 && a->region == b->region && a->first <= b->last && b->first <= a->last &&
           a->offset < b->offset + b->size && b->offset < a->offset + a->size;
}

/* What must hold for every plan: storages that live together are apart, aligned, and inside their region. */
static const MemoryPlan *plan(void)
{
    const MemoryPlan *p = plan_memory(arena, g, &platform, &config);
    if (!p)
        return NULL;
    uint32_t n = 0;
    const MemorySlot **slots = HELIA_NEW_N(arena, const MemorySlot *, g->tensors.len + g->nodes.len);
    for (uint32_t i = 0; i < g->tensors.len; i++)
        if (p->tensors[i].root == i)
            slots[n++] = &p->tensors[i];
    for (uint32_t i = 0; i < g->nodes.len; i++)
        slots[n++] = &p->scratch[i];
    uint64_t sum[NUM_MEMORIES] = {0};
    for (uint32_t r = 0; r < p->regions.len; r++)
        sum[p->regions.at[r].memory] += p->regions.at[r].size;
    for (int memory = 0; memory < NUM_MEMORIES; memory++)
        assert_true(sum[memory] <= platform.size[memory]);
    for (uint32_t i = 0; i < n; i++) {
        if (slots[i]->region < 0)
            continue;
        const MemoryRegion *r = &p->regions.at[slots[i]->region];
        assert_true(r->align >= 16 && r->align >= platform.min_alignment && slots[i]->offset % r->align == 0);
        assert_true(slots[i]->offset + slots[i]->size <= r->size);
        for (uint32_t k = 0; k < i; k++)
            assert_false(overlap(slots[i], slots[k]));
    }
    return p;
}

static const MemorySlot *slot(const MemoryPlan *p, const AirTensor *t)
{
    return &p->tensors[t->id];
}

static bool same_place(const MemoryPlan *p, const AirTensor *a, const AirTensor *b)
{
    return slot(p, a)->region >= 0 && slot(p, a)->region == slot(p, b)->region &&
           slot(p, a)->offset == slot(p, b)->offset;
}

static size_t region_size(const MemoryPlan *p, MemoryRole role, MemoryType memory)
{
    for (uint32_t i = 0; i < p->regions.len; i++)
        if (p->regions.at[i].role == role && p->regions.at[i].memory == memory)
            return p->regions.at[i].size;
    return 0;
}

static size_t activations(const MemoryPlan *p)
{
    return region_size(p, ROLE_SCRATCH, MEMORY_DTCM);
}

static void expect(const char *message)
{
    if (!strstr(messages, message))
        fail_msg("expected \"%s\" in:\n%s", message, messages);
}

/* ---- lifetimes and aliases -------------------------------------------------------------------- */
static void chain(void **state)
{
    (void)state;
    AirTensor *in = input("in", 100), *mid = tensor("mid", 200), *out = tensor("out", 50),
              *orphan = tensor("orphan", 9);
    AirTensor *unused = input("unused", 40);
    node(&plain, in, NULL, mid)->scratch = 30;
    node(&plain, mid, NULL, out);
    output(out);
    const MemoryPlan *p = plan();
    assert_non_null(p);
    assert_int_equal(slot(p, orphan)->region, -1);
    assert_true(slot(p, unused)->region >= 0);
    assert_int_equal(activations(p), 112 + 208 + 48 + 32);
    assert_int_equal(slot(p, in)->last, 0);
    assert_int_equal(slot(p, mid)->last, 1);
    assert_int_equal(slot(p, mid)->size, 200);
    assert_int_equal(p->scratch[0].size, 30);
    assert_int_equal(p->scratch[1].region, -1);
    assert_true(p->regions.at[0].proven);
}

static void arguments_are_the_operands(void **state)
{
    (void)state;
    AirTensor *in = input("in", 64), *weights = constant("weights", 64, 1), *out = tensor("out", 16);
    AirTensor *packed = constant("packed", 32, 2);
    AirNode *n = node(&plain, in, weights, out);
    air_arg(n, g, in, false);
    air_arg(n, g, packed, false);
    air_arg(n, g, NULL, false);
    air_arg(n, g, out, true);
    output(out);
    const MemoryPlan *p = plan();
    assert_int_equal(slot(p, weights)->region, -1);
    assert_true(slot(p, packed)->region >= 0);
    assert_int_equal(region_size(p, ROLE_CONSTANT, MEMORY_MRAM), 32);
}

static void views_share(void **state)
{
    (void)state;
    AirTensor *in = input("in", 64), *a = tensor("a", 64), *b = tensor("b", 64), *mid = tensor("mid", 64);
    AirTensor *late = tensor("late", 64);
    node(&view, in, NULL, a);
    node(&view, a, NULL, b);
    node(&plain, in, NULL, mid);
    node(&plain, b, mid, late);
    output(late);
    const MemoryPlan *p = plan();
    assert_true(same_place(p, in, a) && same_place(p, in, b));
    assert_int_equal(slot(p, b)->root, in->id);
    assert_int_equal(slot(p, in)->last, 3); /* its view is read there */
    assert_int_equal(activations(p), 192);
}

static void view_from_input_to_output(void **state)
{
    (void)state;
    AirTensor *in = input("in", 64), *out = tensor("out", 64);
    node(&view, in, NULL, out);
    output(out);
    const MemoryPlan *p = plan();
    assert_true(same_place(p, in, out));
    assert_int_equal(activations(p), 64);
}

/* The application may write to its outputs: a constant or a state is not handed out under another shape. */
static void views_of_fixed_tensors(void **state)
{
    (void)state;
    AirTensor *in = input("in", 64), *c = constant("c", 64, 3), *v = tensor("v", 64), *out = tensor("out", 64);
    AirTensor *c_out = tensor("c_out", 64), *s = tensor("s", 64), *s_view = tensor("s_view", 64);
    s->is_variable = true;
    node(&view, c, NULL, v);
    node(&view, c, NULL, c_out);
    node(&view, s, NULL, s_view);
    node(&plain, v, s_view, out);
    node(&plain, in, out, s);
    output(out);
    output(c_out);
    const MemoryPlan *p = plan();
    assert_true(same_place(p, c, v));
    assert_false(same_place(p, c, c_out));
    assert_int_equal(p->regions.at[slot(p, c_out)->region].role, ROLE_SCRATCH);
    assert_int_equal(p->regions.at[slot(p, s_view)->region].role, ROLE_SCRATCH);
    assert_int_equal(p->regions.at[slot(p, s)->region].role, ROLE_PERSISTENT);
}

static void outputs_of_all_kinds(void **state)
{
    (void)state;
    AirTensor *in = input("in", 64), *mid = tensor("mid", 64), *c = constant("c", 20, 1), *end = tensor("end", 64);
    node(&plain, in, NULL, mid);
    node(&plain, mid, NULL, end);
    output(mid);
    output(mid);
    output(in);
    output(c);
    const MemoryPlan *p = plan();
    assert_int_equal(slot(p, mid)->last, 1);
    assert_int_equal(slot(p, in)->last, 1);
    assert_int_equal(p->regions.at[slot(p, c)->region].role, ROLE_CONSTANT);
    assert_int_equal(activations(p), 192);
}

static void no_operators(void **state)
{
    (void)state;
    AirTensor *in = input("in", 5);
    output(in);
    const MemoryPlan *p = plan();
    assert_int_equal(activations(p), 16);
    assert_non_null(plan_report_text(arena, g, p));
}

static void empty_tensors_have_a_place(void **state)
{
    (void)state;
    AirTensor *in = input("in", 0), *out = tensor("out", 0);
    node(&plain, in, NULL, out);
    output(out);
    const MemoryPlan *p = plan();
    assert_int_equal(activations(p), 32);
}

/* ---- in place --------------------------------------------------------------------------------- */
static void in_place(void **state)
{
    (void)state;
    AirTensor *in = input("in", 64), *a = tensor("a", 64), *b = tensor("b", 64), *out = tensor("out", 64);
    node(&inplace, in, NULL, a);
    node(&plain, a, NULL, b);
    node(&inplace, a, b, out);
    output(out);
    const MemoryPlan *p = plan();
    assert_true(same_place(p, in, a) && same_place(p, a, out));
    assert_int_equal(activations(p), 128);
    config.memory.keep_inputs = true;
    p = plan();
    assert_false(same_place(p, in, a));
    assert_true(same_place(p, a, out) || same_place(p, b, out));
    assert_int_equal(activations(p), 192);
}

static void in_place_is_refused(void **state)
{
    (void)state;
    AirTensor *in = input("in", 64), *kept = tensor("kept", 64), *out = tensor("out", 64), *small = tensor("small", 32);
    AirTensor *c = constant("c", 64, 1), *from_c = tensor("from_c", 64), *from_s = tensor("from_s", 64);
    AirTensor *s = tensor("s", 64), *grown = tensor("grown", 64);
    s->is_variable = true;
    node(&plain, in, NULL, small);
    node(&inplace, small, NULL, grown); /* another size */
    node(&inplace, c, NULL, from_c);
    node(&inplace, s, NULL, from_s);
    node(&plain, grown, from_c, kept);
    node(&inplace, kept, NULL, out); /* the last operator: kept is still wanted after it */
    output(from_s);
    output(kept);
    output(out);
    const MemoryPlan *p = plan();
    assert_false(same_place(p, small, grown));
    assert_false(same_place(p, c, from_c));
    assert_false(same_place(p, s, from_s));
    assert_false(same_place(p, kept, out));
}

/* A view of the input that is needed later forbids it. */
static void in_place_sees_views(void **state)
{
    (void)state;
    AirTensor *in = input("in", 64), *a = tensor("a", 64), *v = tensor("v", 64), *b = tensor("b", 64);
    AirTensor *out = tensor("out", 64), *end = tensor("end", 64);
    node(&plain, in, NULL, a);
    node(&view, a, NULL, v);
    node(&inplace, a, NULL, b);
    node(&plain, v, b, out);
    node(&inplace, out, out, end);
    output(end);
    const MemoryPlan *p = plan();
    assert_true(same_place(p, a, v));
    assert_false(same_place(p, a, b));
    assert_true(same_place(p, out, end)); /* x + x */
}

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
    expect("platform board has no writable memory");
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
        TEST(chain),
        TEST(arguments_are_the_operands),
        TEST(views_share),
        TEST(view_from_input_to_output),
        TEST(views_of_fixed_tensors),
        TEST(outputs_of_all_kinds),
        TEST(no_operators),
        TEST(empty_tensors_have_a_place),
        TEST(in_place),
        TEST(in_place_is_refused),
        TEST(in_place_sees_views),
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
