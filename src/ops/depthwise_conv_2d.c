/* DEPTHWISE_CONV_2D: input NHWC, weights 1HWO with O = input channels * multiplier, optional bias, fused activation.
 * int8 and int16 (weights int8 or int4, per channel or per tensor) and float32. */
#include <helia_aot/emit.h>

#include "helia_depthwise_conv_2d.h"
#include "helia_depthwise_conv_2d_cmsis_nn.h"
#include "helia_depthwise_conv_2d_s16_simd.h"
#include "helia_depthwise_conv_2d_s8_dsp.h"
#include "helia_depthwise_conv_2d_s8_general_dsp.h"
#include "helia_depthwise_conv_2d_s8_general_mve.h"
#include "helia_depthwise_conv_2d_s8_mve.h"
#include "helia_depthwise_conv_2d_s8_x86.h"
#include "pack/depthwise_dsp.h"
#include "pack/depthwise_general_dsp.h"
#include "pack/depthwise_general_mve.h"
#include "pack/depthwise_mve.h"
#include "pack/depthwise_x86.h"
#include "op/op_list.h"
#include "pack/cmsis_nn.h"
#include "op/weights.h"

typedef struct DepthwiseConv2DOptions {
    int32_t padding;
    int32_t stride_w, stride_h;
    int32_t depth_multiplier; /* redundant: the shapes say it */
    int32_t fused_activation_function;
    int32_t dilation_w_factor, dilation_h_factor;
    ExplicitPadding explicit_padding; /* none in a file */
} DepthwiseConv2DOptions;

static const HeliaField fields[] = {
    FIELD_ENUM(DepthwiseConv2DOptions, padding, padding_names),
    FIELD_INT(DepthwiseConv2DOptions, stride_w),
    FIELD_INT(DepthwiseConv2DOptions, stride_h),
    FIELD_INT(DepthwiseConv2DOptions, depth_multiplier),
    FIELD_ENUM(DepthwiseConv2DOptions, fused_activation_function, activation_names),
    FIELD_INT(DepthwiseConv2DOptions, dilation_w_factor),
    FIELD_INT(DepthwiseConv2DOptions, dilation_h_factor),
    FIELD_EXPLICIT_PADDING(DepthwiseConv2DOptions),
};
static const HeliaOptionsClass options_class = {"DepthwiseConv2DOptions", sizeof(DepthwiseConv2DOptions), fields,
                                                FIELD_COUNT(fields)};

static bool parse(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self;
    static const char table[] = "DepthwiseConv2DOptions";
    DepthwiseConv2DOptions *o = node->options;
    o->padding = (int32_t)litert_opt_int(p->op, table, "padding", PADDING_SAME);
    o->stride_w = (int32_t)litert_opt_int(p->op, table, "stride_w", 0);
    o->stride_h = (int32_t)litert_opt_int(p->op, table, "stride_h", 0);
    o->depth_multiplier = (int32_t)litert_opt_int(p->op, table, "depth_multiplier", 0);
    o->fused_activation_function = (int32_t)litert_opt_int(p->op, table, "fused_activation_function", ACT_NONE);
    o->dilation_w_factor = (int32_t)litert_opt_int(p->op, table, "dilation_w_factor", 1);
    o->dilation_h_factor = (int32_t)litert_opt_int(p->op, table, "dilation_h_factor", 1);
    return true;
}
static const HeliaLitertParser parser = {parse, NULL};

/* ---- shapes ----------------------------------------------------------------------------------- */
static bool place_window(const HeliaOpContext *c, const AirNode *n, helia_conv_window *w)
{
    const DepthwiseConv2DOptions *o = n->options;
    const AirTensor *in = n->in[0], *weights = n->in[1];
    bool ok = check_rank(c, n, in, "input", 4, 4);
    ok = check_rank(c, n, weights, "weights", 4, 4) && ok;
    ok = check_window_options(c, n, o->padding, o->stride_h, o->stride_w, o->dilation_h_factor, o->dilation_w_factor) &&
         ok;
    if (!ok)
        return false;
    *w = (helia_conv_window){
        .batches = in->dim[0],
        .in_h = in->dim[1],
        .in_w = in->dim[2],
        .in_c = in->dim[3],
        .out_c = weights->dim[3],
        .kernel_h = weights->dim[1],
        .kernel_w = weights->dim[2],
        .stride_h = o->stride_h,
        .stride_w = o->stride_w,
        .dilation_h = o->dilation_h_factor,
        .dilation_w = o->dilation_w_factor,
    };
    if (weights->dim[0] != 1 || w->kernel_h < 1 || w->kernel_w < 1)
        return check_fail(c, n, "weights have shape %s; supported: [1, height, width, channels]",
                          air_shape_text(c->arena, weights));
    if (w->in_c < 1 || w->out_c < 1 || w->out_c % w->in_c)
        return check_fail(c, n, "weights %s have %d channels, which is no multiple of the input's %d",
                          air_shape_text(c->arena, weights), w->out_c, w->in_c);
    return place_conv_window(c, n, (Padding)o->padding, &o->explicit_padding, w);
}

static bool infer(const HeliaOpContext *c, AirNode *n)
{
    helia_conv_window w;
    if (!place_window(c, n, &w))
        return false;
    return infer_output(c, n, 0, 4, (const int32_t[]){w.batches, w.out_h, w.out_w, w.out_c});
}

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    const DepthwiseConv2DOptions *o = n->options;
    int32_t multiplier = n->in[1]->dim[3] / n->in[0]->dim[3];
    if (o->depth_multiplier != multiplier)
        helia_warn(c->diag, air_node_loc(c->graph, n), "depth_multiplier is %d; the shapes say %d, and that is taken",
                   o->depth_multiplier, multiplier);
    bool ok = check_weights(c, n, 3, n->in[1]->dim[3], false);
    if (!check_activation(c, n, o->fused_activation_function) || !ok)
        return false;
    WindowLayer *layer = HELIA_NEW(c->arena, WindowLayer);
    n->facts = layer;
    if (n->out[0]->type != AIR_F32)
        activation_range((Activation)o->fused_activation_function, n->out[0], &layer->min, &layer->max);
    return place_window(c, n, &layer->window);
}

/* ---- kernels ---------------------------------------------------------------------------------- */
static bool prepare_s8(const HeliaOpContext *c, AirNode *n)
{
    const WindowLayer *layer = n->facts;
    helia_depthwise_conv_2d_s8_params *p = HELIA_NEW(c->arena, helia_depthwise_conv_2d_s8_params);
    AirTensor *multipliers, *shifts;
    if (!weights_multipliers(c, n, (uint32_t)layer->window.out_c, &multipliers, &shifts))
        return false;
    p->window = layer->window;
    p->depth_multiplier = p->window.out_c / p->window.in_c;
    p->in_zero = zero_of(n->in[0]);
    p->out_zero = zero_of(n->out[0]);
    p->min = layer->min;
    p->max = layer->max;
    n->params = p;
    weights_args(c, n, multipliers, shifts);
    return true;
}

static bool prepare_ns_cmsis_nn(const HeliaOpContext *c, AirNode *n)
{
    if (!prepare_s8(c, n))
        return false;
    const helia_depthwise_conv_2d_s8_params *p = n->params;
    const int32_t taps = p->window.kernel_h * p->window.kernel_w;
    cmsis_nn_add_sums(c, n, p->window.out_c, 1, taps, p->window.out_c);
    return true;
}

static bool prepare_s16(const HeliaOpContext *c, AirNode *n)
{
    const WindowLayer *layer = n->facts;
    helia_depthwise_conv_2d_s16_params *p = HELIA_NEW(c->arena, helia_depthwise_conv_2d_s16_params);
    AirTensor *multipliers, *shifts;
    if (!weights_multipliers_s16(c, n, (uint32_t)layer->window.out_c, &multipliers, &shifts))
        return false;
    p->window = layer->window;
    p->depth_multiplier = p->window.out_c / p->window.in_c;
    p->min = layer->min;
    p->max = layer->max;
    n->params = p;
    weights_args(c, n, multipliers, shifts);
    return true;
}

static const char *lanes_misfit(const AirNode *n)
{
    const helia_conv_window *w = &((const WindowLayer *)n->facts)->window;
    if (w->in_c != w->out_c)
        return "the depth multiplier is not 1";
    return w->kernel_h > HELIA_DEPTHWISE_S16_TAPS / w->kernel_w ? "the kernel is too large for sums of 32 bits" : NULL;
}

static const char *fits_s16_simd_wide(const HeliaOpContext *c, const AirNode *n)
{
    const char *why = fits_s16_wide(c, n);
    return why ? why : lanes_misfit(n);
}

static const char *fits_s16_simd_narrow(const HeliaOpContext *c, const AirNode *n)
{
    const char *why = fits_s16_narrow(c, n);
    return why ? why : lanes_misfit(n);
}

static bool prepare_f32(const HeliaOpContext *c, AirNode *n)
{
    const DepthwiseConv2DOptions *o = n->options;
    helia_depthwise_conv_2d_f32_params *p = HELIA_NEW(c->arena, helia_depthwise_conv_2d_f32_params);
    p->window = ((const WindowLayer *)n->facts)->window;
    p->depth_multiplier = p->window.out_c / p->window.in_c;
    activation_range_float((Activation)o->fused_activation_function, &p->min, &p->max);
    n->params = p;
    air_arg(n, c->graph, n->in[0], false);
    air_arg(n, c->graph, n->in[1], false);
    air_arg(n, c->graph, weights_bias(n), false);
    air_arg(n, c->graph, n->out[0], true);
    return true;
}

static const char *fits_cmsis_nn(const HeliaOpContext *c, const AirNode *n)
{
    const char *why = fits_weights_s8(c, n);
    const WindowLayer *layer = n->facts;
    return why ? why : layer->window.in_c == 1 ? "there is one input channel, which makes it a convolution" : NULL;
}

static const HeliaKernel kernels[] = {
    CMSIS_NN_ROWS(HELIA_LIB_NS_CMSIS_NN, "helia_depthwise_conv_2d_s8_ns_cmsis_nn", fits_cmsis_nn, prepare_ns_cmsis_nn,
                  helia_depthwise_conv_2d_cmsis_nn),
    CMSIS_NN_ROWS(HELIA_LIB_CMSIS_NN, "helia_depthwise_conv_2d_s8_cmsis_nn", fits_cmsis_nn, prepare_s8,
                  helia_depthwise_conv_2d_cmsis_nn),
    {"helia_depthwise_conv_2d_s8_compact_mve", "depthwise_conv_2d/helia_depthwise_conv_2d_s8_compact_mve.c",
     HELIA_ISA_MVE, "int8", depthwise_compact_mve_fits, depthwise_compact_mve_prepare,
     helia_depthwise_conv_2d_s8_mve_scratch,
     "helia_depthwise_conv_2d_s8_mve_core.c helia_depthwise_conv_2d_s8_mve_core_c.c",
     "depthwise_conv_2d/helia_depthwise_conv_2d_s8_mve_body.h", depthwise_mve_emit},
    {"helia_depthwise_conv_2d_s8_mve", "depthwise_conv_2d/helia_depthwise_conv_2d_s8_mve.c", HELIA_ISA_MVE, "int8",
     depthwise_mve_fits, depthwise_mve_prepare, helia_depthwise_conv_2d_s8_mve_scratch,
     "helia_depthwise_conv_2d_s8_mve_core.c helia_depthwise_conv_2d_s8_mve_core_c.c",
     "depthwise_conv_2d/helia_depthwise_conv_2d_s8_mve_body.h", depthwise_mve_emit},
    {"helia_depthwise_conv_2d_s8_general_mve", "depthwise_conv_2d/helia_depthwise_conv_2d_s8_general_mve.c",
     HELIA_ISA_MVE, "int8", depthwise_general_mve_fits, depthwise_general_mve_prepare, NULL, NULL,
     "depthwise_conv_2d/helia_depthwise_conv_2d_s8_general_mve_body.h", depthwise_general_mve_emit},
    {"helia_depthwise_conv_2d_s8_dsp", "depthwise_conv_2d/helia_depthwise_conv_2d_s8_dsp.c", HELIA_ISA_DSP, "int8",
     depthwise_dsp_fits, depthwise_dsp_prepare, helia_depthwise_conv_2d_s8_dsp_scratch,
     "helia_depthwise_conv_2d_s8_dsp_core.c helia_depthwise_conv_2d_s8_dsp_core_c.c",
     "depthwise_conv_2d/helia_depthwise_conv_2d_s8_dsp_body.h", depthwise_dsp_emit},
    {"helia_depthwise_conv_2d_s8_general_dsp", "depthwise_conv_2d/helia_depthwise_conv_2d_s8_general_dsp.c",
     HELIA_ISA_DSP, "int8", depthwise_general_dsp_fits, depthwise_general_dsp_prepare, NULL, NULL,
     "depthwise_conv_2d/helia_depthwise_conv_2d_s8_general_dsp_body.h", depthwise_general_dsp_emit},
    {"helia_depthwise_conv_2d_s8_x86", "depthwise_conv_2d/helia_depthwise_conv_2d_s8_x86.c", HELIA_ISA_X86, "int8",
     depthwise_x86_fits, depthwise_x86_prepare, helia_depthwise_conv_2d_s8_x86_scratch, NULL,
     "depthwise_conv_2d/helia_depthwise_conv_2d_s8_x86_body.h", depthwise_x86_emit},
    {"helia_depthwise_conv_2d_s8_c", "depthwise_conv_2d/helia_depthwise_conv_2d_s8_c.c", HELIA_ISA_C, "int8",
     fits_weights_s8, prepare_s8, NULL},
    {"helia_depthwise_conv_2d_s16_simd", "depthwise_conv_2d/helia_depthwise_conv_2d_s16_simd.c", HELIA_ISA_DSP, "int16",
     fits_s16_simd_wide, prepare_s16, NULL},
    {"helia_depthwise_conv_2d_s16_bias32_simd", "depthwise_conv_2d/helia_depthwise_conv_2d_s16_bias32_simd.c",
     HELIA_ISA_DSP, "int16", fits_s16_simd_narrow, prepare_s16, NULL},
    {"helia_depthwise_conv_2d_s16_c", "depthwise_conv_2d/helia_depthwise_conv_2d_s16_c.c", HELIA_ISA_C, "int16",
     fits_s16_wide, prepare_s16, NULL},
    {"helia_depthwise_conv_2d_s16_bias32_c", "depthwise_conv_2d/helia_depthwise_conv_2d_s16_bias32_c.c", HELIA_ISA_C,
     "int16", fits_s16_narrow, prepare_s16, NULL},
    {"helia_depthwise_conv_2d_f32_c", "depthwise_conv_2d/helia_depthwise_conv_2d_f32_c.c", HELIA_ISA_C, "float32",
     fits_weights_f32, prepare_f32, NULL},
};

/* ---- transform -------------------------------------------------------------------------------- */
/* int8 with one input channel: weights 1HWO become OHW1. */
static bool to_conv(const HeliaOpContext *c, AirNode *n)
{
    if (n->n_in < 2 || !n->in[0] || !n->in[1])
        return false;
    const AirTensor *in = n->in[0], *w = n->in[1];
    if (in->type != AIR_S8 || in->shape_is_open || in->rank != 4 || in->dim[3] != 1)
        return false;
    if (w->type != AIR_S8 || !w->data || !w->quant || w->rank != 4 || w->dim[0] != 1)
        return false;
    const int32_t taps = w->dim[1] * w->dim[2], channels = w->dim[3];
    if (w->quant->n != 1 && (w->quant->axis != 3 || w->quant->n != (uint32_t)channels))
        return false;
    const int8_t *from = w->data;
    int8_t *to = HELIA_NEW_N(c->arena, int8_t, (size_t)(taps * channels));
    for (int32_t k = 0; k < taps; k++)
        for (int32_t o = 0; o < channels; o++)
            to[o * taps + k] = from[k * channels + o];
    const int32_t dim[4] = {channels, w->dim[1], w->dim[2], 1};
    AirQuant *quant = HELIA_NEW(c->arena, AirQuant);
    *quant = *w->quant;
    quant->axis = 0;
    n->in[1] = air_constant_new(c->graph, w->name, AIR_S8, 4, dim, to);
    n->in[1]->quant = quant;
    return true;
}

/* ---- emission and evaluation ------------------------------------------------------------------ */
static void print_s8(HeliaOut *o, const void *params)
{
    const helia_depthwise_conv_2d_s8_params *p = params;
    print_conv_window(o, &p->window);
    PRINT_INT(o, p, depth_multiplier);
    PRINT_INT(o, p, in_zero);
    PRINT_INT(o, p, out_zero);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

static void print_s16(HeliaOut *o, const void *params)
{
    const helia_depthwise_conv_2d_s16_params *p = params;
    print_conv_window(o, &p->window);
    PRINT_INT(o, p, depth_multiplier);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

static void print_f32(HeliaOut *o, const void *params)
{
    const helia_depthwise_conv_2d_f32_params *p = params;
    print_conv_window(o, &p->window);
    PRINT_INT(o, p, depth_multiplier);
    PRINT_FLOAT(o, p, min);
    PRINT_FLOAT(o, p, max);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    if (n->kernel->emit)
        return n->kernel->emit(e, n);
    if (n->out[0]->type == AIR_F32)
        return helia_emit_kernel_call(e, n, "helia_depthwise_conv_2d_f32_params", print_f32);
    if (n->out[0]->type == AIR_S16)
        return helia_emit_kernel_call(e, n, "helia_depthwise_conv_2d_s16_params", print_s16);
    return helia_emit_kernel_call(e, n, "helia_depthwise_conv_2d_s8_params", print_s8);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    void *a[6];
    helia_eval_args(v, n, a);
    if (n->out[0]->type == AIR_F32)
        helia_depthwise_conv_2d_f32_c(n->params, a[0], a[1], a[2], a[3]);
    else if (n->out[0]->type == AIR_S16 && weights_sum_wide(n))
        helia_depthwise_conv_2d_s16_c(n->params, a[0], a[1], a[2], a[3], a[4], a[5]);
    else if (n->out[0]->type == AIR_S16)
        helia_depthwise_conv_2d_s16_bias32_c(n->params, a[0], a[1], a[2], a[3], a[4], a[5]);
    else
        helia_depthwise_conv_2d_s8_c(n->params, a[0], a[1], a[2], a[3], a[4], a[5]);
    return true;
}

static const HeliaOpClass op_class = {
    .type = "DEPTHWISE_CONV_2D",
    .doc = "2-D convolution of each channel by itself, with multiplier, dilation and fused activation",
    .traits = HELIA_OP_CLAMPS,
    .min_in = 2,
    .max_in = 3,
    .n_out = 1,
    .infer = infer,
    .on_resolve = resolve,
    .kernels = kernels,
    .n_kernels = FIELD_COUNT(kernels),
    .emit = emit,
    .eval = eval,
    .to_conv = to_conv,
};

bool op_depthwise_conv_2d_register(HeliaRegistryContext *r)
{
    return helia_register_op(r, &op_class, &parser, &options_class);
}
