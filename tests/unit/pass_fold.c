/* fold_static_shape_expressions: what is folded, what is left, and that the constants are right. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include <helia_aot/registry.h>

static void quiet(void *user, HeliaSeverity severity, const char *text)
{
    (void)user, (void)severity, (void)text;
}

/* The graph behind the transform; operators are counted, and the arena is the caller's to free. */
static AirGraph *folded(HeliaArena *arena, const char *text)
{
    static const HeliaTarget target = {.platform = "host", .cpu = "host", .isa = HELIA_ISA_DSP, .min_alignment = 16};
    HeliaDiag *diag = helia_diag_new(arena, quiet, NULL, 0);
    HeliaRegistryContext *r = helia_build_default_registry_context(arena, diag, NULL, NULL, 0, false);
    AirModel *model = air_read(arena, diag, r, "fold.air", text);
    assert_non_null(model);
    const HeliaTransform *t = helia_registry_get(r->transforms, "fold_static_shape_expressions");
    const HeliaOpContext c = {model->main, arena, diag, &target};
    assert_true(t->run(t, &c, r));
    assert_true(air_verify(model));
    return model->main;
}

static void shape_expression(void **state)
{
    (void)state;
    HeliaArena *arena = helia_arena_new(NULL);
    AirGraph *g = folded(arena, "model \"m\" version 3\ngraph 0 \"main\" inputs (%0 \"x\") outputs (%8 \"y\")\n"
                                "tensor %0 f32[2x3x4] \"x\"\n"
                                "tensor %1 s32[3] \"shape\"\n"
                                "tensor %2 s32[1] \"begin\" const 4\n"
                                "tensor %3 s32[1] \"end\" const 4\n"
                                "tensor %4 s32[1] \"stride\" const 4\n"
                                "tensor %5 s32[] \"batch\"\n"
                                "tensor %6 s32[] \"depth\" const 4\n"
                                "tensor %7 s32[2] \"wanted\"\n"
                                "tensor %8 f32[1x12] \"y\" open\n"
                                "op 0 SHAPE (%0) -> (%1)\n"
                                "op 1 STRIDED_SLICE (%1 %2 %3 %4) -> (%5) {shrink_axis_mask=1}\n"
                                "op 2 PACK (%5 %6) -> (%7) {values_count=2}\n"
                                "op 3 RESHAPE (%0 %7) -> (%8)\n"
                                "data %2 00000000\ndata %3 01000000\ndata %4 01000000\ndata %6 0c000000\n");
    assert_int_equal(g->nodes.len, 1);
    assert_string_equal(g->nodes.at[0]->op_type, "RESHAPE");
    const int32_t wanted[2] = {2, 12};
    assert_memory_equal(g->tensors.at[7]->data, wanted, sizeof(wanted));
    assert_int_equal(g->tensors.at[8]->dim[0], 2);
    helia_arena_free(arena);
}

/* Float arithmetic stays for the target, moved floats do not; a result of the graph stays; long results too. */
static void left(void **state)
{
    (void)state;
    HeliaArena *arena = helia_arena_new(NULL);
    AirGraph *g = folded(arena,
                         "model \"m\" version 3\ngraph 0 \"main\" inputs (%0 \"x\") outputs (%3 \"y\" %4 \"z\")\n"
                         "tensor %0 f32[2] \"x\"\n"
                         "tensor %1 f32[2] \"c\" const 8\n"
                         "tensor %2 f32[2] \"logistic\"\n"
                         "tensor %3 f32[2] \"y\"\n"
                         "tensor %4 f32[1x2] \"z\"\n"
                         "tensor %5 f32[1x2] \"moved\"\n"
                         "tensor %6 f32[1x2] \"sum\"\n"
                         "op 0 LOGISTIC (%1) -> (%2)\n"
                         "op 1 ADD (%0 %2) -> (%3)\n"
                         "op 2 RESHAPE (%1) -> (%5) {new_shape=[1,2]}\n"
                         "op 3 ADD (%5 %0) -> (%4)\n"
                         "data %1 0000803f0000803f\n");
    assert_int_equal(g->nodes.len, 3);
    assert_string_equal(g->nodes.at[0]->op_type, "LOGISTIC");
    assert_non_null(g->tensors.at[5]->data);
    g = folded(arena, "model \"m\" version 3\ngraph 0 \"main\" inputs (%0 \"x\") outputs (%1 \"y\")\n"
                      "tensor %0 f32[2x3] \"x\"\ntensor %1 s32[2] \"y\"\nop 0 SHAPE (%0) -> (%1)\n");
    assert_int_equal(g->nodes.len, 1);
    helia_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shape_expression), cmocka_unit_test(left)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
