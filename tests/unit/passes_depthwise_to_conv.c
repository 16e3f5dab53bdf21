/* depthwise_to_conv: what is rewritten, that the results stay, and what is left alone. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "op_fixture.h"

#define X "tensor %0 s8[1x4x4x1] \"x\" q 0.5:3\n"
#define W "tensor %1 s8[1x2x2x3] \"w\" q axis 3 0.25:0 0.5:0 0.125:0 const 12\n"
#define B "tensor %2 s32[3] \"b\" const 12\n"
#define Y "tensor %3 s8[1x2x4x3] \"y\" q 0.75:-7\n"
#define OP                                                                                                             \
    "op 0 DEPTHWISE_CONV_2D (%0 %1 %2) -> (%3) {padding=SAME stride_w=1 stride_h=2 depth_multiplier=3 "                \
    "fused_activation_function=RELU dilation_w_factor=2 dilation_h_factor=1}\n"
#define DATA "data %1 0102030405060708fff6f580\ndata %2 0a000000f6ffffff64000000\n"

static OpCase *open_transformed(const char *text)
{
    static const HeliaTarget target = {.platform = "host", .cpu = "host", .isa = HELIA_ISA_C, .min_alignment = 16};
    OpCase *c = calloc(1, sizeof(*c));
    c->arena = helia_arena_new(NULL);
    c->diag = helia_diag_new(c->arena, op_case_log, c, 1);
    HeliaRegistryContext *registry = helia_build_default_registry_context(c->arena, c->diag, NULL, NULL, 0, false);
    c->model = air_read(c->arena, c->diag, registry, "case.air",
                        helia_format(c->arena,
                                     "model \"case\" version 3\ngraph 0 \"main\" inputs (%%0 \"x\") outputs (%%3 "
                                     "\"y\")\n%s",
                                     text));
    assert_non_null(c->model);
    const HeliaTransform *transform = helia_registry_get(registry->transforms, "depthwise_to_conv");
    const HeliaOpContext context = {c->model->main, c->arena, c->diag, &target};
    assert_true(transform->run(transform, &context, registry));
    assert_true(air_verify(c->model));
    c->node = c->model->main->nodes.at[0];
    c->resolved = resolve_graph(&context, registry);
    return c;
}

static void same_results(void **state)
{
    (void)state;
    static const char text[] = X W B Y OP DATA;
    int8_t in[16];
    uint32_t seed = 9;
    for (int i = 0; i < 16; i++)
        in[i] = (int8_t)random_between(&seed, -128, 127);
    OpCase *before = op_case_open(1, 3, text), *after = open_transformed(text);
    assert_string_equal(before->node->op_type, "DEPTHWISE_CONV_2D");
    assert_string_equal(after->node->op_type, "CONV_2D");
    const AirTensor *w = after->node->in[1];
    static const int8_t ohwi[12] = {1, 4, 7, -10, 2, 5, 8, -11, 3, 6, -1, -128};
    const int32_t dim[4] = {3, 2, 2, 1};
    assert_memory_equal(w->dim, dim, sizeof(dim));
    assert_memory_equal(w->data, ohwi, sizeof(ohwi));
    assert_int_equal(w->quant->axis, 0);
    void *expected = op_case_run(before, (const void *const[]){in}),
         *got = op_case_run(after, (const void *const[]){in});
    assert_memory_equal(got, expected, 24);
    free(expected), free(got);
    op_case_close(before);
    op_case_close(after);
}

static void left_alone(void **state)
{
    (void)state;
    static const char *const texts[] = {
        /* two input channels */
        "tensor %0 s8[1x4x4x2] \"x\" q 0.5:3\ntensor %1 s8[1x2x2x2] \"w\" q 0.25:0 const 8\n" B
        "tensor %3 s8[1x4x4x2] \"y\" q 0.75:-7\n"
        "op 0 DEPTHWISE_CONV_2D (%0 %1 -) -> (%3) {stride_w=1 stride_h=1}\ndata %1 0102030405060708\n"
        "data %2 000000000000000000000000\n",
        /* int4 weights */
        X "tensor %1 s4[1x2x2x3] \"w\" q 0.25:0 const 6\n" B Y OP
          "data %1 010203040506\ndata %2 0a000000f6ffffff64000000\n",
        /* scales along a dimension that has no meaning */
        X "tensor %1 s8[1x2x2x3] \"w\" q axis 2 0.25:0 0.5:0 const 12\n" B Y OP DATA,
        /* float32 */
        "tensor %0 f32[1x2x2x1] \"x\"\ntensor %1 f32[1x1x1x1] \"w\" const 4\n" B "tensor %3 f32[1x2x2x1] \"y\"\n"
        "op 0 DEPTHWISE_CONV_2D (%0 %1 -) -> (%3) {stride_w=1 stride_h=1}\ndata %1 0000803f\n"
        "data %2 000000000000000000000000\n",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        OpCase *c = open_transformed(texts[i]);
        assert_string_equal(c->node->op_type, "DEPTHWISE_CONV_2D");
        op_case_close(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_results), cmocka_unit_test(left_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
