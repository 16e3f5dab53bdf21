/* fuse_pad: what is fused, what is left, and that every bit of the results stays for paddings of all kinds. */
#include "pass_fixture.h"

#define NAME "fuse_pad"

typedef struct Shape {
    const char *op, *type, *weight_type, *bias_type;
    int32_t in, k, stride, dilation;
    int32_t top, bottom, left, right;
} Shape;

/* x [1 x in x in x 2] -> PAD -> VALID convolution of 2 channels -> y; the padded image may be the graph's output, too. */
static const char *padded(const Shape *s, bool shown)
{
    const bool conv = strcmp(s->op, "CONV_2D") == 0, is_float = s->type[0] == 'f';
    const int32_t reach = (s->k - 1) * s->dilation, h = s->in + s->top + s->bottom, w = s->in + s->left + s->right;
    const int32_t out_h = (h - reach - 1) / s->stride + 1, out_w = (w - reach - 1) / s->stride + 1;
    const int32_t n = (conv ? 2 : 1) * s->k * s->k * 2, zero = strcmp(s->type, "s8") == 0 ? -3 : 0;
    const char *text = helia_format(
        arena, "model \"m\" version 3\ngraph 0 \"main\" inputs (%%0 \"x\") outputs (%%5 \"y\"%s)\n",
        shown ? " %2 \"t\"" : "");
    const char *q = is_float ? "" : helia_format(arena, " q 0.5:%d", zero);
    text = helia_format(arena, "%stensor %%0 %s[1x%dx%dx2] \"x\"%s\n", text, s->type, s->in, s->in, q);
    text = helia_format(arena, "%stensor %%1 s32[4x2] \"paddings\" const 32\n", text);
    text = helia_format(arena, "%stensor %%2 %s[1x%dx%dx2] \"t\"%s\n", text, s->type, h, w, q);
    text = helia_format(arena, "%stensor %%3 %s[%dx%dx%dx2] \"w\"%s const %d\n", text, s->weight_type, conv ? 2 : 1,
                        s->k, s->k, is_float ? "" : " q 0.1:0", n * (is_float ? 4 : 1));
    text = helia_format(arena, "%stensor %%4 %s[2] \"b\" const %d\n", text, s->bias_type,
                        s->bias_type[1] == '6' ? 16 : 8);
    text = helia_format(arena, "%stensor %%5 %s[1x%dx%dx2] \"y\"%s\n", text, s->type, out_h, out_w,
                        is_float ? "" : helia_format(arena, " q 4:%d", zero));
    text = helia_format(arena,
                        "%sop 0 PAD (%%0 %%1) -> (%%2)\nop 1 %s (%%2 %%3 %%4) -> (%%5) {padding=VALID stride_w=%d "
                        "stride_h=%d dilation_w_factor=%d dilation_h_factor=%d}\n",
                        text, s->op, s->stride, s->stride, s->dilation, s->dilation);
    text = helia_format(
        arena, "%sdata %%1 0000000000000000%02x000000%02x000000%02x000000%02x0000000000000000000000\ndata %%3 ", text,
        s->top, s->bottom, s->left, s->right);
    for (int32_t i = 0; i < n; i++) /* 1.5, 2.5, -1.5 ... */
        text = is_float ? helia_format(arena, "%s0000%02x%02x", text, 0xc0 - 0x40 * (i % 2), i % 3 ? 0x3f : 0xbf)
                        : helia_format(arena, "%s%02x", text, (unsigned)(i * 37 % 251) & 0xff);
    const char *bias = is_float                 ? "0000803f000080bf"
                       : s->bias_type[1] == '6' ? "0500000000000000f6ffffffffffffff"
                                                : "05000000f6ffffff";
    return helia_format(arena, "%s\ndata %%4 %s\n", text, bias);
}

static const Shape plain = {"CONV_2D", "s8", "s8", "s32", 5, 3, 1, 1, 1, 1, 1, 1};

static void before_and_after(void **state)
{
    (void)state;
    expect_operators(&strict, NAME, padded(&plain, false),
                     "op 1 CONV_2D (%0 %3 %4) -> (%5) {padding=VALID stride_w=1 stride_h=1 "
                     "fused_activation_function=NONE dilation_w_factor=1 dilation_h_factor=1 "
                     "explicit_padding=[1,1,1,1]}\n");
}

static void same_bits(void **state)
{
    (void)state;
    static const char *const kinds[][4] = {
        {"CONV_2D", "s8", "s8", "s32"},
        {"CONV_2D", "s16", "s8", "s64"},
        {"CONV_2D", "f32", "f32", "f32"},
        {"DEPTHWISE_CONV_2D", "s8", "s8", "s32"},
        {"DEPTHWISE_CONV_2D", "s16", "s8", "s64"},
        {"DEPTHWISE_CONV_2D", "f32", "f32", "f32"},
    };
    static const int32_t paddings[][4] = {{1, 1, 1, 1}, {0, 1, 0, 1}, {2, 0, 1, 2}, {0, 0, 2, 2}, {2, 2, 0, 0}};
    for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++)
        for (size_t i = 0; i < sizeof(paddings) / sizeof(paddings[0]); i++)
            for (int32_t form = 0; form < 3; form++) {
                const int32_t *p = paddings[i];
                const Shape s = {kinds[kind][0], kinds[kind][1], kinds[kind][2], kinds[kind][3], 4 + form, 3,
                                 1 + form % 2,   1 + form / 2,   p[0],           p[1],           p[2],     p[3]};
                const char *text = padded(&s, false);
                assert_int_equal(transformed(&strict, NAME, text).model->main->nodes.len, 1);
                expect_same_bits(&strict, NAME, text);
            }
}

/* A convolution of one channel that has become a plain one keeps its padding. */
static void through_depthwise_to_conv(void **state)
{
    (void)state;
    static const char text[] = "model \"m\" version 3\ngraph 0 \"main\" inputs (%0 \"x\") outputs (%3 \"y\")\n"
                               "tensor %0 s8[1x4x4x1] \"x\" q 0.5:3\n"
                               "tensor %1 s8[1x3x3x1] \"w\" q 0.25:0 const 9\n"
                               "tensor %2 s32[1] \"b\" const 4\ntensor %3 s8[1x2x3x1] \"y\" q 0.75:-7\n"
                               "op 0 DEPTHWISE_CONV_2D (%0 %1 %2) -> (%3) {padding=VALID stride_w=1 stride_h=2 "
                               "dilation_w_factor=1 dilation_h_factor=1 explicit_padding=[1,0,0,1]}\n"
                               "data %1 0102030405060708ff\ndata %2 0a000000\n";
    const PassCase c = transformed(&strict, "depthwise_to_conv", text);
    assert_non_null(strstr(operators_text(&c), "CONV_2D"));
    assert_non_null(strstr(operators_text(&c), "explicit_padding=[1,0,0,1]"));
}

static const char *with(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    assert_non_null(at);
    return helia_format(arena, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

/* x -> ADD {`activation`} -> PAD -> `pool` of 3x3 -> y */
static const char *pooled(const char *pool, const char *type, const char *q, const char *activation,
                          const char *paddings)
{
    const char *text = "model \"m\" version 3\ngraph 0 \"main\" inputs (%0 \"x\") outputs (%4 \"y\")\n"
                       "tensor %0 $T[1x5x5x2] \"x\" $Q\ntensor %1 $T[1x5x5x2] \"t\" $Q\n"
                       "tensor %2 s32[4x2] \"paddings\" const 32\ntensor %3 $T[1x7x7x2] \"u\" $Q\n"
                       "tensor %4 $T[1x3x3x2] \"y\" $Q\n"
                       "op 0 ADD (%0 %0) -> (%1) {fused_activation_function=$A}\nop 1 PAD (%1 %2) -> (%3)\n"
                       "op 2 $P (%3) -> (%4) {padding=VALID stride_w=2 stride_h=2 filter_width=3 filter_height=3}\n"
                       "data %2 0000000000000000$N0000000000000000\n";
    const char *const words[][2] = {{"$T", type}, {"$Q", q}, {"$A", activation}, {"$P", pool}, {"$N", paddings}};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        for (const char *at; (at = strstr(text, words[i][0]));)
            text = helia_format(arena, "%.*s%s%s", (int)(at - text), text, words[i][1], at + strlen(words[i][0]));
    return text;
}

static void max_pools(void **state)
{
    (void)state;
    static const char ones[] = "01000000010000000100000001000000", twos[] = "00000000020000000200000000000000";
    static const char *const paddings[] = {ones, twos};
    for (int i = 0; i < 2; i++) {
        const char *const texts[] = {pooled("MAX_POOL_2D", "s8", "q 0.1:-7", "RELU", paddings[i]),
                                     pooled("MAX_POOL_2D", "s8", "q 0.1:-128", "RELU6", paddings[i]),
                                     pooled("MAX_POOL_2D", "s16", "q 0.1:0", "RELU", paddings[i])};
        for (int k = 0; k < 3; k++) {
            assert_int_equal(transformed(&strict, NAME, texts[k]).model->main->nodes.len, 2);
            expect_same_bits(&strict, NAME, texts[k]);
        }
    }
    expect_unchanged(&strict, NAME, pooled("MAX_POOL_2D", "s8", "q 0.1:-7", "NONE", ones)); /* zeros can be the most */
    expect_unchanged(&strict, NAME, pooled("MAX_POOL_2D", "f32", "", "RELU", ones));        /* -0 */
    expect_unchanged(&strict, NAME, pooled("AVERAGE_POOL_2D", "s8", "q 0.1:-7", "RELU", ones)); /* counts them */
}

static void left_alone(void **state)
{
    (void)state;
    Shape s = plain;
    expect_unchanged(&strict, NAME, padded(&s, true)); /* the padded image is an output, too */
    s.top = 3;                                         /* beyond the kernel's reach: windows of zeros alone */
    expect_unchanged(&strict, NAME, padded(&s, false));
    s = plain;
    const char *text = padded(&s, false);
    expect_unchanged(&strict, NAME, with(text, "padding=VALID", "padding=SAME"));
    expect_unchanged(&strict, NAME, with(text, "\"t\" q 0.5:-3", "\"t\" q 0.25:-3"));
    s = (Shape){"CONV_2D", "f32", "f32", "f32", 5, 3, 1, 1, 1, 1, 1, 1};
    text = padded(&s, false);
    expect_unchanged(&strict, NAME, with(text, "data %3 0000c0bf", "data %3 000080ff")); /* 0 * infinity */
    expect_unchanged(&strict, NAME, with(text, "data %1 00000000", "data %1 01000000")); /* of the batch */
}

static void refused(void **state)
{
    (void)state;
    PassCase c = transformed(&strict, NAME, padded(&plain, false));
    PassCase bad = pass_read(&strict, with(air_print(arena, c.model, c.registry), "[1,1,1,1]", "[3,1,1,1]"));
    assert_false(resolve_graph(&bad.context, bad.registry));
    assert_non_null(strstr(messages, "explicit_padding 0 is 3; supported: 0 to 2, the reach of the kernel"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fresh, finish)
    const struct CMUnitTest tests[] = {TEST(before_and_after), TEST(same_bits),  TEST(through_depthwise_to_conv),
                                       TEST(max_pools),        TEST(left_alone), TEST(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
