/* fuse_activation: what is fused, what is left, and that every bit of the results stays. */
#include "pass_fixture.h"

#define GRAPH(last) "model \"m\" version 3\ngraph 0 \"main\" inputs (%0 \"x\") outputs (%" last " \"y\")\n"
#define NAME "fuse_activation"

static const char fully_connected[] = GRAPH("4") "tensor %0 s8[1x4] \"x\" q 0.5:3\n"
                                                 "tensor %1 s8[3x4] \"w\" q 0.25:0 const 12\n"
                                                 "tensor %2 s32[3] \"b\" const 12\n"
                                                 "tensor %3 s8[1x3] \"t\" q 0.3:-20\n"
                                                 "tensor %4 s8[1x3] \"y\" q 0.3:-20\n"
                                                 "op 0 FULLY_CONNECTED (%0 %1 %2) -> (%3)\n"
                                                 "op 1 RELU6 (%3) -> (%4)\n"
                                                 "data %1 0102030405060708fff6f580\n"
                                                 "data %2 0a000000f6ffffff64000000\n";

static void before_and_after(void **state)
{
    (void)state;
    expect_operators(&strict, NAME, fully_connected,
                     "op 0 FULLY_CONNECTED (%0 %1 %2) -> (%4) {fused_activation_function=RELU6 "
                     "weights_format=DEFAULT keep_num_dims=false}\n");
    expect_same_bits(&strict, NAME, fully_connected);
}

/* A sum of two, in every type and with every activation, alone and one behind another. */
static void same_bits(void **state)
{
    (void)state;
    static const char *const types[] = {"s8[2x9]", "u8[2x9]", "s16[2x9]", "f32[2x9]"};
    static const char *const quants[] = {" q 0.06:-3", " q 0.06:128", " q 0.0005:0", ""};
    static const char *const activations[] = {"RELU", "RELU6", "RELU_N1_TO_1"};
    for (int type = 0; type < 4; type++)
        for (int first = 0; first < 4; first++)
            for (int second = 0; second < 3; second++) {
                const char *text = GRAPH("3");
                for (int i = 0; i < 4; i++)
                    text = helia_format(arena, "%stensor %%%d %s \"t%d\"%s\n", text, i, types[type], i, quants[type]);
                const char *one = first < 3 ? activations[first] : "RELU";
                text = helia_format(arena,
                                    "%sop 0 ADD (%%0 %%0) -> (%%1)\nop 1 %s (%%1) -> (%%2)\nop 2 %s (%%2) -> (%%3)\n",
                                    text, one, activations[second]);
                const PassCase c = transformed(&strict, NAME, text);
                const bool both = strcmp(one, activations[second]) == 0 ||
                                  !(first == 2 || second == 2); /* no range of a fused activation is both */
                assert_int_equal(c.model->main->nodes.len, both ? 1 : 2);
                expect_same_bits(&strict, NAME, text);
            }
}

static void left_alone(void **state)
{
    (void)state;
    static const char *const texts[] = {
        /* another quantisation: the activation also requantises */
        GRAPH("2") "tensor %0 s8[2] \"x\" q 0.5:3\ntensor %1 s8[2] \"t\" q 0.5:3\ntensor %2 s8[2] \"y\" q 0.25:3\n"
                   "op 0 ADD (%0 %0) -> (%1)\nop 1 RELU (%1) -> (%2)\n",
        /* read twice */
        GRAPH("3") "tensor %0 f32[2] \"x\"\ntensor %1 f32[2] \"t\"\ntensor %2 f32[2] \"u\"\ntensor %3 f32[2] \"y\"\n"
                   "op 0 ADD (%0 %0) -> (%1)\nop 1 RELU (%1) -> (%2)\nop 2 ADD (%1 %2) -> (%3)\n",
        /* also an output */
        "model \"m\" version 3\ngraph 0 \"main\" inputs (%0 \"x\") outputs (%1 \"t\" %2 \"y\")\n"
        "tensor %0 f32[2] \"x\"\ntensor %1 f32[2] \"t\"\ntensor %2 f32[2] \"y\"\n"
        "op 0 ADD (%0 %0) -> (%1)\nop 1 RELU (%1) -> (%2)\n",
        /* an operator that has no fused activation */
        GRAPH("2") "tensor %0 f32[2] \"x\"\ntensor %1 f32[2] \"t\"\ntensor %2 f32[2] \"y\"\n"
                   "op 0 LOGISTIC (%0) -> (%1)\nop 1 RELU (%1) -> (%2)\n",
        /* one whose option does not cut off what it copies */
        GRAPH("2") "tensor %0 f32[2] \"x\"\ntensor %1 f32[4] \"t\"\ntensor %2 f32[4] \"y\"\n"
                   "op 0 CONCATENATION (%0 %0) -> (%1) {axis=0}\nop 1 RELU (%1) -> (%2)\n",
        /* the graph's input */
        GRAPH("1") "tensor %0 f32[2] \"x\"\ntensor %1 f32[2] \"y\"\nop 0 RELU (%0) -> (%1)\n",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        expect_unchanged(&strict, NAME, texts[i]);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fresh, finish)
    const struct CMUnitTest tests[] = {TEST(before_and_after), TEST(same_bits), TEST(left_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
