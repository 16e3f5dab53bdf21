/* AVERAGE_POOL_2D and MAX_POOL_2D: int8, int16 and float32, NHWC, with a fused activation.
 * The quantisation passes through: input and output must have the same. */
#include <helia_aot/emit.h>

#include "helia_pool_2d.h"
#include "helia_pool_2d_cmsis_nn.h"
#include "helia_pool_2d_s8_mve.h"
#include "helia_pool_2d_s8_x86.h"
#include "helia_sum_dsp.h"
#include "op/check.h"
#include "op/op_list.h"
#include "pack/cmsis_nn.h"
#include "op/print.h"

typedef struct Pool2DOptions {
    int32_t padding;
    int32_t stride_w, stride_h;
    int32_t filter_width, filter_height;
    int32_t fused_activation_function;
    ExplicitPadding explicit_padding; /* none in a file; an average does not count it */
} Pool2DOptions;

static const HeliaField fields[] = {
    FIELD_ENUM(Pool2DOptions, padding, padding_names),
    FIELD_INT(Pool2DOptions, stride_w),
    FIELD_INT(Pool2DOptions, stride_h),
    FIELD_INT(Pool2DOptions, filter_width),
    FIELD_INT(Pool2DOptions, filter_height),
    FIELD_ENUM(Pool2DOptions, fused_activation_function, activation_names),
    FIELD_EXPLICIT_PADDING(Pool2DOptions),
};
static const HeliaOptionsClass options_class = {"Pool2DOptions", sizeof(Pool2DOptions), fields, FIELD_COUNT(fields)};

static bool parse(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self;
    static const char table[] = "Pool2DOptions";
    Pool2DOptions *o = node->options;
    o->padding = (int32_t)litert_opt_int(p->op, table, "padding", PADDING_SAME);
    o->stride_w = (int32_t)litert_opt_int(p->op, table, "stride_w", 0);
    o->stride_h = (int32_t)litert_opt_int(p->op, table, "stride_h", 0);
    o->filter_width = (int32_t)litert_opt_int(p->op, table, "filter_width", 0);
    o->filter_height = (int32_t)litert_opt_int(p->op, table, "filter_height", 0);
    o->fused_activation_function = (int32_t)litert_opt_int(p->op, table, "fused_activation_function", ACT_NONE);
    return true;
}
static const HeliaLitertParser parser = {parse, NULL};

static bool positive(const HeliaOpContext *c, const AirNode *n, const char *what, int32_t value)
{
    return value > 0 || check_fail(c, n, "%s is %d; it must be at least 1", what, value);
}

/* Checks the window and gives its place: what infer and prepare share. */
static bool place_window(const HeliaOpContext *c, const AirNode *n, helia_pool_2d_window *w)
{
    const Pool2DOptions *o = n->options;
    const AirTensor *in = n->in[0];
    bool ok = check_rank(c, n, in, "input", 4, 4);
    ok = positive(c, n, "stride_h", o->stride_h) && ok;
    ok = positive(c, n, "stride_w", o->stride_w) && ok;
    ok = positive(c, n, "filter_height", o->filter_height) && ok;
    ok = positive(c, n, "filter_width", o->filter_width) && ok;
    if (o->padding != PADDING_SAME && o->padding != PADDING_VALID)
        ok = check_fail(c, n, "padding is %d; supported: SAME (0) or VALID (1)", o->padding);
    ok = check_explicit_padding(c, n, &o->explicit_padding, (int64_t)o->filter_height - 1,
                                (int64_t)o->filter_width - 1) &&
         ok;
    if (!ok)
        return false;
    *w = (helia_pool_2d_window){
        .batches = in->dim[0],
        .in_h = in->dim[1],
        .in_w = in->dim[2],
        .channels = in->dim[3],
        .filter_h = o->filter_height,
        .filter_w = o->filter_width,
        .stride_h = o->stride_h,
        .stride_w = o->stride_w,
    };
    Padding padding = (Padding)o->padding;
    const int32_t *zeros = o->explicit_padding.at;
    if (!window_extent(padding, w->in_h + zeros[0] + zeros[1], w->filter_h, w->stride_h, 1, &w->out_h, &w->pad_top) ||
        !window_extent(padding, w->in_w + zeros[2] + zeros[3], w->filter_w, w->stride_w, 1, &w->out_w, &w->pad_left))
        return check_fail(c, n, "a window of %dx%d does not fit into input %s", w->filter_h, w->filter_w,
                          air_shape_text(c->arena, in));
    w->pad_top += zeros[0];
    w->pad_left += zeros[2];
    return true;
}

static bool infer(const HeliaOpContext *c, AirNode *n)
{
    helia_pool_2d_window w;
    if (!place_window(c, n, &w))
        return false;
    return infer_output(c, n, 0, 4, (const int32_t[]){w.batches, w.out_h, w.out_w, w.channels});
}

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const int types[] = {AIR_S8, AIR_U8, AIR_S16, AIR_F32, -1};
    const Pool2DOptions *o = n->options;
    bool ok = check_in_type(c, n, 0, "input", types);
    if (n->in[0]->type != n->out[0]->type)
        ok = check_fail(c, n, "input is %s and output %s; they must be equal", air_type_doc(n->in[0]->type),
                        air_type_doc(n->out[0]->type));
    ok = check_per_tensor(c, n, n->in[0], "input") && check_per_tensor(c, n, n->out[0], "output") &&
         check_same_quant(c, n, n->in[0], n->out[0], "input and output") && ok;
    return check_activation(c, n, o->fused_activation_function) && ok;
}

/* ---- kernels ---------------------------------------------------------------------------------- */
static void set_args(const HeliaOpContext *c, AirNode *n, const void *params)
{
    n->params = params;
    air_arg(n, c->graph, n->in[0], false);
    air_arg(n, c->graph, n->out[0], true);
}

static bool prepare_int(const HeliaOpContext *c, AirNode *n)
{
    const Pool2DOptions *o = n->options;
    helia_pool_2d_params *p = HELIA_NEW(c->arena, helia_pool_2d_params);
    activation_range((Activation)o->fused_activation_function, n->out[0], &p->min, &p->max);
    set_args(c, n, p);
    return place_window(c, n, &p->window);
}

/* The reference adds in 32 bits, and so do the kernels. */
static void warn_of_wrapping(const HeliaOpContext *c, const AirNode *n, const helia_pool_2d_window *w)
{
    int32_t lo, hi;
    type_range(n->in[0]->type, &lo, &hi);
    int64_t h = w->filter_h < w->in_h ? w->filter_h : w->in_h, width = w->filter_w < w->in_w ? w->filter_w : w->in_w;
    const int64_t most = hi > -(int64_t)lo ? hi : -(int64_t)lo;
    if (h * width > -(int64_t)INT32_MIN / most)
        helia_warn(c->diag, air_node_loc(c->graph, n),
                   "the sum over a window of %lldx%lld can exceed 32 bits; it wraps as the reference's does",
                   (long long)h, (long long)width);
}

static bool prepare_average_int(const HeliaOpContext *c, AirNode *n)
{
    if (!prepare_int(c, n))
        return false;
    warn_of_wrapping(c, n, &((const helia_pool_2d_params *)n->params)->window);
    return true;
}

static bool prepare_f32(const HeliaOpContext *c, AirNode *n)
{
    const Pool2DOptions *o = n->options;
    helia_pool_2d_f32_params *p = HELIA_NEW(c->arena, helia_pool_2d_f32_params);
    activation_range_float((Activation)o->fused_activation_function, &p->min, &p->max);
    set_args(c, n, p);
    return place_window(c, n, &p->window);
}

/* The arithmetic of the row is made for sums of at most so many elements. */
static const char *fits_area(const HeliaOpContext *c, const AirNode *n, int32_t most)
{
    const char *why = fits_out_s8(c, n);
    helia_pool_2d_window w;
    if (why || !place_window(c, n, &w))
        return why ? why : "the window has no place";
    int64_t h = w.filter_h < w.in_h ? w.filter_h : w.in_h, width = w.filter_w < w.in_w ? w.filter_w : w.in_w;
    return h * width > most ? helia_format(c->arena, "a window covers more than %d pixels", most) : NULL;
}

static const char *fits_average_dsp(const HeliaOpContext *c, const AirNode *n)
{
    return fits_area(c, n, HELIA_SUM_AREA);
}

static const char *fits_average_mve(const HeliaOpContext *c, const AirNode *n)
{
    return fits_area(c, n, HELIA_AVERAGE_POOL_MVE_MOST);
}

static const char *fits_average_x86(const HeliaOpContext *c, const AirNode *n)
{
    return fits_area(c, n, HELIA_AVERAGE_POOL_X86_MOST);
}

/* CMSIS-NN's MVE build. */
static size_t no_scratch(const void *params)
{
    (void)params;
    return 0;
}

#define MVE_ROW(symbol, fits, prepare)                                                                                 \
    {                                                                                                                  \
        symbol, "pool_2d/" symbol ".c", HELIA_ISA_MVE, "int8", fits, prepare, NULL                                     \
    }
#define ROW(symbol, types, fits, prepare)                                                                              \
    {                                                                                                                  \
        symbol, "pool_2d/" symbol ".c", HELIA_ISA_C, types, fits, prepare, NULL                                        \
    }
#define ROW_DSP(symbol, fits, prepare)                                                                                 \
    {                                                                                                                  \
        symbol, "pool_2d/" symbol ".c", HELIA_ISA_DSP, "int8", fits, prepare, NULL, NULL, "pool_2d/" symbol "_body.h", \
            NULL                                                                                                       \
    }
static const HeliaKernel average_kernels[] = {
    CMSIS_NN_ROW(HELIA_LIB_CMSIS_NN, "helia_average_pool_2d_s8_cmsis_nn", HELIA_ISA_MVE, fits_out_s8,
                 prepare_average_int, no_scratch),
    CMSIS_NN_ROW(HELIA_LIB_CMSIS_NN, "helia_average_pool_2d_s8_cmsis_nn", HELIA_ISA_C, fits_out_s8, prepare_average_int,
                 helia_average_pool_2d_cmsis_nn_scratch),
    MVE_ROW("helia_average_pool_2d_s8_mve", fits_average_mve, prepare_average_int),
    ROW_DSP("helia_average_pool_2d_s8_dsp", fits_average_dsp, prepare_average_int),
    {"helia_average_pool_2d_s8_x86", "pool_2d/helia_average_pool_2d_s8_x86.c", HELIA_ISA_X86, "int8", fits_average_x86,
     prepare_average_int, NULL},
    ROW("helia_average_pool_2d_s8_c", "int8", fits_out_s8, prepare_average_int),
    ROW("helia_average_pool_2d_u8_c", "uint8", fits_out_u8, prepare_average_int),
    ROW("helia_average_pool_2d_s16_c", "int16", fits_out_s16, prepare_average_int),
    ROW("helia_average_pool_2d_f32_c", "float32", fits_out_f32, prepare_f32),
};
static const HeliaKernel max_kernels[] = {
    CMSIS_NN_ROW(HELIA_LIB_CMSIS_NN, "helia_max_pool_2d_s8_cmsis_nn", HELIA_ISA_C, fits_out_s8, prepare_int, NULL),
    MVE_ROW("helia_max_pool_2d_s8_mve", fits_out_s8, prepare_int),
    ROW_DSP("helia_max_pool_2d_s8_dsp", fits_out_s8, prepare_int),
    ROW("helia_max_pool_2d_s8_c", "int8", fits_out_s8, prepare_int),
    ROW("helia_max_pool_2d_u8_c", "uint8", fits_out_u8, prepare_int),
    ROW("helia_max_pool_2d_s16_c", "int16", fits_out_s16, prepare_int),
    ROW("helia_max_pool_2d_f32_c", "float32", fits_out_f32, prepare_f32),
};
#undef ROW
#undef MVE_ROW
#undef ROW_DSP

/* ---- emission and evaluation ------------------------------------------------------------------ */
static void print_window(HeliaOut *o, const helia_pool_2d_window *w)
{
    helia_out_open(o, ".window =");
    PRINT_INT(o, w, batches);
    PRINT_INT(o, w, in_h);
    PRINT_INT(o, w, in_w);
    PRINT_INT(o, w, channels);
    PRINT_INT(o, w, out_h);
    PRINT_INT(o, w, out_w);
    PRINT_INT(o, w, filter_h);
    PRINT_INT(o, w, filter_w);
    PRINT_INT(o, w, stride_h);
    PRINT_INT(o, w, stride_w);
    PRINT_INT(o, w, pad_top);
    PRINT_INT(o, w, pad_left);
    helia_out_close(o, ",");
}

static void print_int_params(HeliaOut *o, const void *params)
{
    const helia_pool_2d_params *p = params;
    print_window(o, &p->window);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

static void print_f32_params(HeliaOut *o, const void *params)
{
    const helia_pool_2d_f32_params *p = params;
    print_window(o, &p->window);
    PRINT_FLOAT(o, p, min);
    PRINT_FLOAT(o, p, max);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    if (n->out[0]->type == AIR_F32)
        return helia_emit_kernel_call(e, n, "helia_pool_2d_f32_params", print_f32_params);
    return helia_emit_kernel_call(e, n, "helia_pool_2d_params", print_int_params);
}

static bool eval_average(HeliaEval *v, const AirNode *n)
{
    const void *in = helia_eval_ptr(v, n->in[0]);
    void *out = helia_eval_ptr(v, n->out[0]);
    if (n->out[0]->type == AIR_F32)
        helia_average_pool_2d_f32_c(n->params, in, out);
    else if (n->out[0]->type == AIR_S16)
        helia_average_pool_2d_s16_c(n->params, in, out);
    else if (n->out[0]->type == AIR_U8)
        helia_average_pool_2d_u8_c(n->params, in, out);
    else
        helia_average_pool_2d_s8_c(n->params, in, out);
    return true;
}

static bool eval_max(HeliaEval *v, const AirNode *n)
{
    const void *in = helia_eval_ptr(v, n->in[0]);
    void *out = helia_eval_ptr(v, n->out[0]);
    if (n->out[0]->type == AIR_F32)
        helia_max_pool_2d_f32_c(n->params, in, out);
    else if (n->out[0]->type == AIR_S16)
        helia_max_pool_2d_s16_c(n->params, in, out);
    else if (n->out[0]->type == AIR_U8)
        helia_max_pool_2d_u8_c(n->params, in, out);
    else
        helia_max_pool_2d_s8_c(n->params, in, out);
    return true;
}

static const HeliaOpClass average_class = {
    .type = "AVERAGE_POOL_2D",
    .doc = "mean over a window, NHWC",
    .min_in = 1,
    .max_in = 1,
    .n_out = 1,
    .infer = infer,
    .on_resolve = resolve,
    .kernels = average_kernels,
    .n_kernels = FIELD_COUNT(average_kernels),
    .emit = emit,
    .eval = eval_average,
};
static const HeliaOpClass max_class = {
    .type = "MAX_POOL_2D",
    .doc = "maximum over a window, NHWC",
    .min_in = 1,
    .max_in = 1,
    .n_out = 1,
    .infer = infer,
    .on_resolve = resolve,
    .kernels = max_kernels,
    .n_kernels = FIELD_COUNT(max_kernels),
    .emit = emit,
    .eval = eval_max,
};

bool op_pool_2d_register(HeliaRegistryContext *r)
{
    bool ok = helia_register_op(r, &average_class, &parser, &options_class);
    return helia_register_op(r, &max_class, &parser, &options_class) && ok;
}
