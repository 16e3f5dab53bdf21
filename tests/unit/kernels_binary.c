/* ADD and MUL: broadcasting against operands that were expanded beforehand, the arithmetic against its definition, and
 * what is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "op_fixture.h"

typedef struct Shape {
    int32_t rank, dim[6];
} Shape;

static OpCase *open_binary(const char *op, const char *type, const char *const quant[3], const Shape *a, const Shape *b,
                           const Shape *out, const char *options)
{
    char text[512], sa[64], sb[64], so[64];
    snprintf(
        text, sizeof(text),
        "tensor %%0 %s%s \"a\"%s\ntensor %%1 %s%s \"b\"%s\ntensor %%2 %s%s \"y\"%s\nop 0 %s (%%0 %%1) -> (%%2) {%s}\n",
        type, shape_text(sa, a->rank, a->dim), quant[0], type, shape_text(sb, b->rank, b->dim), quant[1], type,
        shape_text(so, out->rank, out->dim), quant[2], op, options);
    return op_case_open(2, 2, text);
}

/* Output with dimensions of 1 to 4; each operand may lack leading dimensions and have 1 in the others. */
static void random_shapes(uint32_t *seed, Shape *a, Shape *b, Shape *out)
{
    out->rank = random_between(seed, 0, 6);
    Shape *operands[2] = {a, b};
    for (int32_t d = 0; d < out->rank; d++)
        out->dim[d] = random_between(seed, 1, 4);
    int whole = random_between(seed, 0, 1); /* this one has the output's shape */
    for (int k = 0; k < 2; k++) {
        Shape *s = operands[k];
        int32_t drop = k == whole || out->rank == 0 ? 0 : random_between(seed, 0, out->rank);
        s->rank = out->rank - drop;
        for (int32_t d = 0; d < s->rank; d++)
            s->dim[d] = k == whole || random_between(seed, 0, 2) ? out->dim[d + drop] : 1;
    }
    if (random_between(seed, 0, 1) || out->rank < 2)
        return;
    /* Both repeat: [a 1] and [1 b]. */
    *a = *b = *out;
    a->dim[0] = 1;
    b->dim[out->rank - 1] = 1;
}

static void *expand(const void *from, const Shape *s, const Shape *out, size_t item)
{
    int32_t n = count_of(out->rank, out->dim), at[6] = {0};
    uint8_t *to = malloc((size_t)n * item);
    for (int32_t i = 0; i < n; i++) {
        coordinates(i, out->rank, out->dim, at);
        int32_t offset = 0;
        for (int32_t d = 0; d < s->rank; d++)
            offset = offset * s->dim[d] + (s->dim[d] == 1 ? 0 : at[d + out->rank - s->rank]);
        memcpy(to + (size_t)i * item, (const uint8_t *)from + (size_t)offset * item, item);
    }
    return to;
}

static void *random_data(uint32_t *seed, const char *type, int32_t n)
{
    int8_t *s8 = malloc((size_t)n * 4 + 4);
    float *f32 = (float *)(void *)s8;
    int16_t *s16 = (int16_t *)(void *)s8;
    for (int32_t i = 0; i < n; i++) {
        int32_t v = random_between(seed, -32768, 32767);
        if (strcmp(type, "s8") == 0)
            s8[i] = (int8_t)(v >> 8);
        else if (strcmp(type, "s16") == 0)
            s16[i] = (int16_t)v;
        else
            f32[i] = (float)v / 1024.0f;
    }
    return s8;
}

static void broadcast_case(uint32_t *seed, const char *op, const char *type, size_t item, const char *const quant[3])
{
    Shape a, b, out;
    random_shapes(seed, &a, &b, &out);
    OpCase *c = open_binary(op, type, quant, &a, &b, &out, "fused_activation_function=RELU6");
    if (strstr(c->log, "inputs and options give")) { /* neither operand has the full extent somewhere */
        op_case_close(c);
        return;
    }
    void *x = random_data(seed, type, count_of(a.rank, a.dim)), *y = random_data(seed, type, count_of(b.rank, b.dim));
    void *got = op_case_run(c, (const void *const[]){x, y});
    OpCase *flat = open_binary(op, type, quant, &out, &out, &out, "fused_activation_function=RELU6");
    void *wide_x = expand(x, &a, &out, item), *wide_y = expand(y, &b, &out, item);
    void *want = op_case_run(flat, (const void *const[]){wide_x, wide_y});
    assert_memory_equal(got, want, (size_t)count_of(out.rank, out.dim) * item);
    void *const all[] = {x, y, got, wide_x, wide_y, want};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        free(all[i]);
    op_case_close(c);
    op_case_close(flat);
}

static void broadcasting_equals_expansion(void **state)
{
    (void)state;
    static const char *const s8[3] = {" q 0.05:-3", " q 0.11:40", " q 0.08:-128"};
    static const char *const s16[3] = {" q 0.0005:0", " q 0.0011:0", " q 0.0008:0"};
    static const char *const f32[3] = {"", "", ""};
    uint32_t seed = 1;
    for (int i = 0; i < 60; i++) {
        broadcast_case(&seed, i % 2 ? "ADD" : "MUL", "s8", 1, s8);
        broadcast_case(&seed, i % 2 ? "ADD" : "MUL", "s16", 2, s16);
        broadcast_case(&seed, i % 2 ? "ADD" : "MUL", "f32", 4, f32);
    }
}

/* ---- arithmetic ------------------------------------------------------------------------------- */
static const Shape flat16 = {1, {16}};

/* The exact result rounded to nearest is never further away than the arithmetic's own rounding: one step. */
static void quantised_results_are_near(void **state)
{
    (void)state;
    static const char *const quant[3] = {" q 0.05:-3", " q 0.07:9", " q 0.1:-7"};
    uint32_t seed = 2;
    for (int k = 0; k < 200; k++) {
        const bool add = k % 2 == 0;
        OpCase *c = open_binary(add ? "ADD" : "MUL", "s8", quant, &flat16, &flat16, &flat16, "");
        int8_t *a = random_data(&seed, "s8", 16), *b = random_data(&seed, "s8", 16);
        int8_t *got = op_case_run(c, (const void *const[]){a, b});
        for (int i = 0; i < 16; i++) {
            double x = 0.05 * (a[i] + 3), y = 0.07 * (b[i] - 9);
            double q = round((add ? x + y : x * y) / 0.1) - 7;
            q = q > 127 ? 127 : q < -128 ? -128 : q;
            assert_true(fabs(q - got[i]) <= 1);
        }
        free(a), free(b), free(got);
        op_case_close(c);
    }
}

static void float_activations(void **state)
{
    (void)state;
    static const char *const none[3] = {"", "", ""};
    static const char *const options[] = {"fused_activation_function=NONE", "fused_activation_function=RELU",
                                          "fused_activation_function=RELU_N1_TO_1", "fused_activation_function=RELU6"};
    static const float want[4][4] = {{-8, 0.5f, 7, FLT_MAX}, {0, 0.5f, 7, FLT_MAX}, {-1, 0.5f, 1, 1}, {0, 0.5f, 6, 6}};
    const Shape four = {1, {4}}, scalar = {0, {0}};
    const float a[4] = {-9, -0.5f, 6, INFINITY}, b = 1;
    for (int i = 0; i < 4; i++) {
        OpCase *c = open_binary("ADD", "f32", none, &four, &scalar, &four, options[i]);
        float *got = op_case_run(c, (const void *const[]){a, &b});
        assert_memory_equal(got, want[i], sizeof(want[i]));
        free(got);
        op_case_close(c);
    }
}

static void refused(void **state)
{
    (void)state;
    static const char s8[] = "tensor %0 s8[2x3] \"a\" q 0.5:0\ntensor %1 s8[2x3] \"b\" q 0.5:0\n";
    char text[512];
    snprintf(text, sizeof(text),
             "%stensor %%2 s8[2x3] \"y\" q 0.5:0\nop 0 ADD (%%0 %%1) -> (%%2) {fused_activation_function=TANH}\n", s8);
    op_case_refused(2, 2, text, "TANH");
    snprintf(text, sizeof(text), "%stensor %%2 f32[2x3] \"y\"\nop 0 ADD (%%0 %%1) -> (%%2) {}\n", s8);
    op_case_refused(2, 2, text, "int8 and the output float32");
    snprintf(text, sizeof(text), "%stensor %%2 s8[2x3] \"y\" q 1e-7:0\nop 0 ADD (%%0 %%1) -> (%%2) {}\n", s8);
    op_case_refused(2, 2, text, "too small");
    snprintf(text, sizeof(text), "%stensor %%2 s8[2x3] \"y\" q 1e-12:0\nop 0 MUL (%%0 %%1) -> (%%2) {}\n", s8);
    op_case_refused(2, 2, text, "2^30");
    snprintf(text, sizeof(text), "%stensor %%2 s8[2x3] \"y\"\nop 0 ADD (%%0 %%1) -> (%%2) {}\n", s8);
    op_case_refused(2, 2, text, "without quantisation");
    op_case_refused(
        2, 2,
        "tensor %0 f32[2x3] \"a\"\ntensor %1 f32[2] \"b\"\ntensor %2 f32[2x3] \"y\"\nop 0 MUL (%0 %1) -> (%2) {}\n",
        "cannot be broadcast");
    op_case_refused(2, 2,
                    "tensor %0 f32[2x1x2x1x2x1x2x1] \"a\"\ntensor %1 f32[1x2x1x2x1x2x1x2] \"b\"\n"
                    "tensor %2 f32[2x2x2x2x2x2x2x2] \"y\"\nop 0 MUL (%0 %1) -> (%2) {}\n",
                    "needs 8 loops");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broadcasting_equals_expansion),
        cmocka_unit_test(quantised_results_are_near),
        cmocka_unit_test(float_activations),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
