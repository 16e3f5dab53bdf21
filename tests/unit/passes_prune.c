/* prune_identity_ops: identities of every kind go, what only looks like one stays. */
#include "pass_fixture.h"

#define NAME "prune_identity_ops"

/* x -> `op` -> t -> RELU -> y; all of `type`, x and t of shape [2x2]; %1 and so on are its constants. */
static const char *with(const char *op, const char *type, const char *constants)
{
    return helia_format(arena,
                        "model \"m\" version 3\ngraph 0 \"main\" inputs (%%0 \"x\") outputs (%%9 \"y\")\n"
                        "tensor %%0 %s \"x\"\n%s"
                        "tensor %%8 %s \"t\"\ntensor %%9 %s \"y\"\n"
                        "op 0 %s\nop 1 RELU (%%8) -> (%%9)\n"
                        "data %%1 0000000001000000\ndata %%2 0000000000000000\ndata %%3 0200000002000000\n"
                        "data %%4 0100000001000000\ndata %%5 0100000000000000\ndata %%6 ffffffffffffffff\n"
                        "data %%7 00000000000000000000000000000000\n",
                        type, constants, type, type, op);
}

#define CONSTANTS                                                                                                      \
    "tensor %1 s32[2] \"01\" const 8\ntensor %2 s32[2] \"00\" const 8\ntensor %3 s32[2] \"22\" const 8\n"              \
    "tensor %4 s32[2] \"11\" const 8\ntensor %5 s32[2] \"10\" const 8\ntensor %6 s32[2] \"-1-1\" const 8\n"            \
    "tensor %7 s32[2x2] \"none\" const 16\n"

static const char *const identities[] = {
    "RESHAPE (%0 %3) -> (%8)",
    "TRANSPOSE (%0 %1) -> (%8)",
    "SLICE (%0 %2 %3) -> (%8)",
    "SLICE (%0 %2 %6) -> (%8)",
    "STRIDED_SLICE (%0 %2 %3 %4) -> (%8)",
    "PAD (%0 %7) -> (%8)",
    "CONCATENATION (%0) -> (%8) {axis=1}",
};
static const char *const others[] = {
    "TRANSPOSE (%0 %5) -> (%8)",                        /* of a square */
    "STRIDED_SLICE (%0 %6 %6 %6) -> (%8) {end_mask=3}", /* backwards */
};

static void pruned(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(identities) / sizeof(identities[0]); i++) {
        const char *text = with(identities[i], "f32[2x2]", CONSTANTS);
        const PassCase c = transformed(&strict, NAME, text);
        if (c.model->main->nodes.len != 1)
            fail_msg("%s stays", identities[i]);
        expect_same_bits(&strict, NAME, text);
    }
}

static void left_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        const char *text = with(others[i], "f32[2x2]", CONSTANTS);
        expect_unchanged(&strict, NAME, text);
        expect_same_bits(&strict, NAME, text);
    }
    /* what makes an output of the graph */
    expect_unchanged(&strict, NAME,
                     "model \"m\" version 3\ngraph 0 \"main\" inputs (%0 \"x\") outputs (%1 \"y\")\n"
                     "tensor %0 f32[2] \"x\"\ntensor %1 f32[2] \"y\"\nop 0 RESHAPE (%0) -> (%1) {new_shape=[2]}\n");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fresh, finish)
    const struct CMUnitTest tests[] = {TEST(pruned), TEST(left_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
