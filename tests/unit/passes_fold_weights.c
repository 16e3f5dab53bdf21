/* fold_dequantized_weights and fold_batch_scale: what they fold, what they leave, and the results. */
#include "pass_fixture.h"

#include <math.h>

#define GRAPH(last) "model \"m\" version 3\ngraph 0 \"main\" inputs (%0 \"x\") outputs (%" last " \"y\")\n"

/* ---- fold_dequantized_weights ------------------------------------------------------------------ */
static const char expanded[] = GRAPH("5") "tensor %0 f32[1x2] \"x\"\n"
                                          "tensor %1 f16[2x2] \"w16\" const 8\n"
                                          "tensor %2 f32[2x2] \"w\"\n"
                                          "tensor %3 s8[2] \"b8\" q 0.1:3 const 2\n"
                                          "tensor %4 f32[2] \"b\"\n"
                                          "tensor %5 f32[1x2] \"y\"\n"
                                          "op 0 DEQUANTIZE (%1) -> (%2)\n"
                                          "op 1 DEQUANTIZE (%3) -> (%4)\n"
                                          "op 2 FULLY_CONNECTED (%0 %2 %4) -> (%5)\n"
                                          "data %1 003c00c0555500b4\ndata %3 7f80\n";

static void dequantized(void **state)
{
    (void)state;
    const char *name = "fold_dequantized_weights";
    expect_operators(&strict, name, expanded,
                     "op 2 FULLY_CONNECTED (%0 %2 %4) -> (%5) {fused_activation_function=NONE weights_format=DEFAULT "
                     "keep_num_dims=false}\n");
    expect_same_bits(&strict, name, expanded);
    const PassCase c = transformed(&strict, name, expanded);
    const float *w = c.model->main->tensors.at[2]->data, *b = c.model->main->tensors.at[4]->data;
    assert_true(w[0] == 1.0f && w[1] == -2.0f && w[3] == -0.25f);
    assert_true(b[0] == 0.1f * 124.0f && b[1] == 0.1f * -131.0f);
}

/* What moves them follows; what computes with them does not; a result of the graph stays. */
static void dequantized_and_moved(void **state)
{
    (void)state;
    const char *name = "fold_dequantized_weights";
    static const char moved[] = GRAPH("4") "tensor %0 f32[2] \"x\"\ntensor %1 f16[1x2] \"w16\" const 4\n"
                                           "tensor %2 f32[1x2] \"w\"\ntensor %3 f32[2] \"v\"\ntensor %4 f32[2] \"y\"\n"
                                           "tensor %5 f32[2] \"u\"\n"
                                           "op 0 DEQUANTIZE (%1) -> (%2)\nop 1 RESHAPE (%2) -> (%3) {new_shape=[2]}\n"
                                           "op 2 LOGISTIC (%3) -> (%5)\n"
                                           "op 3 ADD (%0 %5) -> (%4)\ndata %1 003c00c0\n";
    const PassCase c = transformed(&strict, name, moved);
    assert_int_equal(c.model->main->nodes.len, 2);
    assert_string_equal(c.model->main->nodes.at[0]->op_type, "LOGISTIC");
    expect_same_bits(&strict, name, moved);
    expect_unchanged(&strict, name,
                     GRAPH("1") "tensor %0 s8[2] \"x\" q 1:0\ntensor %1 f32[2] \"y\"\n"
                                "op 0 DEQUANTIZE (%0) -> (%1)\n");
    expect_unchanged(&strict, name,
                     GRAPH("2") "tensor %0 f32[2] \"x\"\ntensor %1 f16[2] \"w\" const 4\n"
                                "tensor %2 f32[2] \"y\"\nop 0 DEQUANTIZE (%1) -> (%2)\n"
                                "data %1 003c00c0\n");
}

/* ---- fold_batch_scale -------------------------------------------------------------------------- */
#define SCALE "fold_batch_scale"
#define X "tensor %0 f32[1x3x3x2] \"x\"\n"
#define K "tensor %5 f32[2] \"k\" const 8\ntensor %6 f32[1x1x1x2] \"s\" const 8\n"
#define K_DATA "data %5 0000004000000000\ndata %6 000080bf0000c03f\n" /* 2, 0; -1, 1.5 */

/* x [1x3x3x2] -> `layer` -> t -> MUL k -> u -> ADD s {RELU} -> y */
static const char *scaled(const char *layer, const char *weights, const char *weight_data, bool bias)
{
    static const char head[] = GRAPH("7") X "tensor %2 f32[2] \"b\" const 8\ntensor %3 f32[1x3x3x2] \"t\"\n"
                                            "tensor %4 f32[1x3x3x2] \"u\"\n" K "tensor %7 f32[1x3x3x2] \"y\"\n";
    static const char tail[] = "op 1 MUL (%5 %3) -> (%4)\nop 2 ADD (%4 %6) -> (%7) {fused_activation_function=RELU}\n"
                               "data %2 0000803f000000bf\n" K_DATA;
    const char *weights_line = helia_format(arena, "tensor %%1 f32%s \"w\" const 16\n", weights);
    const char *op = helia_format(arena,
                                  "op 0 %s (%%0 %%1%s) -> (%%3) {stride_w=1 stride_h=1 dilation_w_factor=1 "
                                  "dilation_h_factor=1}\n",
                                  layer, bias ? " %2" : "");
    const char *at = strstr(head, "tensor %2");
    return helia_format(arena, "%.*s%s%s%s%sdata %%1 %s\n", (int)(at - head), head, weights_line, at, op, tail,
                        weight_data);
}

static void expect_close(const char *text, uint32_t nodes)
{
    float input[18];
    for (int i = 0; i < 18; i++)
        input[i] = (float)(i * 7 % 11) - 4.0f;
    PassCase before = pass_read(&permissive, text), after = transformed(&permissive, SCALE, text);
    assert_int_equal(after.model->main->nodes.len, nodes);
    const float *expected = results(&before, input), *got = results(&after, input);
    for (int64_t i = 0; i < air_count(after.model->main->outputs.at[0]); i++)
        assert_true(fabsf(got[i] - expected[i]) <= 1e-5f);
}

static void scale_folded(void **state)
{
    (void)state;
    static const char four[] = "0000803f000000400000404000008040"; /* 1, 2, 3, 4 */
    expect_close(scaled("CONV_2D", "[2x1x1x2]", four, true), 1);
    expect_close(scaled("CONV_2D", "[2x1x1x2]", four, false), 1);
    expect_close(scaled("DEPTHWISE_CONV_2D", "[1x1x2x2]", four, true), 1);
    expect_close(scaled("DEPTHWISE_CONV_2D", "[1x2x1x2]", four, false), 1);
    expect_operators(&permissive, SCALE, scaled("CONV_2D", "[2x1x1x2]", four, true),
                     "op 0 CONV_2D (%0 %8 %10) -> (%7) {padding=SAME stride_w=1 stride_h=1 "
                     "fused_activation_function=RELU dilation_w_factor=1 dilation_h_factor=1 explicit_padding=[]}\n");
    const PassCase c = transformed(&permissive, SCALE, scaled("CONV_2D", "[2x1x1x2]", four, true));
    const float *w = c.model->main->nodes.at[0]->in[1]->data, *b = c.model->main->nodes.at[0]->in[2]->data;
    assert_true(w[0] == 2.0f && w[1] == 4.0f && w[2] == 0.0f && w[3] == 0.0f);
    assert_true(b[0] == 1.0f && b[1] == 1.5f);
}

/* One value for all, a subtraction, an operand before. */
static void other_forms(void **state)
{
    (void)state;
    static const char text[] = GRAPH("5") "tensor %0 f32[1x18] \"x\"\ntensor %1 f32[1x18] \"w\" const 72\n"
                                          "tensor %2 f32[] \"k\" const 4\ntensor %3 f32[1x1] \"t\"\n"
                                          "tensor %4 f32[1x1] \"u\"\ntensor %5 f32[1x1] \"y\"\n"
                                          "op 0 FULLY_CONNECTED (%0 %1 -) -> (%3)\nop 1 SUB (%3 %2) -> (%4)\n"
                                          "op 2 MUL (%4 %2) -> (%5)\ndata %2 0000c03f\n"
                                          "data %1 0000803f000000400000404000008040000000000000803f00000040000040400000"
                                          "80400000000000000000000000000000000000000000000000000000000000000000\n"
                                          "data %1 0000803f\n";
    expect_close(text, 1);
}

static void scale_left(void **state)
{
    (void)state;
    static const char four[] = "0000803f000000400000404000008040";
    expect_unchanged(&strict, SCALE, scaled("CONV_2D", "[2x1x1x2]", four, true)); /* not permitted */
    static const char *const texts[] = {
        /* an activation in between */
        GRAPH("4") "tensor %0 f32[1x2] \"x\"\ntensor %1 f32[2x2] \"w\" const 16\ntensor %2 f32[2] \"k\" const 8\n"
                   "tensor %3 f32[1x2] \"t\"\ntensor %4 f32[1x2] \"y\"\n"
                   "op 0 FULLY_CONNECTED (%0 %1 -) -> (%3) {fused_activation_function=RELU}\n"
                   "op 1 MUL (%3 %2) -> (%4)\ndata %1 0000803f000000400000404000008040\ndata %2 0000004000000000\n",
        /* constant minus result */
        GRAPH("4") "tensor %0 f32[1x2] \"x\"\ntensor %1 f32[2x2] \"w\" const 16\ntensor %2 f32[2] \"k\" const 8\n"
                   "tensor %3 f32[1x2] \"t\"\ntensor %4 f32[1x2] \"y\"\nop 0 FULLY_CONNECTED (%0 %1 -) -> (%3)\n"
                   "op 1 SUB (%2 %3) -> (%4)\ndata %1 0000803f000000400000404000008040\ndata %2 0000004000000000\n",
        /* a value for each row */
        GRAPH("4") "tensor %0 f32[2x2] \"x\"\ntensor %1 f32[2x2] \"w\" const 16\ntensor %2 f32[2x1] \"k\" const 8\n"
                   "tensor %3 f32[2x2] \"t\"\ntensor %4 f32[2x2] \"y\"\nop 0 FULLY_CONNECTED (%0 %1 -) -> (%3)\n"
                   "op 1 MUL (%3 %2) -> (%4)\ndata %1 0000803f000000400000404000008040\ndata %2 0000004000000000\n",
        /* computed */
        GRAPH("3") "tensor %0 f32[1x2] \"x\"\ntensor %1 f32[2x2] \"w\" const 16\ntensor %2 f32[1x2] \"t\"\n"
                   "tensor %3 f32[1x2] \"y\"\nop 0 FULLY_CONNECTED (%0 %1 -) -> (%2)\n"
                   "op 1 MUL (%2 %0) -> (%3)\ndata %1 0000803f000000400000404000008040\n",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        expect_unchanged(&permissive, SCALE, texts[i]);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fresh, finish)
    const struct CMUnitTest tests[] = {TEST(dequantized), TEST(dequantized_and_moved), TEST(scale_folded),
                                       TEST(other_forms), TEST(scale_left)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
