/* FULLY_CONNECTED against the definition on random shapes and ranks; what is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "weights_fixture.h"

#include "helia_fully_connected.h"

typedef struct Fc {
    int32_t rank, dim[5], rows, depth, units;
    int32_t in_zero, out_zero;
    bool keep, relu;
    Weights weights;
} Fc;

static const float in_scale = 0.1f, out_scale = 0.03f; /* their products and quotients are not exact */

static void define(const Fc *v, const void *in, int32_t r, int32_t n, void *out)
{
    const Weights *w = &v->weights;
    uint32_t acc = (uint32_t)w->bias_q[n];
    float sum = 0.0f;
    for (int32_t k = 0; k < v->depth; k++) {
        int32_t x = r * v->depth + k, tap = n * v->depth + k;
        if (w->is_float)
            sum += w->f[tap] * ((const float *)in)[x];
        else
            acc += (uint32_t)((w->q[tap] - w->zero) * (((const int8_t *)in)[x] - v->in_zero));
    }
    if (w->is_float) {
        sum += w->bias_f[n];
        ((float *)out)[r * v->units + n] = v->relu && sum < 0.0f ? 0.0f : sum;
        return;
    }
    float product = in_scale * w->scale[n];
    double exact = (double)in_scale * (double)w->scale[n];
    double scale = (w->per_channel && v->units > 1 ? exact : (double)product) / (double)out_scale;
    ((int8_t *)out)[r * v->units + n] = saturated(scaled((int32_t)acc, scale), v->out_zero,
                                                  v->relu ? v->out_zero : -128, 127);
}

/* The input's last dimension is the depth where `keep`; else the rows are cut from the elements in order. */
static void random_fc(Fc *v, uint32_t *seed)
{
    memset(v, 0, sizeof(*v));
    v->keep = random_u32(seed) % 2;
    v->relu = random_u32(seed) % 2;
    v->rank = random_between(seed, 1, 5);
    v->depth = 1;
    v->units = random_between(seed, 1, 9);
    v->in_zero = random_between(seed, -128, 127);
    v->out_zero = random_between(seed, -128, 127);
    for (int32_t i = 0; i < v->rank; i++)
        v->dim[i] = random_between(seed, 1, i + 1 == v->rank ? 20 : 3);
    int32_t inner = v->keep ? 1 : random_between(seed, 1, v->rank); /* dimensions that make a row */
    for (int32_t i = v->rank - inner; i < v->rank; i++)
        v->depth *= v->dim[i];
    v->rows = count_of(v->rank, v->dim) / v->depth;
    v->weights = (Weights){.is_float = random_u32(seed) % 4 == 0,
                           .per_channel = random_u32(seed) % 2,
                           .bias = random_u32(seed) % 4 != 0,
                           .n = v->depth * v->units,
                           .channels = v->units};
    v->weights.int4 = !v->weights.is_float && random_u32(seed) % 4 == 0;
    if (!v->weights.is_float && !v->weights.per_channel)
        v->weights.zero = random_between(seed, -128, 127);
    random_weights(&v->weights, seed);
}

static void put_fc(Text *t, const Fc *v)
{
    char shape[64];
    const char *type = v->weights.is_float ? "f32" : "s8";
    int32_t bias = v->weights.bias, dim[5] = {v->rows, v->units};
    if (v->keep) {
        memcpy(dim, v->dim, sizeof(dim));
        dim[v->rank - 1] = v->units;
    }
    put(t, "tensor %%0 %s%s \"x\"", type, shape_text(shape, v->rank, v->dim));
    if (!v->weights.is_float)
        put(t, " q %.9g:%d", (double)in_scale, v->in_zero);
    put(t, "\n");
    const int32_t weights[2] = {v->units, v->depth};
    put_weight_tensors(t, &v->weights, shape_text(shape, 2, weights), 0);
    put(t, "tensor %%%d %s%s \"y\"", 2 + bias, type, shape_text(shape, v->keep ? v->rank : 2, dim));
    if (!v->weights.is_float)
        put(t, " q %.9g:%d", (double)out_scale, v->out_zero);
    put(t, "\nop 0 FULLY_CONNECTED (%%0 %%1 %s) -> (%%%d) {fused_activation_function=%s keep_num_dims=%s}\n",
        bias ? "%2" : "-", 2 + bias, v->relu ? "RELU" : "NONE", v->keep ? "true" : "false");
    put_weight_data(t, &v->weights);
}

static void definition(void **state)
{
    (void)state;
    static Fc v;
    static Text text;
    uint32_t seed = 3;
    for (int32_t i = 0; i < 400; i++) {
        do
            random_fc(&v, &seed);
        while (v.depth * v.rows > 1000);
        text.n = 0;
        put_fc(&text, &v);
        OpCase *c = op_case_open(1, v.weights.bias ? 3 : 2, text.at);
        int32_t n = v.rows * v.depth, n_out = v.rows * v.units;
        float *in = calloc((size_t)n, sizeof(*in)), *want = calloc((size_t)n_out, sizeof(*want));
        for (int32_t k = 0; k < n; k++) {
            if (v.weights.is_float)
                in[k] = random_float(&seed);
            else
                ((int8_t *)in)[k] = (int8_t)random_between(&seed, -128, 127);
        }
        for (int32_t r = 0; r < v.rows; r++)
            for (int32_t u = 0; u < v.units; u++)
                define(&v, in, r, u, want);
        void *out = op_case_run(c, (const void *const[]){in});
        if (memcmp(out, want, (size_t)n_out * (v.weights.is_float ? 4 : 1)) != 0)
            fail_msg("differs from the definition:\n%s", text.at);
        free(in), free(want), free(out);
        op_case_close(c);
    }
}

/* ---- refusals --------------------------------------------------------------------------------- */
#define X "tensor %0 s8[2x3] \"x\" q 0.5:3\n"
#define W "tensor %1 s8[2x3] \"w\" q 0.25:0 const 6\n"
#define Y "tensor %2 s8[2x2] \"y\" q 0.25:0\n"
#define OP "op 0 FULLY_CONNECTED (%0 %1 -) -> (%2) "
#define DATA "data %1 010203040506\n"

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"tensor %0 s8[2x4] \"x\" q 0.5:3\n" W Y OP "{}\n" DATA,
         "cannot be divided into rows of 3, the depth of weights [2x3]"},
        {"tensor %0 s8[3x2] \"x\" q 0.5:3\n" W "tensor %2 s8[3x2] \"y\" q 0.25:0\n" OP "{keep_num_dims=true}\n" DATA,
         "the last dimension of input [3x2] is not 3"},
        {X "tensor %1 s8[2x3x1] \"w\" q 0.25:0 const 6\n" Y OP "{}\n" DATA, "has rank 3; supported: 2"},
        {X "tensor %1 s8[2x3] \"w\" q axis 0 0.25:0 0.5:1 const 6\n" Y OP "{}\n" DATA,
         "weights have zero point 1 for channel 1; they must be symmetric (0)"},
        {X "tensor %1 s8[2x3] \"w\" q axis 1 0.25:0 0.5:0 0.5:0 const 6\n" Y OP "{}\n" DATA,
         "along dimension 1 with 3 scales; supported: dimension 0 with 2"},
        {X W Y OP "{weights_format=SHUFFLED4x16INT8}\n" DATA, "weights_format is 1; supported: DEFAULT (0)"},
        {X W Y OP "{fused_activation_function=SIGN_BIT}\n" DATA, "fused activation SIGN_BIT is not supported"},
        {X W "tensor %2 s8[2x2] \"y\" q 1e-20:0\n" OP "{}\n" DATA, "at most 2^30 can be represented"},
        {X W "tensor %2 s8[4] \"y\" q 0.25:0\n" OP "{}\n" DATA, "has shape [4]; inputs and options give [2x2]"},
        {"tensor %0 f32[2x3] \"x\"\n" W "tensor %2 f32[2x2] \"y\"\n" OP "{}\n" DATA,
         "weights \"w\" is int8; supported: float32"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        op_case_refused(1, 2, cases[i].text, cases[i].why);
}

/* One scale for each unit takes the kernel with its own multipliers, one for all the other. */
static void kernels(void **state)
{
    (void)state;
    OpCase *c = op_case_open(1, 2, X W Y OP "{}\n" DATA);
    assert_string_equal(c->node->kernel->symbol, "helia_fully_connected_s8_c");
    assert_int_equal(c->node->args.len, 4);
    op_case_close(c);
    c = op_case_open(1, 2, X "tensor %1 s8[2x3] \"w\" q axis 0 0.25:0 0.5:0 const 6\n" Y OP "{}\n" DATA);
    assert_string_equal(c->node->kernel->symbol, "helia_fully_connected_per_channel_s8_c");
    assert_int_equal(c->node->args.len, 6);
    op_case_close(c);
}

/* One scale: the product of the scales is rounded to float32 first, which shows in the multiplier's last bits. */
static void rounded_product(void **state)
{
    (void)state;
    OpCase *c = op_case_open(1, 2,
                             "tensor %0 s8[2x3] \"x\" q 0.1:3\ntensor %1 s8[2x3] \"w\" q 0.3:0 const 6\n"
                             "tensor %2 s8[2x2] \"y\" q 0.7:0\n" OP "{}\n" DATA);
    const helia_fully_connected_s8_params *p = c->node->params;
    int exponent;
    float product = 0.1f * 0.3f;
    double rounded = frexp((double)product / (double)0.7f, &exponent) * 2147483648.0;
    double exact = frexp((double)0.1f * (double)0.3f / (double)0.7f, &exponent) * 2147483648.0;
    assert_int_equal(p->multiplier, llround(rounded));
    assert_int_not_equal(p->multiplier, llround(exact));
    assert_int_equal(p->shift, exponent);
    op_case_close(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(definition), cmocka_unit_test(refusals),
                                       cmocka_unit_test(kernels), cmocka_unit_test(rounded_product)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
