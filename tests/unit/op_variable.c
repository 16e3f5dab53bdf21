/* READ_VARIABLE and ASSIGN_VARIABLE: the value that was read outlives a later assignment, and state is kept over runs.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "op/eval.h"
#include "op_fixture.h"

/* Two runs with the inputs 1 and 10; what the output is then. */
static void run(const char *text, uint32_t out, float first, float second)
{
    OpCase *c = op_case_open(1, out, text);
    if (!c->resolved)
        fail_msg("%s", c->log);
    Evaluation *e = evaluation_new(c->arena, c->model->main);
    assert_non_null(e);
    const float in[2] = {1.0f, 10.0f}, expected[2] = {first, second};
    for (int i = 0; i < 2; i++) {
        memcpy(evaluation_input(e, 0), &in[i], sizeof(float));
        assert_true(evaluation_run(e));
        assert_memory_equal(evaluation_output(e, 0), &expected[i], sizeof(float));
    }
    op_case_close(c);
}

#define TENSORS                                                                                                        \
    "tensor %0 f32[] \"x\"\n"                                                                                          \
    "tensor %1 f32[] \"v\" variable initial\n"                                                                         \
    "tensor %2 f32[] \"old\"\n"                                                                                        \
    "tensor %3 f32[] \"sum\"\n"
#define READ "op 0 READ_VARIABLE (%1) -> (%2)\n"
#define ASSIGN_INPUT "op 1 ASSIGN_VARIABLE (%1 %0) -> ()\n"
#define SUM "op 2 ADD (%2 %0) -> (%3)\n"
#define HUNDRED "data %1 0000c842\n"

static void read_then_assign(void **state)
{
    (void)state;
    /* The sum is taken before the assignment: nothing is copied. */
    run(TENSORS READ SUM ASSIGN_INPUT HUNDRED, 3, 101.0f, 11.0f);
}

static void assign_before_use(void **state)
{
    (void)state;
    run(TENSORS READ ASSIGN_INPUT SUM HUNDRED, 3, 101.0f, 11.0f);
}

static void value_leaves_the_graph(void **state)
{
    (void)state;
    run(TENSORS READ ASSIGN_INPUT HUNDRED, 2, 100.0f, 1.0f);
}

static void use_behind_a_view(void **state)
{
    (void)state;
    run(TENSORS "tensor %4 f32[1] \"row\"\ntensor %5 f32[1] \"result\"\n" READ
                "op 1 RESHAPE (%2) -> (%4) {new_shape=[1]}\nop 2 ASSIGN_VARIABLE (%1 %0) -> ()\n"
                "op 3 ADD (%4 %0) -> (%5)\n" HUNDRED,
        5, 101.0f, 11.0f);
}

static void refused(void **state)
{
    (void)state;
    op_case_refused(1, 2,
                    "tensor %0 f32[2] \"x\"\ntensor %1 f32[] \"v\" variable\ntensor %2 f32[] \"y\"\n" READ ASSIGN_INPUT,
                    "same shape");
    op_case_refused(1, 2,
                    "tensor %0 s32[] \"x\"\ntensor %1 f32[] \"v\" variable\ntensor %2 f32[] \"y\"\n" READ ASSIGN_INPUT,
                    "must be equal");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(read_then_assign),
        cmocka_unit_test(assign_before_use),
        cmocka_unit_test(value_leaves_the_graph),
        cmocka_unit_test(use_behind_a_view),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
