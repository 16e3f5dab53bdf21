/* Which tensors share storage, and how long it lives. */
#include "plan_fixture.h"

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
    output(s_view);
    output(out);
    output(c_out);
    const MemoryPlan *p = plan();
    assert_true(same_place(p, c, v));
    assert_false(same_place(p, c, c_out));
    assert_int_equal(p->regions.at[slot(p, c_out)->region].role, ROLE_SCRATCH);
    assert_int_equal(p->regions.at[slot(p, s_view)->region].role, ROLE_SCRATCH);
    assert_int_equal(p->regions.at[slot(p, s)->region].role, ROLE_PERSISTENT);
}

/* A variable's view is the variable itself as long as nothing writes there. */
static void views_of_variables(void **state)
{
    (void)state;
    AirTensor *in = input("in", 64), *s = tensor("s", 64), *early = tensor("early", 64), *flat = tensor("flat", 64);
    AirTensor *late = tensor("late", 64), *a = tensor("a", 64), *out = tensor("out", 64);
    s->is_variable = true;
    node(&view, s, NULL, early);
    node(&view, early, NULL, flat);
    node(&view, s, NULL, late);
    node(&plain, in, flat, a);
    AirNode *assign = node(&plain, a, NULL, s);
    air_arg(assign, g, a, false);
    air_arg(assign, g, s, true);
    node(&plain, late, a, out);
    output(out);
    const MemoryPlan *p = plan();
    assert_true(same_place(p, s, early) && same_place(p, s, flat));
    assert_false(same_place(p, s, late));
    assert_int_equal(slot(p, late)->first, 2);
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

/* module.debug: nothing shares, in place or as a view, and nothing is reordered. */
static void apart(void **state)
{
    (void)state;
    AirTensor *in = input("in", 64), *a = tensor("a", 64), *b = tensor("b", 64), *s = tensor("s", 64);
    AirTensor *c = constant("c", 64, 1), *of_c = tensor("of_c", 64), *of_s = tensor("of_s", 64),
              *out = tensor("out", 64);
    s->is_variable = true;
    AirNode *const first = node(&inplace, in, NULL, a);
    AirNode *const of_a = node(&view, a, NULL, b);
    node(&view, c, NULL, of_c);
    AirNode *const of_variable = node(&view, s, NULL, of_s);
    node(&inplace, b, of_c, out);
    output(out);
    output(of_s);
    config.module.debug = true;
    config.memory.reorder = true;
    const MemoryPlan *p = plan();
    AirTensor *const all[] = {in, a, b, of_c, of_s, out};
    for (int i = 0; i < 6; i++) {
        assert_true(slot(p, all[i])->first == 0 && slot(p, all[i])->last == 4);
        for (int k = 0; k < i; k++)
            assert_true(slot(p, all[i])->root != slot(p, all[k])->root && !same_place(p, all[i], all[k]));
    }
    assert_int_equal(activations(p), 6 * 64);
    assert_ptr_equal(g->nodes.at[0], first);
    assert_false(plan_is_free(p, of_a));
    assert_false(plan_is_free(p, of_variable));
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
        TEST(views_of_variables),
        TEST(outputs_of_all_kinds),
        TEST(no_operators),
        TEST(empty_tensors_have_a_place),
        TEST(in_place),
        TEST(in_place_is_refused),
        TEST(in_place_sees_views),
        TEST(apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
