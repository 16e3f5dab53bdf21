/* AVERAGE_POOL_2D and MAX_POOL_2D against the definition, over strides, paddings and windows larger than the image. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "op_fixture.h"

typedef struct Pool {
    bool average, same;
    const char *type;
    int32_t n, h, w, c, kh, kw, sh, sw; /* image, window, strides */
    int32_t out_h, out_w;
} Pool;

static OpCase *open_pool(const Pool *p)
{
    const char *quant = strcmp(p->type, "f32") == 0 ? "" : " q 0.05:-10";
    char text[512];
    snprintf(text, sizeof(text),
             "tensor %%0 %s[%dx%dx%dx%d] \"x\"%s\ntensor %%1 %s[%dx%dx%dx%d] \"y\"%s\n"
             "op 0 %s_POOL_2D (%%0) -> (%%1) {padding=%s stride_w=%d stride_h=%d filter_width=%d filter_height=%d "
             "fused_activation_function=RELU6}\n",
             p->type, p->n, p->h, p->w, p->c, quant, p->type, p->n, p->out_h, p->out_w, p->c, quant,
             p->average ? "AVERAGE" : "MAX", p->same ? "SAME" : "VALID", p->sw, p->sh, p->kw, p->kh);
    return op_case_open(1, 1, text);
}

/* Values are integers, so that double precision is exact and the float results are those of the definition. */
static double reference(const Pool *p, const double *in, int32_t n, int32_t oy, int32_t ox, int32_t c, int32_t pad_y,
                        int32_t pad_x, bool is_float)
{
    double sum = 0, most = -1e9;
    int32_t count = 0;
    for (int32_t y = oy * p->sh - pad_y; y < oy * p->sh - pad_y + p->kh; y++)
        for (int32_t x = ox * p->sw - pad_x; x < ox * p->sw - pad_x + p->kw; x++) {
            if (y < 0 || y >= p->h || x < 0 || x >= p->w)
                continue;
            double v = in[((n * p->h + y) * p->w + x) * p->c + c];
            sum += v;
            most = v > most ? v : most;
            count++;
        }
    if (!p->average)
        return most;
    if (is_float)
        return (double)((float)sum / (float)count);
    double magnitude = (double)(int64_t)((sum < 0 ? -sum : sum) / count + 0.5); /* halves away from zero */
    return sum < 0 ? -magnitude : magnitude;
}

static void check_pool(Pool *p, uint32_t *seed)
{
    int32_t pad_y = 0, pad_x = 0;
    if (p->same) {
        p->out_h = (p->h + p->sh - 1) / p->sh;
        p->out_w = (p->w + p->sw - 1) / p->sw;
        int32_t total_y = (p->out_h - 1) * p->sh + p->kh - p->h, total_x = (p->out_w - 1) * p->sw + p->kw - p->w;
        pad_y = total_y > 0 ? total_y / 2 : 0;
        pad_x = total_x > 0 ? total_x / 2 : 0;
    } else {
        p->kh = p->kh < p->h ? p->kh : p->h;
        p->kw = p->kw < p->w ? p->kw : p->w;
        p->out_h = (p->h - p->kh) / p->sh + 1;
        p->out_w = (p->w - p->kw) / p->sw + 1;
    }
    const bool is_float = strcmp(p->type, "f32") == 0, wide = strcmp(p->type, "s16") == 0;
    int32_t n = p->n * p->h * p->w * p->c;
    double *exact = calloc((size_t)n, sizeof(*exact));
    void *in = calloc((size_t)n, 4);
    for (int32_t i = 0; i < n; i++) {
        int32_t v = wide ? random_between(seed, -300, 300) : random_between(seed, -128, 127);
        exact[i] = v;
        if (is_float)
            ((float *)in)[i] = (float)v;
        else if (wide)
            ((int16_t *)in)[i] = (int16_t)v;
        else
            ((int8_t *)in)[i] = (int8_t)v;
    }
    const double lo = is_float ? 0 : -10, hi = is_float ? 6 : 110; /* of RELU6 in the quantisation above */
    OpCase *c = open_pool(p);
    void *out = op_case_run(c, (const void *const[]){in});
    int32_t at = 0;
    for (int32_t b = 0; b < p->n; b++)
        for (int32_t y = 0; y < p->out_h; y++)
            for (int32_t x = 0; x < p->out_w; x++)
                for (int32_t ch = 0; ch < p->c; ch++, at++) {
                    double want = reference(p, exact, b, y, x, ch, pad_y, pad_x, is_float);
                    want = want < lo ? lo : want > hi ? hi : want;
                    double got = is_float ? (double)((float *)out)[at]
                                 : wide   ? ((int16_t *)out)[at]
                                          : ((int8_t *)out)[at];
                    assert_true(got == want);
                }
    free(exact), free(in), free(out);
    op_case_close(c);
}

static void random_pools(void **state)
{
    (void)state;
    static const char *const types[] = {"s8", "s16", "f32"};
    uint32_t seed = 5;
    for (int i = 0; i < 120; i++) {
        Pool p = {.average = i % 2,
                  .same = i / 2 % 2,
                  .type = types[i % 3],
                  .n = random_between(&seed, 1, 3),
                  .h = random_between(&seed, 1, 7),
                  .w = random_between(&seed, 1, 7),
                  .c = random_between(&seed, 1, 5),
                  .kh = random_between(&seed, 1, 9),
                  .kw = random_between(&seed, 1, 9),
                  .sh = random_between(&seed, 1, 4),
                  .sw = random_between(&seed, 1, 4)};
        check_pool(&p, &seed);
    }
}

static void refused(void **state)
{
    (void)state;
    static const char tensors[] = "tensor %0 s8[1x4x4x1] \"x\" q 0.5:0\ntensor %1 s8[1x2x2x1] \"y\" q 0.5:0\n";
    static const struct {
        const char *options, *why;
    } cases[] = {
        {"padding=SAME stride_w=2 stride_h=0 filter_width=2 filter_height=2", "stride_h is 0"},
        {"padding=SAME stride_w=-1 stride_h=2 filter_width=2 filter_height=2", "stride_w is -1"},
        {"padding=SAME stride_w=2 stride_h=2 filter_width=2 filter_height=0", "filter_height is 0"},
        {"padding=VALID stride_w=2 stride_h=2 filter_width=5 filter_height=5", "does not fit"},
        {"padding=SAME stride_w=1 stride_h=1 filter_width=2 filter_height=2", "inputs and options give [1x4x4x1]"},
        {"padding=SAME stride_w=2 stride_h=2 filter_width=2 filter_height=2 fused_activation_function=SIGN_BIT",
         "SIGN_BIT"},
    };
    char text[512];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        snprintf(text, sizeof(text), "%sop 0 MAX_POOL_2D (%%0) -> (%%1) {%s}\n", tensors, cases[i].options);
        op_case_refused(1, 1, text, cases[i].why);
    }
    op_case_refused(
        1, 1,
        "tensor %0 s8[1x4x4x1] \"x\" q 0.5:0\ntensor %1 s8[1x2x2x1] \"y\" q 0.25:0\nop 0 AVERAGE_POOL_2D (%0) -> (%1) "
        "{padding=SAME stride_w=2 stride_h=2 filter_width=2 filter_height=2}\n",
        "same quantisation");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_pools),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
