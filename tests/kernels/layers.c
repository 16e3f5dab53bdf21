/* Random layers: shapes small and odd, zero points and activations of all kinds, extremes in weights and biases. */
#include "layers.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t random_u32(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static int32_t between(uint32_t *seed, int32_t lo, int32_t hi)
{
    return lo + (int32_t)(random_u32(seed) % (uint32_t)(hi - lo + 1));
}

static double real_between(uint32_t *seed, double lo, double hi)
{
    return lo + (hi - lo) * (double)random_u32(seed) / (double)(1 << 24);
}

static int32_t zero_point(uint32_t *seed)
{
    return between(seed, 0, 2) ? between(seed, -128, 127) : -128;
}

static void put(Layer *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(Layer *l, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(l->text + l->n, sizeof(l->text) - l->n, fmt, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof(l->text) - l->n)
        abort(); /* a layer larger than this file makes them */
    l->n += (uint32_t)n;
}

static void put_bytes(Layer *l, uint32_t tensor, const void *bytes, int32_t n)
{
    put(l, "data %%%u ", tensor);
    for (int32_t i = 0; i < n; i++)
        put(l, "%02x", ((const uint8_t *)bytes)[i]);
    put(l, "\n");
}

static const char *activation(uint32_t *seed)
{
    static const char *const names[] = {"NONE", "RELU", "RELU6", "RELU_N1_TO_1"};
    return names[between(seed, 0, 3)];
}

/* ---- weighted operators ------------------------------------------------------------------------ */
typedef struct Weights {
    int32_t n, taps, channels; /* taps: for each channel */
    bool per_channel;
    int32_t bias; /* bytes of an element; 0: none */
    int8_t *q;
} Weights;

/* Of the data: int8, or int16, which has no zero point. */
static const char *data_type(const Layer *l)
{
    return l->wide ? "s16" : "s8";
}

static int32_t data_zero(const Layer *l, uint32_t *seed)
{
    return l->wide ? 0 : zero_point(seed);
}

static int32_t bias_size(const Layer *l, uint32_t *seed)
{
    return !between(seed, 0, 3) ? 0 : l->wide && between(seed, 0, 1) ? 8 : 4;
}

/* Weights, scales and biases so that most outputs lie inside the range; some channels are extreme. Input scale 0.5,
 * output scale 0.25. */
static void put_weights(Layer *l, const Weights *w, uint32_t *seed, const char *shape, int32_t axis)
{
    const int32_t spread = between(seed, 0, 3) ? 127 : between(seed, 1, 20), lowest = between(seed, 0, 9) ? -127 : -128;
    for (int32_t i = 0; i < w->n; i++) {
        int32_t v = between(seed, -spread, spread);
        w->q[i] = (int8_t)(v == -127 ? lowest : v);
    }
    put(l, "tensor %%1 s8%s \"w\" q", shape);
    if (w->per_channel)
        put(l, " axis %d", axis);
    for (int32_t i = 0; i < (w->per_channel ? w->channels : 1); i++) {
        double factor = 60.0 / (real_between(seed, 1.0, 4.0) * 40.0 * (spread + 1)); /* of an accumulator of one tap */
        factor /= 1.0 + 0.3 * w->taps;
        factor *= between(seed, 0, 7) ? 1.0 : real_between(seed, 0.001, 1.5);
        if (!between(seed, 0, 5)) /* the smallest multiplier, whose products are halves, or nearly the largest */
            factor = ldexp(between(seed, 0, 1) ? 1.0 : 1.0 - 1.0 / (1 << 24), ilogb(factor));
        put(l, " %.9g:0", factor / 2.0);
    }
    put(l, " const %d\n", w->n);
    if (w->bias)
        put(l, "tensor %%2 s%d[%d] \"b\" const %d\n", 8 * w->bias, w->channels, w->bias * w->channels);
}

static void put_weight_data(Layer *l, const Weights *w, uint32_t *seed)
{
    put_bytes(l, 1, w->q, w->n);
    if (w->bias) {
        uint8_t *bias = calloc((size_t)w->channels, (size_t)w->bias);
        const int32_t usual = l->wide ? 256 * 3000 : 3000;
        for (int32_t i = 0; i < w->channels; i++) {
            int64_t b = between(seed, 0, 15) ? between(seed, -usual, usual) : between(seed, -1, 1) * (1 << 30);
            memcpy(bias + i * w->bias, &b, (size_t)w->bias); /* little-endian */
        }
        put_bytes(l, 2, bias, w->bias * w->channels);
        free(bias);
    }
    free(w->q);
}

typedef struct Window {
    int32_t n, h, w, c, kh, kw, sh, sw, dh, dw, out_h, out_w;
    int32_t filter_c; /* channels of c that a filter sees; 0: all */
    bool same;
    int32_t zeros[4]; /* explicit padding: rows above and below, columns left and right */
} Window;

static int32_t extent(bool same, int32_t in, int32_t k, int32_t stride, int32_t dilation)
{
    int32_t span = (k - 1) * dilation + 1;
    return same ? (in + stride - 1) / stride : (in - span + stride) / stride;
}

/* Zeros around the image, as far as the kernel reaches; mostly none. */
static void random_zeros(Window *w, uint32_t *seed)
{
    for (int i = 0; i < 4; i++)
        w->zeros[i] = 0;
    if (w->same || between(seed, 0, 2))
        return;
    for (int i = 0; i < 4; i++)
        w->zeros[i] = between(seed, 0, i < 2 ? (w->kh - 1) * w->dh : (w->kw - 1) * w->dw);
}

static void set_extents(Window *w)
{
    w->out_h = extent(w->same, w->h + w->zeros[0] + w->zeros[1], w->kh, w->sh, w->dh);
    w->out_w = extent(w->same, w->w + w->zeros[2] + w->zeros[3], w->kw, w->sw, w->dw);
}

/* At least one output where padding is VALID. */
static void random_window(Window *w, uint32_t *seed, int32_t most_k, int32_t most_c, bool dilate)
{
    memset(w, 0, sizeof(*w));
    do {
        w->n = between(seed, 0, 3) ? 1 : 2;
        w->h = between(seed, 1, 12);
        w->w = between(seed, 1, 12);
        w->c = between(seed, 0, 3) ? between(seed, 1, most_c) : 4 * between(seed, 1, most_c / 4);
        w->kh = between(seed, 1, most_k);
        w->kw = between(seed, 1, most_k);
        w->sh = between(seed, 1, 3);
        w->sw = between(seed, 1, 3);
        w->dh = dilate && !between(seed, 0, 5) ? 2 : 1;
        w->dw = dilate && !between(seed, 0, 9) ? 2 : 1;
        w->same = between(seed, 0, 1);
        random_zeros(w, seed);
        set_extents(w);
    } while (w->out_h < 1 || w->out_w < 1);
}

static void describe(Layer *l, const char *op, const Window *w, int32_t out_c)
{
    snprintf(l->words, sizeof(l->words),
             "%s [%dx%dx%dx%d] to [%dx%dx%d], kernel %dx%d, groups %d, stride %dx%d, dilation %dx%d, %s + %d %d %d %d",
             op, w->n, w->h, w->w, w->c, w->out_h, w->out_w, out_c, w->kh, w->kw, w->filter_c ? w->c / w->filter_c : 1,
             w->sh, w->sw, w->dh, w->dw, w->same ? "SAME" : "VALID", w->zeros[0], w->zeros[1], w->zeros[2],
             w->zeros[3]);
}

/* The last of the options. */
static void put_zeros(Layer *l, const Window *w)
{
    if (w->zeros[0] || w->zeros[1] || w->zeros[2] || w->zeros[3])
        put(l, " explicit_padding=[%d,%d,%d,%d]", w->zeros[0], w->zeros[1], w->zeros[2], w->zeros[3]);
    put(l, "}\n");
}

static void put_convolution(Layer *l, uint32_t *seed, const Window *win, int32_t out_c, bool depthwise)
{
    char shape[64];
    const int32_t filter_c = win->filter_c ? win->filter_c : win->c;
    Weights w = {.taps = win->kh * win->kw * (depthwise ? 1 : filter_c),
                 .channels = out_c,
                 .bias = bias_size(l, seed),
                 .per_channel = out_c > 1 && between(seed, 0, 2)};
    w.n = w.taps * out_c;
    w.q = malloc((size_t)w.n);
    describe(l, depthwise ? "DEPTHWISE_CONV_2D" : "CONV_2D", win, out_c);
    if (depthwise)
        snprintf(shape, sizeof(shape), "[1x%dx%dx%d]", win->kh, win->kw, out_c);
    else
        snprintf(shape, sizeof(shape), "[%dx%dx%dx%d]", out_c, win->kh, win->kw, filter_c);
    put(l, "tensor %%0 %s[%dx%dx%dx%d] \"x\" q 0.5:%d\n", data_type(l), win->n, win->h, win->w, win->c,
        data_zero(l, seed));
    put_weights(l, &w, seed, shape, depthwise ? 3 : 0);
    l->out = w.bias ? 3 : 2;
    put(l, "tensor %%%u %s[%dx%dx%dx%d] \"y\" q 0.25:%d\n", l->out, data_type(l), win->n, win->out_h, win->out_w, out_c,
        data_zero(l, seed));
    put(l,
        "op 0 %s (%%0 %%1 %s) -> (%%%u) {padding=%s stride_w=%d stride_h=%d dilation_w_factor=%d dilation_h_factor=%d "
        "fused_activation_function=%s",
        depthwise ? "DEPTHWISE_CONV_2D" : "CONV_2D", w.bias ? "%2" : "-", l->out, win->same ? "SAME" : "VALID", win->sw,
        win->sh, win->dw, win->dh, activation(seed));
    if (depthwise)
        put(l, " depth_multiplier=%d", out_c / win->c);
    put_zeros(l, win);
    put_weight_data(l, &w, seed);
    l->inputs = 1;
}

static void conv_2d(Layer *l, uint32_t *seed)
{
    Window w;
    random_window(&w, seed, between(seed, 0, 2) ? 3 : 5, 20, true);
    put_convolution(l, seed, &w, between(seed, 1, 19), false);
}

/* Groups, dilated columns, or both; a filter's channels are whole vectors of 16 bytes or any number. */
static void conv_2d_groups(Layer *l, uint32_t *seed)
{
    Window w;
    const int32_t groups = between(seed, 0, 3) ? between(seed, 2, 5) : 1;
    random_window(&w, seed, between(seed, 1, 4), 4, true);
    w.filter_c = between(seed, 0, 2) ? between(seed, 1, 18) : 16 * between(seed, 1, 2);
    w.c = groups * w.filter_c;
    if (groups == 1 || !between(seed, 0, 2)) {
        w.dw = between(seed, 2, 4);
        w.same = w.same || (w.kw - 1) * w.dw >= w.w;
        random_zeros(&w, seed);
        set_extents(&w);
    }
    put_convolution(l, seed, &w, groups * between(seed, 1, 7), false);
}

/* Shapes that whole vectors of 16 bytes fit: 3x3 of stride 1, and 1x1. */
static void conv_2d_whole_vectors(Layer *l, uint32_t *seed)
{
    Window w = {.n = between(seed, 1, 2),
                .h = between(seed, 3, 9),
                .w = between(seed, 4, 13),
                .sh = 1,
                .sw = 1,
                .dh = 1,
                .dw = 1,
                .same = between(seed, 0, 1)};
    w.kh = w.kw = between(seed, 0, 1) ? 3 : 1;
    w.c = w.kh == 3 || between(seed, 0, 1) ? 16 * between(seed, 1, 5) : between(seed, 1, 15);
    random_zeros(&w, seed);
    set_extents(&w);
    put_convolution(l, seed, &w, between(seed, 1, 19), false);
}

/* 3x3 with the channels and columns of layers for which Winograd pays. */
static void conv_2d_3x3(Layer *l, uint32_t *seed)
{
    Window w = {.n = between(seed, 1, 2),
                .h = between(seed, 3, 7),
                .c = 16 * between(seed, 1, 2),
                .kh = 3,
                .kw = 3,
                .sh = 1,
                .sw = 1,
                .dh = 1,
                .dw = 1,
                .same = between(seed, 0, 1)};
    w.w = 8 * between(seed, 1, 2) + (w.same ? 0 : 2);
    random_zeros(&w, seed);
    set_extents(&w);
    put_convolution(l, seed, &w, 2 * between(seed, 1, 8), false);
}

/* Mostly 3x3, which has kernels of its own. */
static void depthwise_conv_2d(Layer *l, uint32_t *seed)
{
    Window w;
    random_window(&w, seed, 3, 40, false);
    if (between(seed, 0, 3)) {
        w.kh = w.kw = 3;
        w.sh = w.sw = between(seed, 1, 2);
        w.same = w.same || w.h < 3 || w.w < 3;
        random_zeros(&w, seed);
        set_extents(&w);
    }
    put_convolution(l, seed, &w, w.c, true);
}

/* Of any shape: long rows and columns of taps, dilation, multipliers. */
static void depthwise_conv_2d_any(Layer *l, uint32_t *seed)
{
    Window w;
    const int32_t multiplier = between(seed, 0, 1) ? 1 : between(seed, 2, 9);
    random_window(&w, seed, between(seed, 1, 7), multiplier > 1 ? 8 : 40, true);
    if (!between(seed, 0, 2)) { /* of one output pixel, as streaming models have it */
        w.kh = w.h = between(seed, 1, 23);
        w.kw = w.w = 1;
        w.dh = w.dw = 1;
        w.same = false;
        memset(w.zeros, 0, sizeof(w.zeros));
        w.out_h = w.out_w = 1;
    }
    put_convolution(l, seed, &w, w.c * multiplier, true);
}

static void fully_connected(Layer *l, uint32_t *seed)
{
    const int32_t rows = between(seed, 0, 1) ? 1 : between(seed, 2, 7), depth = between(seed, 1, 90);
    char shape[64];
    Weights w = {.taps = depth, .channels = between(seed, 1, 40), .bias = bias_size(l, seed)};
    w.per_channel = w.channels > 1 && !between(seed, 0, 2);
    w.n = depth * w.channels;
    w.q = malloc((size_t)w.n);
    snprintf(l->words, sizeof(l->words), "FULLY_CONNECTED [%dx%d] to %d", rows, depth, w.channels);
    snprintf(shape, sizeof(shape), "[%dx%d]", w.channels, depth);
    put(l, "tensor %%0 %s[%dx%d] \"x\" q 0.5:%d\n", data_type(l), rows, depth, data_zero(l, seed));
    put_weights(l, &w, seed, shape, 0);
    l->out = w.bias ? 3 : 2;
    put(l, "tensor %%%u %s[%dx%d] \"y\" q 0.25:%d\n", l->out, data_type(l), rows, w.channels, data_zero(l, seed));
    put(l, "op 0 FULLY_CONNECTED (%%0 %%1 %s) -> (%%%u) {fused_activation_function=%s}\n", w.bias ? "%2" : "-", l->out,
        activation(seed));
    put_weight_data(l, &w, seed);
    l->inputs = 1;
}

/* int16 data. */
static void wide(Layer *l, uint32_t *seed, LayerMaker *make)
{
    l->wide = 1;
    make(l, seed);
    l->wide = 0;
}

static void conv_2d_wide(Layer *l, uint32_t *seed)
{
    wide(l, seed, conv_2d);
}

static void conv_2d_groups_wide(Layer *l, uint32_t *seed)
{
    wide(l, seed, conv_2d_groups);
}

static void depthwise_conv_2d_wide(Layer *l, uint32_t *seed)
{
    wide(l, seed, depthwise_conv_2d);
}

static void fully_connected_wide(Layer *l, uint32_t *seed)
{
    wide(l, seed, fully_connected);
}

/* ---- others ------------------------------------------------------------------------------------ */
/* Scales of any ratio, also those that make halves; operands of the output's shape, rows of it, or one element. */
static void binary(Layer *l, uint32_t *seed, const char *op)
{
    static const double nice[] = {1.0, 0.5, 2.0, 0.25};
    const int32_t rows = between(seed, 1, 9), cols = between(seed, 1, 70), kind = between(seed, 0, 4);
    const bool halves = !between(seed, 0, 2);
    const double a = real_between(seed, 0.01, 0.2);
    const double b = a * (halves ? nice[between(seed, 0, 3)] : real_between(seed, 0.2, 4.0));
    const double most = strcmp(op, "MUL") == 0 ? 128.0 * b : 1.0; /* of the result, in a's steps */
    const double out = a * most * (halves ? nice[between(seed, 0, 3)] : real_between(seed, 0.3, 3.0));
    const bool swap = between(seed, 0, 1);
    char full[32], part[32];
    snprintf(full, sizeof(full), "[%dx%d]", rows, cols);
    snprintf(part, sizeof(part), "[%dx%d]", kind == 1 || kind == 2 ? 1 : rows, kind == 0 || kind == 2 ? 1 : cols);
    snprintf(l->words, sizeof(l->words), "%s %s and %s, scales %g, %g to %g", op, swap ? part : full,
             swap ? full : part, a, b, out);
    put(l, "tensor %%0 s8%s \"a\" q %.9g:%d\n", swap ? part : full, a, zero_point(seed));
    put(l, "tensor %%1 s8%s \"b\" q %.9g:%d\n", swap ? full : part, b, zero_point(seed));
    put(l, "tensor %%2 s8%s \"y\" q %.9g:%d\n", full, out, zero_point(seed));
    put(l, "op 0 %s (%%0 %%1) -> (%%2) {fused_activation_function=%s}\n", op, activation(seed));
    l->inputs = 2;
    l->out = 2;
}

static void add(Layer *l, uint32_t *seed)
{
    binary(l, seed, "ADD");
}

static void sub(Layer *l, uint32_t *seed)
{
    binary(l, seed, "SUB");
}

static void mul(Layer *l, uint32_t *seed)
{
    binary(l, seed, "MUL");
}

static void pool(Layer *l, uint32_t *seed, const char *op)
{
    Window w;
    random_window(&w, seed, 4, 40, false);
    if (!between(seed, 0, 2)) { /* global */
        w.kh = w.h, w.kw = w.w;
        w.same = false;
        memset(w.zeros, 0, sizeof(w.zeros));
        w.out_h = w.out_w = 1;
    }
    describe(l, op, &w, w.c);
    const int32_t zero = zero_point(seed);
    put(l, "tensor %%0 s8[%dx%dx%dx%d] \"x\" q 0.05:%d\n", w.n, w.h, w.w, w.c, zero);
    put(l, "tensor %%1 s8[%dx%dx%dx%d] \"y\" q 0.05:%d\n", w.n, w.out_h, w.out_w, w.c, zero);
    put(l,
        "op 0 %s (%%0) -> (%%1) {padding=%s stride_w=%d stride_h=%d filter_width=%d filter_height=%d "
        "fused_activation_function=%s",
        op, w.same ? "SAME" : "VALID", w.sw, w.sh, w.kw, w.kh, activation(seed));
    put_zeros(l, &w);
    l->inputs = 1;
    l->out = 1;
}

static void average_pool_2d(Layer *l, uint32_t *seed)
{
    pool(l, seed, "AVERAGE_POOL_2D");
}

static void max_pool_2d(Layer *l, uint32_t *seed)
{
    pool(l, seed, "MAX_POOL_2D");
}

static void mean(Layer *l, uint32_t *seed)
{
    const int32_t n = between(seed, 1, 2), h = between(seed, 1, 12), w = between(seed, 1, 12), c = between(seed, 1, 40);
    snprintf(l->words, sizeof(l->words), "MEAN [%dx%dx%dx%d] over height and width", n, h, w, c);
    put(l, "tensor %%0 s8[%dx%dx%dx%d] \"x\" q 0.05:%d\n", n, h, w, c, zero_point(seed));
    put(l, "tensor %%1 s32[2] \"axes\" const 8\ntensor %%2 s8[%dx%d] \"y\" q %.9g:%d\n", n, c,
        real_between(seed, 0.01, 0.1), zero_point(seed));
    put(l, "op 0 MEAN (%%0 %%1) -> (%%2) {keep_dims=false}\n");
    const int32_t axes[2] = {1, 2};
    put_bytes(l, 1, axes, 8);
    l->inputs = 1;
    l->out = 2;
}

static void softmax(Layer *l, uint32_t *seed)
{
    const int32_t rows = between(seed, 1, 12), depth = between(seed, 1, between(seed, 0, 3) ? 40 : 400);
    const double scale = real_between(seed, 0.002, 0.3);
    snprintf(l->words, sizeof(l->words), "SOFTMAX [%dx%d], scale %g", rows, depth, scale);
    put(l, "tensor %%0 s8[%dx%d] \"x\" q %.9g:%d\n", rows, depth, scale, zero_point(seed));
    put(l, "tensor %%1 s8[%dx%d] \"y\" q 0.00390625:-128\nop 0 SOFTMAX (%%0) -> (%%1) {beta=1.0}\n", rows, depth);
    l->inputs = 1;
    l->out = 1;
}

const LayerKind layer_kinds[] = {
    {"CONV_2D", conv_2d, 60},
    {"CONV_2D", conv_2d_whole_vectors, 40},
    {"CONV_2D", conv_2d_3x3, 30},
    {"CONV_2D", conv_2d_groups, 60},
    {"DEPTHWISE_CONV_2D", depthwise_conv_2d, 60},
    {"DEPTHWISE_CONV_2D", depthwise_conv_2d_any, 60},
    {"FULLY_CONNECTED", fully_connected, 40},
    {"CONV_2D", conv_2d_wide, 60},
    {"CONV_2D", conv_2d_groups_wide, 20},
    {"DEPTHWISE_CONV_2D", depthwise_conv_2d_wide, 50},
    {"FULLY_CONNECTED", fully_connected_wide, 50},
    {"ADD", add, 50},
    {"SUB", sub, 50},
    {"MUL", mul, 50},
    {"AVERAGE_POOL_2D", average_pool_2d, 40},
    {"MAX_POOL_2D", max_pool_2d, 40},
    {"MEAN", mean, 30},
    {"SOFTMAX", softmax, 30},
    {NULL, NULL, 0},
};
