/* Models that are sound, but hold what is not supported: what is said of a tensor is said once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../litert_models.h"
#include "air/import.h"

enum { INPUT, WEIGHTS, BIAS, OUTPUT };

static void change(LitertModel *m, int which)
{
    LitertTensor *tensors = m->subgraphs.at[0].tensors.at;
    if (which == 0)
        tensors[WEIGHTS].sparsity = make_sparsity(m->arena);
    else if (which == 1)
        tensors[BIAS].type = 5; /* STRING */
    else
        m->buffers.at[tensors[WEIGHTS].buffer].len = 71;
}

static void broken_constants(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "tensor 1 \"weights\": error: sparse tensors are not supported; expected a constant with all its elements: "
        "convert "
        "the model without sparsity\n",
        "tensor 2 \"bias\": error: data type STRING is not supported\n",
        "tensor 1 \"weights\": error: the buffer has 71 bytes; shape [4x3x3x2] of int8 needs 72\n",
    };
    for (int i = 0; i < 3; i++) {
        Messages messages = {{0}, 0};
        HeliaArena *arena = helia_arena_new(NULL);
        HeliaDiag *diag = helia_diag_new(arena, keep_message, &messages, 0);
        const HeliaRegistryContext *registry = helia_build_default_registry_context(arena, diag, NULL, NULL, 0, false);
        LitertModel *m = conv_model(arena);
        assert_non_null(air_import(arena, diag, registry, m, 0));
        change(m, i);
        assert_null(air_import(arena, diag, registry, m, 0));
        assert_non_null(strstr(messages.text, expected[i]));
        assert_int_equal(messages.errors, 1);
        helia_arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(broken_constants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
