/* LOGISTIC and the RELUs: the int8 tables against the real functions over all codes, floats against their definition.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "op_fixture.h"

static OpCase *open_case(const char *op, const char *type, const char *in_quant, const char *out_quant, int32_t n)
{
    char text[512];
    snprintf(text, sizeof(text), "tensor %%0 %s[%d] \"x\"%s\ntensor %%1 %s[%d] \"y\"%s\nop 0 %s (%%0) -> (%%1)\n", type,
             n, in_quant, type, n, out_quant, op);
    return op_case_open(1, 1, text);
}

static int8_t *run_all_codes(const char *op, const char *in_quant, const char *out_quant)
{
    int8_t in[256];
    for (int i = 0; i < 256; i++)
        in[i] = (int8_t)(i - 128);
    OpCase *c = open_case(op, "s8", in_quant, out_quant, 256);
    int8_t *out = op_case_run(c, (const void *const[]){in});
    op_case_close(c);
    return out;
}

static void logistic_s8(void **state)
{
    (void)state;
    static const double scales[] = {1e-12, 0.001, 0.0235, 0.05, 0.1, 0.4, 3.0, 1e6};
    for (size_t s = 0; s < sizeof(scales) / sizeof(scales[0]); s++) {
        for (int zero = -128; zero <= 127; zero += 51) {
            char quant[48];
            snprintf(quant, sizeof(quant), " q %.9g:%d", scales[s], zero);
            int8_t *out = run_all_codes("LOGISTIC", quant, " q 0.00390625:-128");
            for (int q = -128; q <= 127; q++) {
                double want = 256.0 / (1.0 + exp(-scales[s] * (q - zero))) - 128.0;
                want = want > 127.0 ? 127.0 : want;
                bool saturated = scales[s] >= 15.0 && q == zero; /* the reference decides x <= -0 before 0 itself */
                assert_true(saturated || fabs(want - out[q + 128]) <= 0.51);
                assert_true(q == -128 || out[q + 128] >= out[q + 127]);
            }
            free(out);
        }
    }
}

/* Where one code is worth more than the fixed-point range, TFLite Micro gives 0 the lowest result. */
static void coarse_sigmoids(void **state)
{
    (void)state;
    static const char *const scales[] = {" q 8:3", " q 50:3", " q 1000:3"};
    for (size_t i = 0; i < 3; i++) {
        int8_t *logistic = run_all_codes("LOGISTIC", scales[i], " q 0.00390625:-128");
        int8_t *tangent = run_all_codes("TANH", scales[i], " q 0.0078125:0");
        for (int q = -128; q <= 127; q++) {
            assert_int_equal(logistic[q + 128], q <= 3 ? -128 : 127);
            assert_int_equal(tangent[q + 128], q <= 3 ? -128 : 127);
        }
        free(logistic);
        free(tangent);
    }
}

static void relus_s8(void **state)
{
    (void)state;
    static const struct {
        const char *op;
        double lo, hi;
    } cases[] = {{"RELU", 0, 1e9}, {"RELU6", 0, 6}, {"RELU_N1_TO_1", -1, 1}, {"RELU_0_TO_1", 0, 1}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int8_t *out = run_all_codes(cases[i].op, " q 0.07:-20", " q 0.05:-40");
        for (int q = -128; q <= 127; q++) {
            double x = 0.07 * (q + 20);
            x = x < cases[i].lo ? cases[i].lo : x > cases[i].hi ? cases[i].hi : x;
            double want = x / 0.05 - 40;
            want = want > 127 ? 127 : want;
            assert_true(fabs(want - out[q + 128]) <= 0.51);
        }
        free(out);
    }
}

static void floats(void **state)
{
    (void)state;
    static const float in[] = {-INFINITY, -100.0f, -1.5f, -0.0f, 0.5f, 3.0f, 8.0f, INFINITY, NAN};
    enum { N = sizeof(in) / sizeof(in[0]) };
    static const struct {
        const char *op;
        float lo, hi;
    } cases[] = {{"RELU", 0, INFINITY}, {"RELU6", 0, 6}, {"RELU_N1_TO_1", -1, 1}, {"RELU_0_TO_1", 0, 1}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        OpCase *c = open_case(cases[i].op, "f32", "", "", N);
        float *out = op_case_run(c, (const void *const[]){in});
        for (int k = 0; k < N - 1; k++)
            assert_true(out[k] == (in[k] < cases[i].lo ? cases[i].lo : in[k] > cases[i].hi ? cases[i].hi : in[k]));
        assert_true(isnan(out[N - 1]));
        free(out);
        op_case_close(c);
    }
    OpCase *c = open_case("LOGISTIC", "f32", "", "", N);
    float *out = op_case_run(c, (const void *const[]){in});
    for (int k = 0; k < N - 1; k++)
        assert_true(fabs((double)out[k] - 1.0 / (1.0 + exp(-(double)in[k]))) <= 1e-7);
    assert_true(isnan(out[N - 1]));
    free(out);
    op_case_close(c);
}

static void refused(void **state)
{
    (void)state;
    op_case_refused(1, 1, "tensor %0 s8[2] \"x\" q 0.5:0\ntensor %1 s8[2] \"y\" q 0.5:0\nop 0 LOGISTIC (%0) -> (%1)\n",
                    "scale 0.00390625");
    op_case_refused(1, 1, "tensor %0 s64[2] \"x\"\ntensor %1 s64[2] \"y\"\nop 0 RELU (%0) -> (%1)\n", "is int64");
    op_case_refused(1, 1, "tensor %0 f32[2] \"x\"\ntensor %1 f32[3] \"y\"\nop 0 RELU6 (%0) -> (%1)\n",
                    "inputs and options give [2]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logistic_s8), cmocka_unit_test(coarse_sigmoids), cmocka_unit_test(relus_s8),
        cmocka_unit_test(floats),      cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
