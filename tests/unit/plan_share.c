/* Concatenation and splitting without copies: what shares storage, that values survive, that no peak is ever larger than
 * with the copies, and what is won. */
#include <stdio.h>

#include "plan_fixture.h"

/* Whether operators own up to being copies. */
static bool parts_allowed = true;

/* The inputs one behind the other. */
static bool gathered_part(const AirNode *n, uint32_t i, HeliaPart *part)
{
    size_t at = 0;
    if (!parts_allowed || i >= n->n_in)
        return false;
    for (uint32_t k = 0; k < i; k++)
        at += air_bytes(n->in[k]);
    *part = (HeliaPart){n->in[i], n->out[0], at};
    return true;
}

/* The input cut into the outputs. */
static bool cut_part(const AirNode *n, uint32_t i, HeliaPart *part)
{
    size_t at = 0;
    if (!parts_allowed || i >= n->n_out)
        return false;
    for (uint32_t k = 0; k < i; k++)
        at += air_bytes(n->out[k]);
    *part = (HeliaPart){n->out[i], n->in[0], at};
    return true;
}

static const HeliaOpClass gather = {.type = "GATHERED", .part = gathered_part},
                          cutter = {.type = "CUT", .part = cut_part};

static AirNode *node_of(const HeliaOpClass *op, uint32_t n_in, AirTensor *const *in, uint32_t n_out,
                        AirTensor *const *out)
{
    AirNode *n = air_node_new(g, op->type, n_in, n_out);
    n->op = op;
    n->cname = helia_format(arena, "op_%u", g->nodes.len);
    for (uint32_t i = 0; i < n_in; i++)
        n->in[i] = in[i];
    for (uint32_t i = 0; i < n_out; i++)
        n->out[i] = out[i];
    for (uint32_t i = 0; i < n_in; i++)
        air_arg(n, g, in[i], false);
    for (uint32_t i = 0; i < n_out; i++)
        air_arg(n, g, out[i], true);
    HELIA_PUSH(arena, &g->nodes, n);
    return n;
}

static AirTensor *made(const HeliaOpClass *op, AirTensor *a, AirTensor *b, int32_t bytes)
{
    AirTensor *t = tensor(helia_format(arena, "t%u", g->tensors.len), bytes), *in[] = {a, b};
    node_of(op, b ? 2 : 1, in, 1, &t);
    return t;
}

static AirTensor *joined(uint32_t n, AirTensor *const *in)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < n; i++)
        bytes += air_bytes(in[i]);
    AirTensor *t = tensor(helia_format(arena, "t%u", g->tensors.len), (int32_t)bytes);
    node_of(&gather, n, in, 1, &t);
    return t;
}

static size_t peak(bool with_parts)
{
    parts_allowed = with_parts;
    const MemoryPlan *p = plan();
    parts_allowed = true;
    if (!p)
        fail_msg("%s", messages);
    return activations(p);
}

static bool at_offset(const MemoryPlan *p, const AirTensor *part, const AirTensor *whole, size_t offset)
{
    return plan_in_place(p, &(HeliaPart){(AirTensor *)(uintptr_t)part, (AirTensor *)(uintptr_t)whole, offset});
}

/* ---- what shares ------------------------------------------------------------------------------ */
static void inception(void **state)
{
    (void)state;
    AirTensor *in = input("in", 256), *branch[4];
    for (int i = 0; i < 4; i++)
        branch[i] = made(&plain, made(&plain, in, NULL, 64), NULL, 128 << (i / 2));
    AirTensor *all = joined(4, branch), *out = made(&plain, all, NULL, 16);
    output(out);
    const MemoryPlan *p = plan();
    assert_true(at_offset(p, branch[0], all, 0) && at_offset(p, branch[1], all, 128));
    assert_true(at_offset(p, branch[2], all, 256) && at_offset(p, branch[3], all, 512));
    assert_true(plan_is_free(p, g->nodes.at[8]));
    assert_int_equal(activations(p), 256 + 64 + 768);
    assert_int_equal(peak(false), 768 + 768);
    assert_non_null(strstr(plan_report_text(arena, g, p), branch[3]->name));
}

static void split_and_gather(void **state)
{
    (void)state;
    AirTensor *in = input("in", 16), *x = made(&plain, in, NULL, 512),
              *half[2] = {tensor("lo", 256), tensor("hi", 256)};
    node_of(&cutter, 1, &x, 2, half);
    AirTensor *done[2] = {made(&plain, half[0], NULL, 128), made(&plain, half[1], NULL, 128)};
    AirTensor *all = joined(2, done);
    output(made(&plain, all, NULL, 16));
    const MemoryPlan *p = plan();
    assert_true(at_offset(p, half[0], x, 0) && at_offset(p, half[1], x, 256));
    assert_true(at_offset(p, done[0], all, 0) && at_offset(p, done[1], all, 128));
    assert_true(plan_is_free(p, g->nodes.at[1]) && plan_is_free(p, g->nodes.at[4]));
    assert_int_equal(activations(p), 512 + 256);
    assert_int_equal(peak(false), 512 + 512);
}

static void nested(void **state)
{
    (void)state;
    AirTensor *in = input("in", 16), *a = made(&plain, in, NULL, 64), *b = made(&plain, a, NULL, 32);
    AirTensor *flat = made(&view, b, NULL, 32), *ab = joined(2, (AirTensor *[]){a, flat});
    AirTensor *c = made(&plain, in, NULL, 96), *abc = joined(2, (AirTensor *[]){c, ab});
    output(made(&plain, abc, NULL, 16));
    const MemoryPlan *p = plan();
    assert_true(at_offset(p, ab, abc, 96) && at_offset(p, a, abc, 96) && at_offset(p, b, abc, 160));
    assert_true(same_place(p, b, flat));
    assert_int_equal(slot(p, b)->root, abc->id);
}

/* A result may be made over an input that dies there, also where it is a part. */
static void in_place_inside(void **state)
{
    (void)state;
    AirTensor *in = input("in", 16), *a = made(&inplace, made(&plain, in, NULL, 64), NULL, 64);
    AirTensor *b = made(&inplace, made(&plain, in, NULL, 64), NULL, 64), *all = joined(2, (AirTensor *[]){a, b});
    output(made(&plain, all, NULL, 16));
    const MemoryPlan *p = plan();
    assert_true(at_offset(p, b, all, 64) && same_place(p, b, g->nodes.at[2]->out[0]));
    assert_int_equal(activations(p), 128 + 16);
}

/* Gates: results over the parts of a layer's output, which nobody else needs. */
static void gates(void **state)
{
    (void)state;
    AirTensor *x = made(&plain, input("in", 16), NULL, 1024), *part[4], *gate[4];
    for (int i = 0; i < 4; i++)
        part[i] = tensor(helia_format(arena, "part%d", i), 256);
    node_of(&cutter, 1, &x, 4, part);
    for (int i = 0; i < 4; i++)
        gate[i] = made(&inplace, part[i], NULL, 256);
    AirTensor *a = made(&inplace, gate[0], gate[1], 256), *b = made(&inplace, gate[2], gate[3], 256);
    output(made(&plain, a, b, 16));
    const MemoryPlan *p = plan();
    assert_true(at_offset(p, gate[1], x, 256) && at_offset(p, gate[3], x, 768));
    assert_int_equal(activations(p), 1024 + 16);
    assert_int_equal(peak(false), 1024 + 1024);
}

/* An unrolled recurrent layer: each step's input and state side by side, four gates, a new state. */
static void many_steps(void **state)
{
    (void)state;
    enum { STEPS = 60, UNITS = 16 };
    AirTensor *frame[STEPS], *in = input("in", STEPS * UNITS), *h = made(&plain, in, NULL, UNITS);
    for (int i = 0; i < STEPS; i++)
        frame[i] = tensor(helia_format(arena, "frame%d", i), UNITS);
    node_of(&cutter, 1, &in, STEPS, frame);
    AirTensor *cell = made(&plain, in, NULL, UNITS);
    for (int i = 0; i < STEPS; i++) {
        AirTensor *both = joined(2, (AirTensor *[]){frame[i], h}), *all = made(&plain, both, NULL, 4 * UNITS), *part[4];
        for (int k = 0; k < 4; k++)
            part[k] = tensor(helia_format(arena, "part%d_%d", i, k), UNITS);
        node_of(&cutter, 1, &all, 4, part);
        for (int k = 0; k < 4; k++)
            part[k] = made(&inplace, part[k], NULL, UNITS);
        cell = made(&inplace, made(&inplace, part[0], cell, UNITS), made(&inplace, part[1], part[2], UNITS), UNITS);
        h = made(&inplace, part[3], made(&inplace, cell, NULL, UNITS), UNITS);
    }
    output(h);
    config.memory.planner = "greedy";
    config.memory.reorder = true;
    assert_true(peak(true) < peak(false));
}

/* A residual block with a narrow inside: where the sum is made over one of its inputs, the widest moment is the last
 * layer. */
static size_t residual(const HeliaOpClass *sum)
{
    AirTensor *x = made(&plain, input("in", 16), NULL, 256), *narrow = made(&plain, x, NULL, 64);
    AirTensor *wide = made(&plain, narrow, NULL, 256);
    output(made(&plain, made(sum, x, wide, 256), NULL, 16));
    return peak(true);
}

static void residual_block(void **state)
{
    assert_int_equal(residual(&plain), 3 * 256);
    finish(state);
    fresh(state);
    assert_int_equal(residual(&inplace), 256 + 64 + 256);
}

/* What belongs to the application, lies at odd bytes, or is needed elsewhere, is copied. */
static void pinned(void **state)
{
    (void)state;
    AirTensor *in = input("in", 64), *c = constant("c", 64, 1), *s = tensor("s", 64),
              *twice = made(&plain, in, NULL, 64);
    AirTensor *shown = made(&plain, in, NULL, 64), *odd = made(&plain, in, NULL, 3), *last = made(&plain, in, NULL, 64);
    s->is_variable = true;
    AirTensor *parts[] = {in, c, s, twice, twice, shown, odd, last};
    AirTensor *all = joined(8, parts), *other = joined(2, (AirTensor *[]){twice, last});
    output(shown);
    output(made(&plain, all, other, 16));
    const MemoryPlan *p = plan();
    const AirNode *n = g->nodes.at[4];
    HeliaPart part;
    for (uint32_t i = 0; node_part(n, i, &part); i++)
        assert_true(!plan_in_place(p, &part) || i == 3 || i == 4 || i == 6);
    assert_false(plan_is_free(p, n));
    assert_false(at_offset(p, last, all, 64 * 6 + 3)); /* its place is not a multiple of 4 */
}

/* A variable that is assigned while a part of it is still to be read. */
static void part_of_a_variable(void **state)
{
    (void)state;
    AirTensor *in = input("in", 64), *s = tensor("s", 64), *half[2] = {tensor("lo", 32), tensor("hi", 32)};
    s->is_variable = true;
    node_of(&cutter, 1, &s, 2, half);
    AirTensor *early = made(&plain, half[0], NULL, 16);
    node_of(&plain, 1, &in, 1, &s);
    output(made(&plain, early, half[1], 16));
    const MemoryPlan *p = plan();
    assert_true(at_offset(p, half[0], s, 0));
    assert_false(at_offset(p, half[1], s, 32));
}

/* The first part is tiny and made long before the others: what lives in between is larger than the part. */
static void not_where_it_costs(void **state)
{
    (void)state;
    AirTensor *in = input("in", 16), *tiny = made(&plain, in, NULL, 16), *big = made(&plain, tiny, NULL, 1024);
    AirTensor *less = made(&plain, big, NULL, 64), *late = made(&plain, less, NULL, 512);
    AirTensor *all = joined(2, (AirTensor *[]){tiny, late});
    output(made(&plain, all, NULL, 16));
    config.memory.reorder = false;
    const MemoryPlan *p = plan();
    assert_false(at_offset(p, tiny, all, 0));
    assert_true(at_offset(p, late, all, 16));
    assert_int_equal(activations(p), 16 + 1024 + 64);
    assert_int_equal(peak(false), 16 + 1024 + 64);
}

/* A part that is taken for another's place. */
static void verified(void **state)
{
    (void)state;
    AirTensor *in = input("in", 64), *a = made(&plain, in, NULL, 64), *b = made(&plain, in, NULL, 64);
    AirTensor *all = joined(2, (AirTensor *[]){a, b});
    output(made(&plain, all, NULL, 16));
    MemoryPlan *p = plan_memory(arena, g, &platform, &config);
    assert_true(plan_is_free(p, g->nodes.at[2]) && plan_verify(arena, g, p, false));
    p->tensors[b->id].offset = p->tensors[a->id].offset;
    assert_false(plan_verify(arena, g, p, false));
    expect("the value that op_3 reads is not there any more");
    p->tensors[b->id].offset = p->tensors[all->id].offset + 96;
    assert_false(plan_verify(arena, g, p, false));
    expect("do not lie in their storage");
}

/* ---- values ----------------------------------------------------------------------------------- */
static uint8_t *memory_of(const MemoryPlan *p, uint8_t *base, const AirTensor *t)
{
    return base + slot(p, t)->region * 65536 + slot(p, t)->offset;
}

/* Runs the graph in its arenas, in place of kernels a mixture of the inputs' bytes; each read is compared with the value
 * that the tensor was given. */
static void simulate(const MemoryPlan *p)
{
    uint8_t *base = helia_alloc(arena, 8 * 65536, 1), **value = HELIA_NEW_N(arena, uint8_t *, g->tensors.len);
    for (uint32_t i = 0; i < g->tensors.len; i++)
        value[i] = helia_alloc(arena, air_bytes(g->tensors.at[i]), 1);
    for (uint32_t i = 0; i < g->inputs.len; i++) {
        memset(value[g->inputs.at[i]->id], (int)i + 1, air_bytes(g->inputs.at[i]));
        memset(memory_of(p, base, g->inputs.at[i]), (int)i + 1, air_bytes(g->inputs.at[i]));
    }
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        const AirNode *n = g->nodes.at[i];
        HeliaPart part;
        for (uint32_t k = 0; k < n->n_in && !plan_is_free(p, n); k++)
            if (!node_part(n, k, &part) || n->op == &cutter || !plan_in_place(p, &part))
                assert_memory_equal(memory_of(p, base, n->in[k]), value[n->in[k]->id], air_bytes(n->in[k]));
        if (p->scratch[i].region >= 0)
            memset(base + p->scratch[i].region * 65536 + p->scratch[i].offset, 0xee, p->scratch[i].size);
        for (uint32_t k = 0; node_part(n, k, &part); k++) {
            const bool out = part.part == n->in[k] && n->op == &gather;
            uint8_t *whole = value[part.whole->id] + part.offset;
            memcpy(out ? whole : value[part.part->id], out ? value[part.part->id] : whole, air_bytes(part.part));
            if (plan_in_place(p, &part))
                continue;
            whole = memory_of(p, base, part.whole) + part.offset;
            memcpy(out ? whole : memory_of(p, base, part.part), out ? memory_of(p, base, part.part) : whole,
                   air_bytes(part.part));
        }
        for (uint32_t k = 0; !node_part(n, 0, &part) && k < air_bytes(n->out[0]); k++) {
            uint8_t mixed = (uint8_t)(i * 37 + k);
            for (uint32_t a = 0; a < n->n_in; a++)
                if (air_bytes(n->in[a]))
                    mixed = (uint8_t)(mixed * 3 + memory_of(p, base, n->in[a])[k % air_bytes(n->in[a])]);
            memory_of(p, base, n->out[0])[k] = value[n->out[0]->id][k] = mixed;
        }
    }
    for (uint32_t i = 0; i < g->outputs.len; i++)
        assert_memory_equal(memory_of(p, base, g->outputs.at[i]), value[g->outputs.at[i]->id],
                            air_bytes(g->outputs.at[i]));
}

/* ---- random graphs ---------------------------------------------------------------------------- */
static uint32_t seed;

static uint32_t below(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

static AirTensor *recent(uint32_t n)
{
    return g->tensors.at[g->tensors.len - 1 - below(g->tensors.len < n ? g->tensors.len : n)];
}

static void random_node(void)
{
    AirTensor *a = recent(6), *in[5], *out[4];
    const int32_t bytes = a->dim[0];
    const uint32_t n = 2 + below(3);
    size_t sum = 0;
    switch (below(6)) {
    case 0:
    case 1:
        for (uint32_t i = 0; i < n; i++) {
            in[i] = recent(8);
            sum += air_bytes(in[i]);
        }
        joined(sum < 2048 ? n : 1, in);
        break;
    case 2:
        for (uint32_t i = 0, at = 0; i < n; i++) {
            const uint32_t rest = (uint32_t)bytes - at, size = i + 1 == n ? rest : below(rest / 4 + 1) * 4;
            out[i] = tensor(helia_format(arena, "t%u", g->tensors.len), (int32_t)size);
            at += size;
        }
        node_of(&cutter, 1, &a, n, out);
        break;
    case 3:
        in[0] = recent(8);
        made(&inplace, a, air_bytes(in[0]) == air_bytes(a) ? in[0] : NULL, bytes);
        break;
    case 4:
        made(&view, a, NULL, bytes);
        break;
    default:
        made(&plain, a, below(2) ? recent(8) : NULL, 4 * (int32_t)(1 + below(64)));
        g->nodes.at[g->nodes.len - 1]->scratch = below(3) ? 0 : below(128);
        break;
    }
}

static void random_graph(uint32_t n)
{
    AirTensor *in = input("in", 4 * (int32_t)(1 + below(64)));
    for (uint32_t i = 0; i < n; i++)
        random_node();
    air_rebuild_uses(g);
    for (uint32_t i = 0; i < g->tensors.len; i++)
        if (!g->tensors.at[i]->uses.len && g->tensors.at[i] != in)
            output(g->tensors.at[i]);
}

static void never_loses(void **state)
{
    static const char *const planners[] = {"greedy", "greedy_by_size", "hill_climb", "optimal"};
    enum { GRAPHS = 400 };
    uint32_t won = 0, shared = 0;
    for (uint32_t i = 0; i < GRAPHS; i++) {
        seed = i + 1;
        random_graph(4 + i % 20);
        platform.size[MEMORY_DTCM] = 65536;
        config.memory.planner = planners[i % 4];
        config.memory.keep_inputs = i % 3 == 0;
        config.memory.reorder = false;
        config.memory.planner_options.iterations = 200;
        config.memory.planner_options.step_limit = 20000;
        const size_t copied = peak(false), in_place = peak(true);
        if (in_place > copied)
            fail_msg("graph %u: %zu bytes in place, %zu with copies", i, in_place, copied);
        won += in_place < copied;
        config.memory.reorder = i % 2 == 0;
        const MemoryPlan *p = plan();
        assert_non_null(p);
        assert_true(activations(p) <= in_place);
        for (uint32_t k = 0; k < g->nodes.len; k++)
            shared += g->nodes.at[k]->op->part && plan_is_free(p, g->nodes.at[k]);
        simulate(p);
        finish(state);
        fresh(state);
    }
    printf("parts in place lower the peak of %u of %u random graphs; %u operators disappear\n", won, (unsigned)GRAPHS,
           shared);
    assert_true(won > 50 && shared > 50);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, fresh, finish)
    const struct CMUnitTest tests[] = {
        TEST(inception), TEST(split_and_gather), TEST(nested), TEST(in_place_inside),    TEST(residual_block),
        TEST(gates),     TEST(many_steps),       TEST(pinned), TEST(part_of_a_variable), TEST(not_where_it_costs),
        TEST(verified),  TEST(never_loses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
