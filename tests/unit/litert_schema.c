/* The schema by name, and the options of operators. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "litert/schema.h"

#include <string.h>

static void test_operator_names(void **state)
{
    (void)state;
    assert_string_equal(litert_op_name(0), "ADD");
    assert_string_equal(litert_op_name(LITERT_OP_CUSTOM), "CUSTOM");
    assert_string_equal(litert_op_name(209), "STABLEHLO_CASE");
    assert_null(litert_op_name(210));
    assert_null(litert_op_name(-1));
    for (int32_t code = 0; code < 210; code++)
        assert_int_equal(litert_op_code(litert_op_name(code)), code);
    assert_int_equal(litert_op_code("CONV"), -1);
}

static void test_type_names(void **state)
{
    (void)state;
    assert_string_equal(litert_type_name(9), "INT8");
    assert_null(litert_type_name(-1));
    assert_null(litert_type_name(23));
    assert_int_equal(schema_type_bits(17), 4);
    assert_int_equal(schema_type_bits(5), 0);
    assert_int_equal(schema_type_bits(23), -1);
}

static void test_option_names(void **state)
{
    (void)state;
    assert_int_equal(litert_options_tag("Conv2DOptions", false), 1);
    assert_int_equal(litert_options_tag("Conv2DOptions", true), -1);
    assert_int_equal(litert_options_tag("StablehloCaseOptions", true), 23);
    assert_string_equal(litert_options_name(126, false), "RightShiftOptions");
    assert_null(litert_options_name(0, false));
    assert_null(litert_options_name(127, false));
    assert_null(litert_options_name(255, true));
    assert_int_equal(litert_field_id(1, false, "dilation_h_factor"), 5);
    assert_int_equal(litert_field_id(1, false, "dilation"), -1);
    assert_int_equal(litert_field_id(22, false, "axis"), -1); /* PadOptions has no fields */
}

static void test_tables_are_whole(void **state)
{
    (void)state;
    for (int t = 0; t < N_TABLES; t++) {
        const SchemaTable *table = schema_table((TableId)t);
        assert_non_null(table->name);
        for (unsigned i = 0; i < table->n_fields; i++)
            assert_non_null(table->fields[i].name);
    }
}

static void test_option_values(void **state)
{
    (void)state;
    HeliaArena *arena = helia_arena_new(NULL);
    LitertOp op = {0};
    assert_int_equal(litert_opt_int(&op, "Conv2DOptions", "stride_w", -7), -7);
    assert_true(litert_opt_float(&op, "SoftmaxOptions", "beta", 1.0) == 1.0);
    assert_int_equal(litert_opt_ints(&op, "ReshapeOptions", "new_shape").len, 0);

    op.options = litert_options_new(arena, 1, false);
    assert_int_equal(litert_opt_int(&op, "Conv2DOptions", "dilation_w_factor", -7), 1);
    assert_int_equal(litert_opt_int(&op, "Conv2DOptions", "stride_w", -7), 0);
    op.options.fields[litert_field_id(1, false, "stride_w")].i = 3;
    assert_int_equal(litert_opt_int(&op, "Conv2DOptions", "stride_w", -7), 3);
    assert_int_equal(litert_opt_int(&op, "Pool2DOptions", "stride_w", -7), -7); /* the operator has another table */

    uint8_t tag = (uint8_t)litert_options_tag("StablehloGatherOptions", true);
    op.options_2 = litert_options_new(arena, tag, true);
    int32_t dims[] = {4, 5};
    op.options_2.fields[litert_field_id(tag, true, "offset_dims")].ints = (LitertInts){dims, 2};
    LitertInts found = litert_opt_ints(&op, "StablehloGatherOptions", "offset_dims");
    assert_int_equal(found.len, 2);
    assert_int_equal(found.at[1], 5);
    helia_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operator_names), cmocka_unit_test(test_type_names),
        cmocka_unit_test(test_option_names),   cmocka_unit_test(test_tables_are_whole),
        cmocka_unit_test(test_option_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
