/* MEAN over every set of axes against the definition; its fixed-point factor; what is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "op_fixture.h"

static OpCase *open_mean(const char *type, const char *const quant[2], int32_t rank, const int32_t *dim,
                         int32_t out_rank, const int32_t *out_dim, const int32_t *axes, int32_t n_axes, bool keep)
{
    char text[1024], in[64], out[64], hex[256];
    snprintf(text, sizeof(text),
             "tensor %%0 %s%s \"x\"%s\ntensor %%1 s32[%d] \"axes\" const %d\ntensor %%2 %s%s \"y\"%s\n"
             "op 0 MEAN (%%0 %%1) -> (%%2) {keep_dims=%s}\n%s%s\n",
             type, shape_text(in, rank, dim), quant[0], n_axes, 4 * n_axes, type, shape_text(out, out_rank, out_dim),
             quant[1], keep ? "true" : "false", n_axes ? "data %1 " : "", hex32(hex, axes, n_axes));
    return op_case_open(1, 2, text);
}

/* Sums of small integers are exact in float and double, whatever their order. */
static void mean_case(uint32_t mask, int32_t rank, const int32_t *dim, bool is_float, bool keep, uint32_t *seed)
{
    static const char *const no_quant[2] = {"", ""}, *const quant[2] = {" q 0.5:-4", " q 0.25:11"};
    int32_t axes[16], n_axes = 0, out_dim[6], out_rank = 0, reduced = 1;
    for (int32_t d = 0; d < rank; d++) {
        bool take = mask >> d & 1u;
        if (take) {
            axes[n_axes++] = d % 2 ? d : d - rank;
            axes[n_axes++] = d; /* once more: counts once */
            reduced *= dim[d];
        }
        if (!take || keep)
            out_dim[out_rank++] = take ? 1 : dim[d];
    }
    int32_t n = count_of(rank, dim), n_out = count_of(out_rank, out_dim);
    double *sum = calloc((size_t)n_out, sizeof(*sum));
    int8_t *s8 = calloc((size_t)n, 4);
    float *f32 = (float *)(void *)s8;
    for (int32_t i = 0; i < n; i++) {
        int32_t at[6], offset = 0, v = random_between(seed, -60, 20);
        coordinates(i, rank, dim, at);
        for (int32_t d = 0; d < rank; d++)
            offset = mask >> d & 1u ? offset : offset * dim[d] + at[d];
        sum[offset] += v;
        if (is_float)
            f32[i] = (float)v;
        else
            s8[i] = (int8_t)v;
    }
    OpCase *c = open_mean(is_float ? "f32" : "s8", is_float ? no_quant : quant, rank, dim, out_rank, out_dim, axes,
                          n_axes, keep);
    int8_t *out = op_case_run(c, (const void *const[]){s8});
    for (int32_t i = 0; i < n_out; i++) {
        if (is_float) {
            assert_true(((float *)(void *)out)[i] == (float)sum[i] / (float)reduced);
        } else {
            double want = (sum[i] / reduced + 4) * 2 + 11;
            want = want > 127 ? 127 : want < -128 ? -128 : want;
            assert_true(fabs(want - out[i]) <= 0.76); /* two roundings: a half, and half of a half */
        }
    }
    free(sum), free(s8), free(out);
    op_case_close(c);
}

static void every_set_of_axes(void **state)
{
    (void)state;
    uint32_t seed = 7;
    for (uint32_t mask = 1; mask < 64; mask++) {
        mean_case(mask, 6, (const int32_t[]){2, 3, 2, 1, 2, 3}, mask % 2, mask / 2 % 2, &seed);
        mean_case(mask, 6, (const int32_t[]){2, 3, 2, 1, 2, 3}, !(mask % 2), mask / 4 % 2, &seed);
        if (mask & 15u)
            mean_case(mask & 15u, 4, (const int32_t[]){3, 5, 4, 7}, mask / 16 % 2, mask / 32 % 2, &seed);
    }
}

/* Equal scales. 5 / 3 -> 2; the fixed-point product rounds halves up: 3 / 2 -> 2, -3 / 2 -> -1. */
static void rounding(void **state)
{
    (void)state;
    static const char *const quant[2] = {" q 1:0", " q 1:0"};
    static const struct {
        int32_t n;
        int8_t in[3], want;
    } cases[] = {
        {3, {1, 1, 3}, 2}, {2, {1, 2}, 2}, {2, {-1, -2}, -1}, {3, {127, 127, 127}, 127}, {3, {-128, -128, -128}, -128}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const int32_t axis = 0;
        OpCase *c = open_mean("s8", quant, 1, &cases[i].n, 0, NULL, &axis, 1, false);
        int8_t *out = op_case_run(c, (const void *const[]){cases[i].in});
        assert_int_equal(*out, cases[i].want);
        free(out);
        op_case_close(c);
    }
}

static void refused(void **state)
{
    (void)state;
    op_case_refused(1, 2,
                    "tensor %0 f32[2x3] \"x\"\ntensor %1 s32[1] \"axes\" const 4\ntensor %2 f32[3] \"y\"\n"
                    "op 0 MEAN (%0 %1) -> (%2) {}\ndata %1 02000000\n",
                    "axis 2 is outside");
    op_case_refused(
        2, 2,
        "tensor %0 f32[2x3] \"x\"\ntensor %1 s32[1] \"axes\"\ntensor %2 f32[3] \"y\"\nop 0 MEAN (%0 %1) -> (%2) {}\n",
        "must be a constant");
    op_case_refused(1, 2,
                    "tensor %0 f32[0x3] \"x\"\ntensor %1 s32[1] \"axes\" const 4\ntensor %2 f32[3] \"y\"\n"
                    "op 0 MEAN (%0 %1) -> (%2) {}\ndata %1 00000000\n",
                    "no elements");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_of_axes),
        cmocka_unit_test(rounding),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
