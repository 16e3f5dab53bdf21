/* QUANTIZE and DEQUANTIZE: rounding, saturation and special values of floats; requantisation between all pairs of types
 * against exact scaling; float16 over all its values. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "op_fixture.h"

typedef struct IntType {
    const char *text;
    size_t size;
    int32_t lo, hi;
} IntType;

static const IntType types[] = {
    {"s8", 1, INT8_MIN, INT8_MAX},
    {"u8", 1, 0, UINT8_MAX},
    {"s16", 2, INT16_MIN, INT16_MAX},
    {"s32", 4, INT32_MIN, INT32_MAX},
};
enum { N_TYPES = sizeof(types) / sizeof(types[0]) };

static int32_t load(const IntType *t, const void *data, int32_t i)
{
    return t->size == 4   ? ((const int32_t *)data)[i]
           : t->size == 2 ? ((const int16_t *)data)[i]
           : t->lo < 0    ? ((const int8_t *)data)[i]
                          : ((const uint8_t *)data)[i];
}

static void store(const IntType *t, void *data, int32_t i, int32_t value)
{
    if (t->size == 4)
        ((int32_t *)data)[i] = value;
    else if (t->size == 2)
        ((int16_t *)data)[i] = (int16_t)value;
    else
        ((uint8_t *)data)[i] = (uint8_t)value;
}

static OpCase *open_case(const char *op, const char *from, const char *from_quant, const char *to, const char *to_quant,
                         int32_t n)
{
    char text[512];
    snprintf(text, sizeof(text), "tensor %%0 %s[%d] \"x\"%s\ntensor %%1 %s[%d] \"y\"%s\nop 0 %s (%%0) -> (%%1)\n", from,
             n, from_quant, to, n, to_quant, op);
    return op_case_open(1, 1, text);
}

/* ---- from float ------------------------------------------------------------------------------- */
static void ties_and_special_values(void **state)
{
    (void)state;
    static const float in[] = {0.25f, -0.25f, 0.75f,    -0.75f,    0.24999999f, -0.24999999f, 63.4f, -63.9f,
                               1e30f, -1e30f, INFINITY, -INFINITY, NAN,         0.0f,         -0.0f, 4.5e9f};
    static const int8_t want[] = {11, 9, 12, 8, 10, 10, 127, -118, 127, -128, 127, -128, -128, 10, 10, 127};
    OpCase *c = open_case("QUANTIZE", "f32", "", "s8", " q 0.5:10", sizeof(want));
    int8_t *out = op_case_run(c, (const void *const[]){in});
    assert_memory_equal(out, want, sizeof(want));
    free(out);
    op_case_close(c);
}

static void floats_round_as_the_library(void **state)
{
    (void)state;
    enum { N = 4000 };
    static float in[N];
    uint32_t seed = 17;
    for (int t = 0; t < 3; t++) {
        const float scale = 0.037f;
        const int32_t zero = types[t].lo < 0 ? 0 : 128;
        char quant[32];
        snprintf(quant, sizeof(quant), " q 0.037:%d", zero);
        OpCase *c = open_case("QUANTIZE", "f32", "", types[t].text, quant, N);
        for (int32_t i = 0; i < N; i++)
            in[i] = (float)random_between(&seed, -8000000, 8000000) * (t == 2 ? 3e-4f : 1e-6f);
        void *out = op_case_run(c, (const void *const[]){in});
        for (int32_t i = 0; i < N; i++) {
            double q = (double)roundf(in[i] / scale) + zero;
            q = q < types[t].lo ? types[t].lo : q > types[t].hi ? types[t].hi : q;
            assert_int_equal(load(&types[t], out, i), (int32_t)q);
        }
        free(out);
        op_case_close(c);
    }
}

/* ---- between integers ------------------------------------------------------------------------- */
static void every_pair_of_types(void **state)
{
    (void)state;
    enum { N = 500 };
    static int32_t in[N];
    static const double scales[] = {0.05, 0.05, 0.0004, 0.00003};
    static const int32_t zeros[] = {-9, 120, 0, 0};
    uint32_t seed = 19;
    for (int f = 0; f < N_TYPES; f++) {
        for (int t = 0; t < N_TYPES; t++) {
            char from_quant[48], to_quant[48];
            snprintf(from_quant, sizeof(from_quant), " q %.9g:%d", scales[f], zeros[f]);
            snprintf(to_quant, sizeof(to_quant), " q %.9g:%d", scales[t] * 1.3, zeros[t]);
            OpCase *c = open_case("QUANTIZE", types[f].text, from_quant, types[t].text, to_quant, N);
            for (int32_t i = 0; i < N; i++) {
                int32_t most = types[f].size == 4 ? 1 << 20 : types[f].hi;
                store(&types[f], in, i, random_between(&seed, types[f].lo < -most ? -most : types[f].lo, most));
            }
            void *out = op_case_run(c, (const void *const[]){in});
            for (int32_t i = 0; i < N; i++) {
                double x = (double)load(&types[f], in, i) - zeros[f];
                double want = x * (double)c->node->in[0]->quant->scale[0] / (double)c->node->out[0]->quant->scale[0] +
                              zeros[t];
                want = want < types[t].lo ? types[t].lo : want > types[t].hi ? types[t].hi : want;
                /* two roundings, a half and half of a half; and a multiplier of 31 bits times a large result */
                assert_true(fabs(want - load(&types[t], out, i)) <= 0.76 + fabs(want) * 1e-9);
            }
            free(out);
            op_case_close(c);
        }
    }
}

/* uint8 and int8 with zero points 128 apart: the top bit changes. */
static void signedness(void **state)
{
    (void)state;
    uint8_t in[256];
    for (int i = 0; i < 256; i++)
        in[i] = (uint8_t)i;
    OpCase *c = open_case("QUANTIZE", "u8", " q 0.3:131", "s8", " q 0.3:3", 256);
    uint8_t *out = op_case_run(c, (const void *const[]){in});
    for (int i = 0; i < 256; i++)
        assert_int_equal(out[i], i ^ 0x80);
    free(out);
    op_case_close(c);
}

/* ---- to float --------------------------------------------------------------------------------- */
static void dequantised_as_in_double(void **state)
{
    (void)state;
    static int16_t in[65536];
    for (int t = 0; t < 3; t++) {
        const int32_t n = types[t].hi - types[t].lo + 1, zero = t == 0 ? -128 : t == 1 ? 77 : 0;
        char quant[32];
        snprintf(quant, sizeof(quant), " q 0.0123456789:%d", zero);
        OpCase *c = open_case("DEQUANTIZE", types[t].text, quant, "f32", "", n);
        for (int32_t i = 0; i < n; i++)
            store(&types[t], in, i, types[t].lo + i);
        float *out = op_case_run(c, (const void *const[]){in});
        for (int32_t i = 0; i < n; i++)
            assert_true(out[i] == (float)((double)c->node->in[0]->quant->scale[0] * (types[t].lo + i - zero)));
        free(out);
        op_case_close(c);
    }
}

static void half_precision(void **state)
{
    (void)state;
    static uint16_t in[65536];
    for (int32_t i = 0; i < 65536; i++)
        in[i] = (uint16_t)i;
    OpCase *c = open_case("DEQUANTIZE", "f16", "", "f32", "", 65536);
    float *out = op_case_run(c, (const void *const[]){in});
    for (int32_t i = 0; i < 65536; i++) {
        const int exponent = i >> 10 & 31, fraction = i & 1023;
        double magnitude = exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);
        if (exponent == 31)
            assert_true(fraction ? isnan(out[i]) : isinf(out[i]));
        else
            assert_true((double)fabsf(out[i]) == magnitude);
        assert_int_equal(signbit(out[i]) != 0, i >> 15);
    }
    free(out);
    op_case_close(c);
}

static void refused(void **state)
{
    (void)state;
    op_case_refused(1, 1, "tensor %0 f32[2] \"x\"\ntensor %1 s32[2] \"y\" q 0.5:0\nop 0 QUANTIZE (%0) -> (%1)\n",
                    "is int32");
    op_case_refused(1, 1, "tensor %0 f32[2] \"x\"\ntensor %1 s8[2] \"y\"\nop 0 QUANTIZE (%0) -> (%1)\n",
                    "without quantisation");
    op_case_refused(1, 1, "tensor %0 s32[2] \"x\"\ntensor %1 s8[2] \"y\" q 0.5:0\nop 0 QUANTIZE (%0) -> (%1)\n",
                    "needs a scale");
    op_case_refused(1, 1, "tensor %0 s8[2] \"x\" q 1e9:0\ntensor %1 s8[2] \"y\" q 1e-3:0\nop 0 QUANTIZE (%0) -> (%1)\n",
                    "2^30");
    op_case_refused(1, 1, "tensor %0 s32[2] \"x\" q 1:0\ntensor %1 f32[2] \"y\"\nop 0 DEQUANTIZE (%0) -> (%1)\n",
                    "is int32");
    op_case_refused(
        1, 1, "tensor %0 s8[2] \"x\" q axis 0 0.5:0 0.25:0\ntensor %1 f32[2] \"y\"\nop 0 DEQUANTIZE (%0) -> (%1)\n",
        "per channel");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ties_and_special_values),
        cmocka_unit_test(floats_round_as_the_library),
        cmocka_unit_test(every_pair_of_types),
        cmocka_unit_test(signedness),
        cmocka_unit_test(dequantised_as_in_double),
        cmocka_unit_test(half_precision),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
