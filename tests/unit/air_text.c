/* AIR text: what is printed reads back to the same graph; bad text is refused with its line. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include <helia_aot/registry.h>

static char log_text[4096];

static void to_log(void *user, HeliaSeverity severity, const char *text)
{
    (void)user;
    (void)severity;
    strncat(log_text, text, sizeof(log_text) - strlen(log_text) - 2);
    strcat(log_text, "\n");
}

static const char sample[] = "model \"a\\x22b.tflite\" version 3\n"
                             "graph 0 \"main\" inputs (%0 \"audio\") outputs (%3 \"scores\")\n"
                             "tensor %0 s8[1x4x4x1] \"in\\x0a\" litert 0 open q 0.5:-3\n"
                             "tensor %1 s8[2x3x3x1] \"w\" litert 1 q axis 0 0.100000001:0 0.200000003:0 const 18\n"
                             "tensor %2 s32[2] \"b\" const 8\n"
                             "tensor %3 s8[1x2x2x2] \"out\" litert 3 q 0.25:4\n"
                             "tensor %4 f32[] \"state\" variable initial\n"
                             "op 0 CONV_2D (%0 %1 -) -> (%3) {padding=VALID stride_w=1 stride_h=1 "
                             "fused_activation_function=RELU6 dilation_w_factor=1}\n"
                             "data %1 000102030405060708090a0b0c0d0e0f1011\n"
                             "data %2 0100000002000000\n"
                             "data %4 0000803f\n";

static void round_trip(void **state)
{
    (void)state;
    HeliaArena *arena = helia_arena_new(NULL);
    HeliaDiag *diag = helia_diag_new(arena, to_log, NULL, 1);
    HeliaRegistryContext *r = helia_build_default_registry_context(arena, diag, NULL, NULL, 0, false);
    assert_non_null(r);
    log_text[0] = 0;
    AirModel *model = air_read(arena, diag, r, "sample.air", sample);
    assert_string_equal(log_text, "");
    assert_non_null(model);
    assert_true(air_verify(model));
    const char *once = air_print(arena, model, r);
    AirModel *again = air_read(arena, diag, r, "again.air", once);
    assert_non_null(again);
    assert_string_equal(air_print(arena, again, r), once);
    AirGraph *g = again->main;
    assert_int_equal(g->nodes.len, 1);
    assert_null(g->nodes.at[0]->in[2]);
    assert_ptr_equal(g->tensors.at[3]->def, g->nodes.at[0]);
    assert_string_equal(g->tensors.at[0]->name, "in\n");
    assert_int_equal(g->tensors.at[1]->quant->n, 2);
    assert_int_equal(((const uint8_t *)g->tensors.at[1]->data)[17], 0x11);
    assert_true(g->tensors.at[4]->is_variable);
    assert_memory_equal(g->tensors.at[4]->initial, "\x00\x00\x80\x3f", 4);
    helia_arena_free(arena);
}

/* Every prefix of the sample, and every single-byte change to '?', ends in a graph or in one error: never in a crash. */
static void broken_text(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof(sample); n++) {
        HeliaArena *arena = helia_arena_new(NULL);
        HeliaDiag *diag = helia_diag_new(arena, to_log, NULL, 1);
        HeliaRegistryContext *r = helia_build_default_registry_context(arena, diag, NULL, NULL, 0, false);
        char text[sizeof(sample)];
        memcpy(text, sample, sizeof(sample));
        text[n] = 0;
        log_text[0] = 0;
        bool cut_refused = air_read(arena, diag, r, "cut.air", text) == NULL;
        if (cut_refused != (helia_diag_errors(diag) == 1))
            fail_msg("cut at %zu: refused %d with %u errors: %s", n, cut_refused, helia_diag_errors(diag), log_text);
        if (n + 1 < sizeof(sample)) {
            uint32_t before = helia_diag_errors(diag);
            memcpy(text, sample, sizeof(sample));
            text[n] = '?';
            log_text[0] = 0;
            bool refused = air_read(arena, diag, r, "changed.air", text) == NULL;
            assert_int_equal(helia_diag_errors(diag) - before, refused ? 1 : 0);
            if (refused)
                assert_non_null(strstr(log_text, "changed.air:"));
        }
        helia_arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip), cmocka_unit_test(broken_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
