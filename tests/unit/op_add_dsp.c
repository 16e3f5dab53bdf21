/* The linear form of ADD: found for scales of all ratios, also those that make halves, and equal to the reference for
 * every pair of operands. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "helia_math.h"
#include "pack/add_dsp.h"
#include "op/quant.h"

static helia_add_params reference(double a, double b, double out, int32_t zero_out, int32_t min)
{
    helia_add_params p = {.zero_a = -3, .zero_b = 17, .zero_out = zero_out, .shift = 20, .min = min, .max = 127};
    double twice = 2.0 * (a > b ? a : b);
    quantize_multiplier(a / twice, &p.multiplier_a, &p.exponent_a);
    quantize_multiplier(b / twice, &p.multiplier_b, &p.exponent_b);
    quantize_multiplier(twice / (1048576.0 * out), &p.multiplier_out, &p.exponent_out);
    return p;
}

static int32_t by_reference(const helia_add_params *p, int32_t x, int32_t y)
{
    int32_t u = helia_requantize((x - p->zero_a) * (1 << 20), p->multiplier_a, p->exponent_a);
    int32_t v = helia_requantize((y - p->zero_b) * (1 << 20), p->multiplier_b, p->exponent_b);
    int32_t sum = helia_requantize(u + v, p->multiplier_out, p->exponent_out);
    return helia_clamp(sum + p->zero_out, p->min, p->max);
}

static void all_pairs(void **state)
{
    (void)state;
    static const struct {
        double a, b, out;
    } scales[] = {{0.05, 0.05, 0.05},  {0.05, 0.05, 0.1},   {0.0625, 0.125, 0.25}, {0.031, 0.0077, 0.04},
                  {0.02, 0.002, 0.03}, {0.1, 0.1, 0.2},     {1.0, 0.001, 1.0},     {0.3, 0.2, 0.01},
                  {0.7, 0.7, 0.35},    {0.013, 0.41, 0.37}, {0.5, 0.25, 0.125},    {0.11, 0.0917, 2.0}};
    HeliaArena *arena = helia_arena_new(NULL);
    for (size_t i = 0; i < 2 * sizeof(scales) / sizeof(scales[0]); i++) {
        const int32_t zero = i % 2 ? -128 : 5;
        helia_add_params r = reference(scales[i / 2].a, scales[i / 2].b, scales[i / 2].out, zero, i % 3 ? -128 : zero);
        helia_add_s8_dsp_params p;
        assert_true(add_dsp_linear(arena, &r, false, &p));
        int8_t x[256], all[256], out[256];
        for (int32_t k = 0; k < 256; k++)
            x[k] = (int8_t)(k - 128);
        p.shape = (helia_broadcast){.rank = 1, .dim = {256}, .stride_a = {1}, .stride_b = {0}};
        for (int32_t y = -128; y < 128; y++) {
            all[0] = (int8_t)y;
            helia_add_s8_dsp(&p, x, all, out);
            for (int32_t k = 0; k < 256; k++)
                assert_int_equal(out[k], by_reference(&r, k - 128, y));
        }
    }
    helia_arena_free(arena);
}

/* An output scale so small that a factor would not fit; and ratios of 11/200 and 9/200, whose halves the reference
 * rounds now up and now down, as its first roundings have it. */
static void none_found(void **state)
{
    (void)state;
    HeliaArena *arena = helia_arena_new(NULL);
    helia_add_params small = reference(1.0, 1.0, 0.0001, 0, -128), halves = reference(0.11, 0.09, 2.0, 5, -128);
    helia_add_s8_dsp_params p;
    assert_false(add_dsp_linear(arena, &small, false, &p));
    assert_false(add_dsp_linear(arena, &halves, false, &p));
    helia_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_pairs), cmocka_unit_test(none_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
