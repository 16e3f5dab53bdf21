/* CONV_2D and DEPTHWISE_CONV_2D against the definition on random shapes; the clipping of windows; what is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "weights_fixture.h"

#include "helia_conv_window.h"

/* Depthwise is the case of as many groups as input channels, with the weights laid out [tap][channel]. */
typedef struct Conv {
    bool depthwise, same;
    int32_t n, h, w, c, out_c, groups;
    int32_t kh, kw, sh, sw, dh, dw;
    int32_t in_zero, out_zero;
    int32_t act; /* 0 NONE, 1 RELU, 2 RELU_N1_TO_1, 3 RELU6 */
    int32_t out_h, out_w, top, left;
    Weights weights;
} Conv;

static const char *const activation[] = {"NONE", "RELU", "RELU_N1_TO_1", "RELU6"};
static const float in_scale = 0.5f, out_scale = 0.125f;
static const int32_t act_lo[] = {-128, 0, -8, 0},
                     act_hi[] = {127, 127, 8, 48}; /* of out_scale, without the zero point */

/* The output's extent by counting, and the padding that SAME puts before. */
static bool extent(bool same, int32_t in, int32_t k, int32_t stride, int32_t dilation, int32_t *out, int32_t *before)
{
    int32_t reach = (k - 1) * dilation + 1;
    *out = *before = 0;
    for (int32_t at = 0; same ? at < in : at + reach <= in; at += stride)
        ++*out;
    int32_t missing = (*out - 1) * stride + reach - in;
    if (same && missing > 0)
        *before = missing / 2;
    return *out > 0;
}

static int32_t weight_index(const Conv *v, int32_t o, int32_t i, int32_t k, int32_t c)
{
    if (v->depthwise)
        return (i * v->kw + k) * v->out_c + o;
    return ((o * v->kh + i) * v->kw + k) * (v->c / v->groups) + c;
}

static void define(const Conv *v, const void *in, int32_t b, int32_t y, int32_t x, int32_t o, void *out)
{
    const Weights *w = &v->weights;
    int32_t filter_c = v->c / v->groups, first = o / (v->out_c / v->groups) * filter_c;
    uint32_t acc = 0;
    float sum = 0.0f;
    for (int32_t i = 0; i < v->kh; i++)
        for (int32_t k = 0; k < v->kw; k++)
            for (int32_t c = 0; c < filter_c; c++) {
                int32_t row = y * v->sh - v->top + i * v->dh, column = x * v->sw - v->left + k * v->dw;
                if (row < 0 || row >= v->h || column < 0 || column >= v->w)
                    continue;
                int32_t at = ((b * v->h + row) * v->w + column) * v->c + first + c, tap = weight_index(v, o, i, k, c);
                if (w->is_float)
                    sum += w->f[tap] * ((const float *)in)[at];
                else
                    acc += (uint32_t)(w->q[tap] * (((const int8_t *)in)[at] - v->in_zero));
            }
    int32_t at = ((b * v->out_h + y) * v->out_w + x) * v->out_c + o;
    if (w->is_float) {
        static const float lo[] = {-INFINITY, 0.0f, -1.0f, 0.0f}, hi[] = {INFINITY, INFINITY, 1.0f, 6.0f};
        sum += w->bias_f[o];
        ((float *)out)[at] = sum < lo[v->act] ? lo[v->act] : sum > hi[v->act] ? hi[v->act] : sum;
        return;
    }
    double scale = (double)in_scale * (double)w->scale[o] / (double)out_scale;
    int32_t lo = v->act ? v->out_zero + act_lo[v->act] : -128, hi = v->act ? v->out_zero + act_hi[v->act] : 127;
    ((int8_t *)out)[at] = saturated(scaled((int32_t)(acc + (uint32_t)w->bias_q[o]), scale), v->out_zero,
                                    lo < -128 ? -128 : lo, hi > 127 || v->act == 1 ? 127 : hi);
}

static void put_conv(Text *t, const Conv *v)
{
    char shape[64];
    const char *type = v->weights.is_float ? "f32" : "s8";
    put(t, "tensor %%0 %s[%dx%dx%dx%d] \"x\"", type, v->n, v->h, v->w, v->c);
    if (!v->weights.is_float)
        put(t, " q %.9g:%d", (double)in_scale, v->in_zero);
    put(t, "\n");
    const int32_t dim[4] = {v->depthwise ? 1 : v->out_c, v->kh, v->kw, v->depthwise ? v->out_c : v->c / v->groups};
    put_weight_tensors(t, &v->weights, shape_text(shape, 4, dim), v->depthwise ? 3 : 0);
    put(t, "tensor %%%d %s[%dx%dx%dx%d] \"y\"", v->weights.bias ? 3 : 2, type, v->n, v->out_h, v->out_w, v->out_c);
    if (!v->weights.is_float)
        put(t, " q %.9g:%d", (double)out_scale, v->out_zero);
    put(t, "\nop 0 %s (%%0 %%1 %s) -> (%%%d) {padding=%s stride_w=%d stride_h=%d ",
        v->depthwise ? "DEPTHWISE_CONV_2D" : "CONV_2D", v->weights.bias ? "%2" : "-", v->weights.bias ? 3 : 2,
        v->same ? "SAME" : "VALID", v->sw, v->sh);
    if (v->depthwise)
        put(t, "depth_multiplier=%d ", v->out_c / v->c);
    put(t, "fused_activation_function=%s dilation_w_factor=%d dilation_h_factor=%d}\n", activation[v->act], v->dw,
        v->dh);
    put_weight_data(t, &v->weights);
}

/* False where the kernel does not fit the image. */
static bool random_conv(Conv *v, bool depthwise, uint32_t *seed)
{
    static const int32_t dilations[] = {1, 1, 1, 2, 3};
    memset(v, 0, sizeof(*v));
    v->depthwise = depthwise;
    v->same = random_u32(seed) % 2;
    v->n = random_between(seed, 1, 2);
    v->h = random_between(seed, 1, 7);
    v->w = random_between(seed, 1, 7);
    v->kh = random_between(seed, 1, 4);
    v->kw = random_between(seed, 1, 4);
    v->sh = random_between(seed, 1, 3);
    v->sw = random_between(seed, 1, 3);
    v->dh = dilations[random_u32(seed) % 5];
    v->dw = dilations[random_u32(seed) % 5];
    v->groups = random_between(seed, 1, depthwise ? 9 : 3);
    v->c = depthwise ? v->groups : v->groups * random_between(seed, 1, 5);
    v->out_c = v->groups * random_between(seed, 1, 3);
    if (depthwise && random_u32(seed) % 2)
        v->out_c = v->groups;
    v->in_zero = random_between(seed, -128, 127);
    v->out_zero = random_between(seed, -128, 127);
    v->act = random_between(seed, 0, 3);
    v->weights = (Weights){.is_float = random_u32(seed) % 4 == 0,
                           .per_channel = random_u32(seed) % 2,
                           .bias = random_u32(seed) % 4 != 0,
                           .n = v->out_c * v->kh * v->kw * (v->c / v->groups),
                           .channels = v->out_c};
    v->weights.int4 = !v->weights.is_float && random_u32(seed) % 4 == 0;
    random_weights(&v->weights, seed);
    bool rows = extent(v->same, v->h, v->kh, v->sh, v->dh, &v->out_h, &v->top);
    bool columns = extent(v->same, v->w, v->kw, v->sw, v->dw, &v->out_w, &v->left);
    return rows && columns;
}

static void compare(const Conv *v, uint32_t *seed)
{
    static Text text;
    text.n = 0;
    put_conv(&text, v);
    OpCase *c = op_case_open(1, v->weights.bias ? 3 : 2, text.at);
    size_t size = v->weights.is_float ? 4 : 1;
    int32_t n = v->n * v->h * v->w * v->c, n_out = v->n * v->out_h * v->out_w * v->out_c;
    float *in = calloc((size_t)n, sizeof(*in)), *want = calloc((size_t)n_out, sizeof(*want));
    for (int32_t i = 0; i < n; i++) {
        if (v->weights.is_float)
            in[i] = random_float(seed);
        else
            ((int8_t *)in)[i] = (int8_t)random_between(seed, -128, 127);
    }
    for (int32_t b = 0; b < v->n; b++)
        for (int32_t y = 0; y < v->out_h; y++)
            for (int32_t x = 0; x < v->out_w; x++)
                for (int32_t o = 0; o < v->out_c; o++)
                    define(v, in, b, y, x, o, want);
    void *out = op_case_run(c, (const void *const[]){in});
    if (memcmp(out, want, (size_t)n_out * size) != 0)
        fail_msg("differs from the definition:\n%s", text.at);
    free(in), free(want), free(out);
    op_case_close(c);
}

static void random_cases(bool depthwise, uint32_t seed)
{
    static Conv v;
    int32_t compared = 0;
    for (int32_t i = 0; i < 400; i++) {
        if (!random_conv(&v, depthwise, &seed))
            continue;
        compare(&v, &seed);
        compared++;
    }
    assert_true(compared > 250);
}

static void conv_2d(void **state)
{
    (void)state;
    random_cases(false, 1);
}

static void depthwise_conv_2d(void **state)
{
    (void)state;
    random_cases(true, 2);
}

/* The clipped ranges hold exactly the taps inside the image, empty ones included. */
static void window_taps(void **state)
{
    (void)state;
    for (int32_t in = 1; in <= 5; in++)
        for (int32_t k = 1; k <= 4; k++)
            for (int32_t dilation = 1; dilation <= 4; dilation++)
                for (int32_t at = -13; at <= in + 2; at++) {
                    int32_t begin, end;
                    helia_conv_clip(in, at, k, dilation, &begin, &end);
                    assert_true(begin >= 0 && end <= k);
                    for (int32_t i = 0; i < k; i++) {
                        int32_t position = at + i * dilation;
                        assert_int_equal(i >= begin && i < end, position >= 0 && position < in);
                    }
                }
}

/* ---- shapes and refusals ---------------------------------------------------------------------- */
#define X "tensor %0 s8[1x4x4x2] \"x\" q 0.5:3\n"
#define W "tensor %1 s8[2x1x1x2] \"w\" q 0.25:0 const 4\n"
#define B "tensor %2 s32[2] \"b\" const 8\n"
#define Y "tensor %3 s8[1x4x4x2] \"y\" q 0.25:0\n"
#define OP "op 0 CONV_2D (%0 %1 %2) -> (%3) "
#define ONE "{stride_w=1 stride_h=1 dilation_w_factor=1 dilation_h_factor=1}\n"
#define DATA "data %1 01020304\ndata %2 0000000000000000\n"

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"tensor %0 u8[1x4x4x2] \"x\" q 0.5:0\n" W B Y OP ONE DATA,
         "input \"x\" is uint8; supported: int8, int16 or float32"},
        {"tensor %0 s8[1x4x4x2] \"x\"\n" W B Y OP ONE DATA, "input \"x\" is int8 without quantisation"},
        {"tensor %0 s8[1x4x4x2] \"x\" q axis 3 0.5:0 0.5:0\n" W B Y OP ONE DATA, "must be per tensor"},
        {"tensor %0 s8[4x4x2] \"x\" q 0.5:3\n" W B Y OP ONE DATA, "has rank 3; supported: 4"},
        {"tensor %0 s8[1x4x4x3] \"x\" q 0.5:3\n" W B Y OP ONE DATA, "have 2 input channels, the input has 3"},
        {"tensor %0 s8[1x4x4x6] \"x\" q 0.5:3\n" W B Y OP ONE DATA,
         "2 output channels cannot be divided into 3 groups"},
        {X "tensor %1 s8[2x1x1x2] \"w\" q 0.25:1 const 4\n" B Y OP ONE DATA, "they must be symmetric (0)"},
        {X "tensor %1 s8[2x1x1x2] \"w\" const 4\n" B Y OP ONE DATA, "they need a scale"},
        {X "tensor %1 s8[2x1x1x2] \"w\" q axis 3 0.25:0 0.5:0 const 4\n" B Y OP ONE DATA,
         "along dimension 3 with 2 scales; supported: dimension 0 with 2"},
        {X "tensor %1 f32[2x1x1x2] \"w\" const 16\n" B Y OP ONE
           "data %1 00000000000000000000000000000000\ndata %2 0000000000000000\n",
         "weights \"w\" is float32; supported: int8 or int4"},
        {X W "tensor %2 s32[3] \"b\" const 12\n" Y OP ONE "data %1 01020304\ndata %2 000000000000000000000000\n",
         "bias [3] has 3 elements; it needs 2"},
        {X W "tensor %2 s8[2] \"b\" const 2\n" Y OP ONE "data %1 01020304\ndata %2 0000\n",
         "bias \"b\" is int8; supported: int32"},
        {X W B "tensor %3 s8[1x4x4x2] \"y\" q 1e-30:0\n" OP ONE DATA, "at most 2^30 can be represented"},
        {X W B "tensor %3 s8[1x4x3x2] \"y\" q 0.25:0\n" OP ONE DATA,
         "has shape [1x4x3x2]; inputs and options give [1x4x4x2]"},
        {X W B "tensor %3 f32[1x4x4x2] \"y\"\n" OP ONE DATA, "output \"y\" is float32; supported: int8"},
        {X W B Y OP "{stride_w=0 stride_h=1 dilation_w_factor=1 dilation_h_factor=1}\n" DATA,
         "stride_w is 0; supported: 1 to"},
        {X W B Y OP "{stride_w=1 stride_h=1 dilation_w_factor=1 dilation_h_factor=-1}\n" DATA,
         "dilation_h_factor is -1"},
        {X W B Y OP "{padding=7 stride_w=1 stride_h=1 dilation_w_factor=1 dilation_h_factor=1}\n" DATA, "padding is 7"},
        {X W B Y OP
         "{stride_w=1 stride_h=1 fused_activation_function=TANH dilation_w_factor=1 dilation_h_factor=1}\n" DATA,
         "fused activation TANH is not supported"},
        {X "tensor %1 s8[1x5x1x2] \"w\" q 0.25:0 const 10\n" B Y OP
           "{padding=VALID stride_w=1 stride_h=1 dilation_w_factor=1 dilation_h_factor=1}\n"
           "data %1 01020304050607080910\ndata %2 0000000000000000\n",
         "a kernel of 5x1 with dilation 1x1 does not fit into input [1x4x4x2]"},
        {X "tensor %1 s8[1x1x1x3] \"w\" q 0.25:0 const 3\n" B Y "op 0 DEPTHWISE_CONV_2D (%0 %1 %2) -> (%3) " ONE
           "data %1 010203\ndata %2 0000000000000000\n",
         "have 3 channels, which is no multiple of the input's 2"},
        {X "tensor %1 s8[2x1x1x2] \"w\" q 0.25:0 const 4\n" B Y "op 0 DEPTHWISE_CONV_2D (%0 %1 %2) -> (%3) " ONE DATA,
         "weights have shape [2x1x1x2]; supported: [1, height, width, channels]"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        op_case_refused(1, 3, cases[i].text, cases[i].why);
    op_case_refused(2, 3, X "tensor %1 s8[2x1x1x2] \"w\" q 0.25:0\n" B Y OP ONE "data %2 0000000000000000\n",
                    "weights \"w\" is computed at run time; it must be a constant");
}

/* Positions beyond 32 bits are refused before a kernel computes them. */
static void far_positions(void **state)
{
    (void)state;
    static Text text;
    text.n = 0;
    put(&text, "%s",
        "tensor %0 s8[1x4x4x1] \"x\" q 0.5:3\ntensor %1 s8[1x20000x1x1] \"w\" q 0.25:0 const 20000\n"
        "tensor %2 s8[1x4x4x1] \"y\" q 0.25:0\nop 0 CONV_2D (%0 %1 -) -> (%2) "
        "{stride_w=1 stride_h=1 dilation_w_factor=1 dilation_h_factor=65535}\ndata %1 ");
    for (int32_t i = 0; i < 20000; i++)
        put(&text, "01");
    put(&text, "\n");
    op_case_refused(1, 2, text.at, "a kernel of 20000x1 with dilation 65535x1 does not fit");
}

/* Where the graph leaves the output's shape open it is computed. */
static void open_shape(void **state)
{
    (void)state;
    OpCase *c = op_case_open(1, 3,
                             X W B "tensor %3 s8[1x1x1x1] \"y\" open q 0.25:0\n" OP
                                   "{stride_w=3 stride_h=1 dilation_w_factor=1 dilation_h_factor=1}\n" DATA);
    assert_true(c->resolved);
    assert_string_equal(air_shape_text(c->arena, c->node->out[0]), "[1x4x2x2]");
    op_case_close(c);
}

/* A depth multiplier that disagrees with the shapes is a warning; the shapes decide. */
static void stale_depth_multiplier(void **state)
{
    (void)state;
    OpCase *c = op_case_open(1, 3,
                             X "tensor %1 s8[1x1x1x2] \"w\" q 0.25:0 const 2\n" B Y
                               "op 0 DEPTHWISE_CONV_2D (%0 %1 %2) -> (%3) {stride_w=1 stride_h=1 depth_multiplier=5 "
                               "dilation_w_factor=1 dilation_h_factor=1}\ndata %1 0102\ndata %2 0000000000000000\n");
    assert_true(c->resolved);
    assert_non_null(strstr(c->log, "depth_multiplier is 5; the shapes say 1"));
    op_case_close(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conv_2d),
        cmocka_unit_test(depthwise_conv_2d),
        cmocka_unit_test(window_taps),
        cmocka_unit_test(refusals),
        cmocka_unit_test(far_positions),
        cmocka_unit_test(open_shape),
        cmocka_unit_test(stale_depth_multiplier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
