/* Elements of tensors compared: distances of integers of every width, floats by a bound, what is no number. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "golden/differ.h"

static HeliaArena *arena;

static int fresh(void **state)
{
    (void)state;
    arena = helia_arena_new(NULL);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    helia_arena_free(arena);
    return 0;
}

/* One element each; the number that differs: 0 or 1. */
static size_t differ(AirType type, const void *expected, const void *got, uint64_t integers, double floats)
{
    const Tolerance t = {integers, floats};
    Difference d;
    const bool found = tensors_differ(arena, type, expected, got, 1, &t, &d);
    assert_int_equal(found, d.count > 0);
    return d.count;
}

static void integers(void **state)
{
    (void)state;
    const int8_t a = -128, b = 127, c = -127;
    assert_int_equal(differ(AIR_S8, &a, &a, 0, 0), 0);
    assert_int_equal(differ(AIR_S8, &a, &c, 0, 9), 1);
    assert_int_equal(differ(AIR_S8, &a, &c, 1, 0), 0);
    assert_int_equal(differ(AIR_S8, &a, &b, 254, 0), 1);
    assert_int_equal(differ(AIR_S8, &a, &b, 255, 0), 0);
    assert_int_equal(differ(AIR_U8, &a, &b, 1, 0), 0); /* 128 and 127 */
    const int64_t low = INT64_MIN, high = INT64_MAX;
    assert_int_equal(differ(AIR_S64, &low, &high, 1, 0), 1);
    assert_int_equal(differ(AIR_S64, &low, &high, UINT64_MAX, 0), 0);
    const int16_t s = -1, t = 1;
    assert_int_equal(differ(AIR_S16, &s, &t, 1, 0), 1);
    assert_int_equal(differ(AIR_S16, &s, &t, 2, 0), 0);
}

static void first_one(void **state)
{
    (void)state;
    const uint64_t a[3] = {1, UINT64_MAX, 5}, b[3] = {1, 0, 6};
    const Tolerance exact = {0, 0};
    Difference d;
    assert_true(tensors_differ(arena, AIR_U64, a, b, 3, &exact, &d));
    assert_int_equal(d.count, 2);
    assert_int_equal(d.first, 1);
    assert_string_equal(d.expected, "18446744073709551615");
    assert_string_equal(d.got, "0");
    const uint8_t packed[2] = {0x21, 0x03}, other[2] = {0x21, 0x04}; /* three of 4 bits */
    assert_true(tensors_differ(arena, AIR_S4, packed, other, 3, &exact, &d));
    assert_int_equal(d.first, 1);
}

static void floats(void **state)
{
    (void)state;
    const float one = 1, close = 1.001f, nan = NAN, infinite = INFINITY, negative = -INFINITY, largest = FLT_MAX;
    assert_int_equal(differ(AIR_F32, &one, &close, 0, 0.0005), 1);
    assert_int_equal(differ(AIR_F32, &one, &close, 0, 0.0015), 0);
    assert_int_equal(differ(AIR_F32, &nan, &nan, 0, 0), 0);
    assert_int_equal(differ(AIR_F32, &nan, &one, 0, 1e30), 1);
    assert_int_equal(differ(AIR_F32, &one, &nan, 0, 1e30), 1);
    assert_int_equal(differ(AIR_F32, &infinite, &infinite, 0, 0), 0);
    assert_int_equal(differ(AIR_F32, &infinite, &negative, 0, 1e30), 1);
    assert_int_equal(differ(AIR_F32, &infinite, &largest, 0, 1e38), 1);
    const uint16_t half = 0x3c00, above = 0x3c01;
    assert_int_equal(differ(AIR_F16, &half, &above, 0, 0.0005), 1);
    assert_int_equal(differ(AIR_F16, &half, &above, 0, 0.001), 0);
}

static void magnitudes(void **state)
{
    (void)state;
    const float values[] = {1, -3, NAN, INFINITY, 2};
    const int8_t ints[] = {100};
    assert_true(largest_magnitude(arena, AIR_F32, values, 5) == 3.0);
    assert_true(largest_magnitude(arena, AIR_F32, values, 0) == 0.0);
    assert_true(largest_magnitude(arena, AIR_S8, ints, 1) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(integers, fresh, finish),
        cmocka_unit_test_setup_teardown(first_one, fresh, finish),
        cmocka_unit_test_setup_teardown(floats, fresh, finish),
        cmocka_unit_test_setup_teardown(magnitudes, fresh, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
