/* The fixed-point functions and int8 SOFTMAX against known answers and the real functions; float32; what is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "op_fixture.h"

#include "helia_fixed_point.h"

/* ---- fixed point: answers of the arithmetic's model in numpy ------------------------------------ */
enum { POINTS = 7 };

static void known_requantisation(void **state)
{
    (void)state;
    static const int32_t known[][4] = {
        /* x, m, e, result */
        {1, 1 << 30, 0, 1},
        {-1, 1 << 30, 0, 0},
        {-3, 1 << 30, 0, -1},
        {3, -1518500250, -2, -1},
        {-3, -1518500250, -2, 1},
        {INT32_MAX, 1 << 30, 0, 1 << 30},
        {INT32_MAX, 1 << 30, 1, -1},
        {INT32_MIN, 1 << 30, 1, 0},
        {INT32_MAX, INT32_MAX, -31, 1},
        {INT32_MIN, INT32_MAX, -31, -1},
        {INT32_MAX, 1518500250, -7, 11863283},
        {INT32_MAX, 1518500250, 5, -23},
        {-1073741825, -1518500250, -2, 189812532},
        {123456789, 1518500250, 5, -243492254},
        {-987654321, 1518500250, -7, -5456071},
        {-987654321, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        assert_int_equal(helia_requantize(known[i][0], known[i][1], known[i][2]), known[i][3]);
    assert_int_equal(helia_srdhm(INT32_MIN, INT32_MIN), INT32_MAX);
}

static void known_exponentials(void **state)
{
    (void)state;
    static const int32_t x[POINTS] = {0, -1, -1000, -123456789, -(1 << 30), -2000000000, INT32_MIN};
    static const struct {
        int32_t k, want[POINTS];
    } known[] = {
        {0, {2147483647, 2147483155, 2147482156, 2027508506, 1302515042, 846177772, 790015308}},
        {3, {2147483647, 2147483148, 2147475156, 1355790152, 39332546, 1247912, 720401}},
        {5, {2147483647, 2147483124, 2147451157, 341177383, 242, 0, 0}},
        {6, {2147483647, 2147483093, 2147419158, 54203908, 0, 0, 0}},
        {10, {2147483647, 2147482132, 2146459409, 0, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        for (int32_t p = 0; p < POINTS; p++)
            assert_int_equal(helia_exp_negative(x[p], known[i].k), known[i].want[p]);
}

static void known_quotients(void **state)
{
    (void)state;
    static const int32_t a[POINTS] = {0, 1, 1 << 20, 1 << 30, 1234567890, INT32_MAX - 1, INT32_MAX};
    static const int32_t half[POINTS] = {INT32_MAX,  INT32_MAX,  2146435584, 1431655762,
                                         1363576508, 1073741820, 1073741820};
    static const int32_t rest[POINTS] = {INT32_MAX, INT32_MAX, 2145387520, 715827876, 579669368, -8, -8};
    static const int32_t reciprocal[][4] = {
        /* x, k, result, over */
        {1, 12, INT32_MAX, -19},         {3, 31, 1431655762, 1},        {1000, 12, 1099511630, -10},
        {1 << 19, 12, INT32_MAX, 0},     {12345678, 12, 1459166394, 4}, {(1 << 27) + 1, 31, 2147483632, 27},
        {INT32_MAX, 12, 1073741820, 11},
    };
    for (int32_t p = 0; p < POINTS; p++) {
        assert_int_equal(helia_one_over_one_plus(a[p]), half[p]);
        assert_int_equal(helia_one_minus_over_one_plus(a[p]), rest[p]);
    }
    for (size_t i = 0; i < sizeof(reciprocal) / sizeof(reciprocal[0]); i++) {
        int32_t over;
        assert_int_equal(helia_reciprocal(reciprocal[i][0], reciprocal[i][1], &over), reciprocal[i][2]);
        assert_int_equal(over, reciprocal[i][3]);
    }
}

static void known_sigmoids(void **state)
{
    (void)state;
    static const int32_t x[POINTS] = {0, 1, -1, 1 << 28, -(1 << 30), -1987654321, INT32_MAX};
    static const int32_t logistic_0[POINTS] = {1 << 30,   1073741948, 1073741699, 1140763444,
                                               810762557, 609506501,  1569936226};
    static const int32_t logistic_4[POINTS] = {1 << 30, 1073741948, 1073741699, 1891497262, 720155, 797, 2147483406};
    static const int32_t tanh_0[POINTS] = {0, 248, -248, 267045740, -992388804, -1564492328, 1635510876};
    static const int32_t tanh_4[POINTS] = {0, 260, -260, 2070233436, -2147483164, -INT32_MAX, INT32_MAX};
    for (int32_t p = 0; p < POINTS; p++) {
        assert_int_equal(helia_logistic(x[p], 0), logistic_0[p]);
        assert_int_equal(helia_logistic(x[p], 4), logistic_4[p]);
        assert_int_equal(helia_tanh(x[p], 0), tanh_0[p]);
        assert_int_equal(helia_tanh(x[p], 4), tanh_4[p]);
    }
}

/* Near the real functions over their whole range, for every format an int32 has room for. */
static void accuracy(void **state)
{
    (void)state;
    for (int32_t k = 0; k <= 12; k++)
        for (int64_t a = -(INT64_C(1) << 31); a <= 0; a += 7777777) {
            double real = ldexp((double)a, k - 31), one = 2147483648.0;
            assert_true(fabs(helia_exp_negative((int32_t)a, k) / one - exp(real)) < 2e-6);
            if (a > INT32_MIN && k < 12) {
                assert_true(fabs(helia_logistic((int32_t)-a, k) / one - 1.0 / (1.0 + exp(real))) < 2e-6);
                assert_true(fabs(helia_tanh((int32_t)a, k) / one - tanh(real)) < 4e-6);
            }
        }
}

/* ---- SOFTMAX ---------------------------------------------------------------------------------- */
static OpCase *open_s8(float scale, float beta, int32_t rows, int32_t depth)
{
    char text[512];
    snprintf(text, sizeof(text),
             "tensor %%0 s8[%dx%d] \"x\" q %.9g:17\ntensor %%1 s8[%dx%d] \"y\" q 0.00390625:-128\n"
             "op 0 SOFTMAX (%%0) -> (%%1) {beta=%.9g}\n",
             rows, depth, (double)scale, rows, depth, (double)beta);
    return op_case_open(1, 1, text);
}

static void known_rows(void **state)
{
    (void)state;
    static const struct {
        float scale, beta;
        int32_t n;
        int8_t in[12], out[12];
    } known[] = {
        {0.1f, 1.0f, 8, {3, -7, 20, 11, -128, 127, 126, 0}, {-128, -128, -128, -128, -128, 6, -6, -128}},
        {0.0390625f, 1.0f, 3, {-128, -128, -128}, {-43, -43, -43}},
        {0.5f,
         0.5f,
         12,
         {10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, -1},
         {-68, -82, -92, -100, -106, -111, -115, -118, -120, -122, -123, -124}},
        {2.0f, 1.0f, 4, {127, 126, 125, 120}, {94, -98, -124, -128}},
        {0.003f, 2.0f, 5, {-128, -64, 0, 64, 127}, {-107, -98, -84, -63, -33}},
        {0.02f, 1.0f, 1, {5}, {127}},
        {1e-7f, 1.0f, 3, {-128, 127, 0}, {-43, -43, -43}},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        OpCase *c = open_s8(known[i].scale, known[i].beta, 1, known[i].n);
        int8_t *out = op_case_run(c, (const void *const[]){known[i].in});
        assert_memory_equal(out, known[i].out, (size_t)known[i].n);
        free(out);
        op_case_close(c);
    }
}

/* Within one step of the real function, for scales from the smallest to the largest that are useful. */
static void near_the_real_function(void **state)
{
    (void)state;
    enum { ROWS = 3, DEPTH = 40 };
    uint32_t seed = 11;
    for (int32_t e = -26; e <= 6; e++) {
        float scale = ldexpf(1.25f, e);
        int8_t in[ROWS * DEPTH];
        for (int32_t i = 0; i < ROWS * DEPTH; i++)
            in[i] = (int8_t)random_between(&seed, -128, 127);
        OpCase *c = open_s8(scale, 1.0f, ROWS, DEPTH);
        int8_t *out = op_case_run(c, (const void *const[]){in});
        for (int32_t r = 0; r < ROWS; r++) {
            double sum = 0.0;
            for (int32_t i = 0; i < DEPTH; i++)
                sum += exp((double)scale * (in[r * DEPTH + i] - 127));
            for (int32_t i = 0; i < DEPTH; i++) {
                double want = 256.0 * exp((double)scale * (in[r * DEPTH + i] - 127)) / sum - 128.0;
                double got = out[r * DEPTH + i];
                if (sum > 0.0)
                    assert_true(fabs(got - (want > 127.0 ? 127.0 : want)) < 1.0);
            }
        }
        free(out);
        op_case_close(c);
    }
}

/* Rows so long that no element keeps a step, and that the sum leaves 32 bits. */
static void long_rows(void **state)
{
    (void)state;
    static const int32_t depths[] = {600, 4095, 4096, 8192, 10000};
    for (size_t d = 0; d < sizeof(depths) / sizeof(depths[0]); d++) {
        int8_t *in = calloc((size_t)depths[d], 1);
        OpCase *c = open_s8(0.1f, 1.0f, 1, depths[d]);
        int8_t *out = op_case_run(c, (const void *const[]){in});
        for (int32_t i = 0; i < depths[d]; i++)
            assert_int_equal(out[i], -128);
        free(in), free(out);
        op_case_close(c);
    }
}

static void float_rows(void **state)
{
    (void)state;
    enum { ROWS = 2, DEPTH = 5 };
    static const float in[ROWS * DEPTH] = {1.0f, 2.0f, 3.0f, 4.0f, 1000.0f, -3.0f, -3.0f, 0.5f, -1e30f, 0.25f};
    OpCase *c = op_case_open(1, 1,
                             "tensor %0 f32[1x2x5] \"x\"\ntensor %1 f32[1x2x5] \"y\"\n"
                             "op 0 SOFTMAX (%0) -> (%1) {beta=0.5}\n");
    float *out = op_case_run(c, (const void *const[]){in});
    for (int32_t r = 0; r < ROWS; r++) {
        const float *x = in + r * DEPTH;
        double max = x[0], sum = 0.0;
        for (int32_t i = 1; i < DEPTH; i++)
            max = (double)x[i] > max ? (double)x[i] : max;
        for (int32_t i = 0; i < DEPTH; i++)
            sum += exp(0.5 * ((double)x[i] - max));
        for (int32_t i = 0; i < DEPTH; i++)
            assert_true(fabs((double)out[r * DEPTH + i] - exp(0.5 * ((double)x[i] - max)) / sum) < 1e-6);
    }
    free(out);
    op_case_close(c);
}

#define Y "tensor %1 s8[1x4] \"y\" q 0.00390625:-128\n"
#define OP "op 0 SOFTMAX (%0) -> (%1) {beta=1}\n"

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"tensor %0 u8[1x4] \"x\" q 0.1:0\n" Y OP, "input \"x\" is uint8; supported: int8, int16 or float32"},
        {"tensor %0 s8[1x4] \"x\" q 0.1:0\ntensor %1 u8[1x4] \"y\" q 0.1:0\n" OP,
         "output \"y\" is uint8; supported: int8"},
        {"tensor %0 s8[1x4] \"x\" q 0.1:0\ntensor %1 s8[1x4] \"y\" q 0.0078125:-128\n" OP,
         "has scale 0.0078125 and zero point -128; the operator's result has scale 0.00390625 and zero point -128"},
        {"tensor %0 s8[1x4] \"x\"\n" Y OP, "input \"x\" is int8 without quantisation"},
        {"tensor %0 s8[1x4] \"x\" q 0.1:0\n" Y "op 0 SOFTMAX (%0) -> (%1) {beta=-1}\n",
         "beta is -1; it must be a positive number"},
        {"tensor %0 s8[1x4] \"x\" q 1e-9:0\n" Y OP, "is too small; supported: at least 2^-27"},
        {"tensor %0 s8[] \"x\" q 0.1:0\ntensor %1 s8[] \"y\" q 0.00390625:-128\n" OP, "has rank 0; supported: 1 to 8"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        op_case_refused(1, 1, cases[i].text, cases[i].why);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_requantisation),
        cmocka_unit_test(known_exponentials),
        cmocka_unit_test(known_quotients),
        cmocka_unit_test(known_sigmoids),
        cmocka_unit_test(accuracy),
        cmocka_unit_test(known_rows),
        cmocka_unit_test(near_the_real_function),
        cmocka_unit_test(long_rows),
        cmocka_unit_test(float_rows),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
