/* CONV_2D: input NHWC, weights OHWI, optional bias, fused activation, groups where the weights have fewer input channels
 * than the input. int8 and int16 (weights int8 or int4, per channel or per tensor) and float32. */
#include <helia_aot/emit.h>

#include "helia_conv_2d.h"
#include "helia_conv_2d_cmsis_nn.h"
#include "helia_conv_2d_s8_general_mve.h"
#include "helia_conv_2d_s8_dsp.h"
#include "helia_conv_2d_s8_groups_dsp.h"
#include "helia_conv_2d_s8_mve.h"
#include "helia_conv_2d_s8_plain_dsp.h"
#include "helia_conv_2d_s8_winograd_dsp.h"
#include "helia_fully_connected_s8_dsp.h"
#include "helia_conv_2d_s8_x86.h"
#include "pack/conv_dense.h"
#include "pack/conv_dsp.h"
#include "pack/conv_general_mve.h"
#include "pack/conv_groups_dsp.h"
#include "pack/conv_mve.h"
#include "pack/conv_plain_dsp.h"
#include "pack/fully_connected_dsp.h"
#include "pack/fully_connected_mve.h"
#include "pack/conv_x86.h"
#include "op/op_list.h"
#include "pack/cmsis_nn.h"
#include "op/weights.h"
#include "pack/winograd_dsp.h"

typedef struct Conv2DOptions {
    int32_t padding;
    int32_t stride_w, stride_h;
    int32_t fused_activation_function;
    int32_t dilation_w_factor, dilation_h_factor;
    ExplicitPadding explicit_padding; /* none in a file */
} Conv2DOptions;

static const HeliaField fields[] = {
    FIELD_ENUM(Conv2DOptions, padding, padding_names),
    FIELD_INT(Conv2DOptions, stride_w),
    FIELD_INT(Conv2DOptions, stride_h),
    FIELD_ENUM(Conv2DOptions, fused_activation_function, activation_names),
    FIELD_INT(Conv2DOptions, dilation_w_factor),
    FIELD_INT(Conv2DOptions, dilation_h_factor),
    FIELD_EXPLICIT_PADDING(Conv2DOptions),
};
static const HeliaOptionsClass options_class = {"Conv2DOptions", sizeof(Conv2DOptions), fields, FIELD_COUNT(fields)};

static bool parse(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self;
    static const char table[] = "Conv2DOptions";
    Conv2DOptions *o = node->options;
    o->padding = (int32_t)litert_opt_int(p->op, table, "padding", PADDING_SAME);
    o->stride_w = (int32_t)litert_opt_int(p->op, table, "stride_w", 0);
    o->stride_h = (int32_t)litert_opt_int(p->op, table, "stride_h", 0);
    o->fused_activation_function = (int32_t)litert_opt_int(p->op, table, "fused_activation_function", ACT_NONE);
    o->dilation_w_factor = (int32_t)litert_opt_int(p->op, table, "dilation_w_factor", 1);
    o->dilation_h_factor = (int32_t)litert_opt_int(p->op, table, "dilation_h_factor", 1);
    return true;
}
static const HeliaLitertParser parser = {parse, NULL};

/* ---- shapes ----------------------------------------------------------------------------------- */
static bool place_window(const HeliaOpContext *c, const AirNode *n, helia_conv_window *w)
{
    const Conv2DOptions *o = n->options;
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
        .out_c = weights->dim[0],
        .kernel_h = weights->dim[1],
        .kernel_w = weights->dim[2],
        .stride_h = o->stride_h,
        .stride_w = o->stride_w,
        .dilation_h = o->dilation_h_factor,
        .dilation_w = o->dilation_w_factor,
    };
    if (w->kernel_h < 1 || w->kernel_w < 1 || weights->dim[3] < 1 || w->in_c % weights->dim[3])
        return check_fail(
            c, n, "weights %s have %d input channels, the input has %d; they must be equal or divide it (groups)",
            air_shape_text(c->arena, weights), weights->dim[3], w->in_c);
    int32_t groups = w->in_c / weights->dim[3];
    if (groups == 0 || w->out_c % groups)
        return check_fail(c, n, "%d output channels cannot be divided into %d groups", w->out_c, groups);
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
    const Conv2DOptions *o = n->options;
    bool ok = check_weights(c, n, 0, n->in[1]->dim[0], false);
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
    helia_conv_2d_s8_params *p = HELIA_NEW(c->arena, helia_conv_2d_s8_params);
    AirTensor *multipliers, *shifts;
    if (!weights_multipliers(c, n, (uint32_t)layer->window.out_c, &multipliers, &shifts))
        return false;
    p->window = layer->window;
    p->filter_c = n->in[1]->dim[3];
    p->group_out = p->window.out_c / (p->window.in_c / p->filter_c);
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
    const helia_conv_2d_s8_params *p = n->params;
    const int32_t taps = p->window.kernel_h * p->window.kernel_w * p->filter_c;
    cmsis_nn_add_sums(c, n, p->window.out_c, taps, taps, 1);
    return true;
}

static bool prepare_s16(const HeliaOpContext *c, AirNode *n)
{
    const WindowLayer *layer = n->facts;
    helia_conv_2d_s16_params *p = HELIA_NEW(c->arena, helia_conv_2d_s16_params);
    AirTensor *multipliers, *shifts;
    if (!weights_multipliers_s16(c, n, (uint32_t)layer->window.out_c, &multipliers, &shifts))
        return false;
    p->window = layer->window;
    p->filter_c = n->in[1]->dim[3];
    p->group_out = p->window.out_c / (p->window.in_c / p->filter_c);
    p->min = layer->min;
    p->max = layer->max;
    n->params = p;
    weights_args(c, n, multipliers, shifts);
    return true;
}

static bool prepare_f32(const HeliaOpContext *c, AirNode *n)
{
    const Conv2DOptions *o = n->options;
    helia_conv_2d_f32_params *p = HELIA_NEW(c->arena, helia_conv_2d_f32_params);
    p->window = ((const WindowLayer *)n->facts)->window;
    p->filter_c = n->in[1]->dim[3];
    p->group_out = p->window.out_c / (p->window.in_c / p->filter_c);
    activation_range_float((Activation)o->fused_activation_function, &p->min, &p->max);
    n->params = p;
    air_arg(n, c->graph, n->in[0], false);
    air_arg(n, c->graph, n->in[1], false);
    air_arg(n, c->graph, weights_bias(n), false);
    air_arg(n, c->graph, n->out[0], true);
    return true;
}

static const HeliaKernel kernels[] = {
    CMSIS_NN_ROWS(HELIA_LIB_NS_CMSIS_NN, "helia_conv_2d_s8_ns_cmsis_nn", fits_weights_s8, prepare_ns_cmsis_nn,
                  helia_conv_2d_cmsis_nn),
    CMSIS_NN_ROWS(HELIA_LIB_CMSIS_NN, "helia_conv_2d_s8_cmsis_nn", fits_weights_s8, prepare_s8, helia_conv_2d_cmsis_nn),
    {"helia_fully_connected_per_channel_s8_mve", "fully_connected/helia_fully_connected_per_channel_s8_mve.c",
     HELIA_ISA_MVE, "int8", conv_dense_mve_fits, conv_dense_mve_prepare, NULL,
     "helia_fully_connected_s8_mve_core.c helia_fully_connected_s8_mve_core_c.c",
     "fully_connected/helia_fully_connected_s8_mve_body.h", fully_connected_mve_emit},
    {"helia_conv_2d_s8_mve", "conv_2d/helia_conv_2d_s8_mve.c", HELIA_ISA_MVE, "int8", conv_mve_fits, conv_mve_prepare,
     helia_conv_2d_s8_mve_scratch, "helia_conv_2d_s8_mve_core.c helia_conv_2d_s8_mve_core_c.c",
     "conv_2d/helia_conv_2d_s8_mve_body.h", conv_mve_emit},
    {"helia_conv_2d_s8_general_mve", "conv_2d/helia_conv_2d_s8_general_mve.c", HELIA_ISA_MVE, "int8",
     conv_general_mve_fits, conv_general_mve_prepare, helia_conv_2d_s8_general_mve_scratch,
     "helia_conv_2d_s8_mve_core.c helia_conv_2d_s8_mve_core_c.c", "conv_2d/helia_conv_2d_s8_general_mve_body.h",
     conv_general_mve_emit},
    {"helia_fully_connected_s8_dsp", "fully_connected/helia_fully_connected_s8_dsp.c", HELIA_ISA_DSP, "int8",
     conv_dense_dsp_fits, conv_dense_dsp_prepare, helia_fully_connected_s8_dsp_scratch,
     "helia_fully_connected_s8_dsp_core.c helia_fully_connected_s8_dsp_core_c.c",
     "fully_connected/helia_fully_connected_s8_dsp_body.h", fully_connected_dsp_emit},
    {"helia_conv_2d_s8_winograd_dsp", "conv_2d/helia_conv_2d_s8_winograd_dsp.c", HELIA_ISA_DSP, "int8",
     winograd_dsp_fits, winograd_dsp_prepare, helia_conv_2d_s8_winograd_dsp_scratch,
     "helia_conv_2d_s8_winograd_dsp_core.c helia_conv_2d_s8_winograd_dsp_core_c.c",
     "conv_2d/helia_conv_2d_s8_winograd_dsp_body.h", winograd_dsp_emit},
    {"helia_conv_2d_s8_dsp", "conv_2d/helia_conv_2d_s8_dsp.c", HELIA_ISA_DSP, "int8", conv_dsp_fits, conv_dsp_prepare,
     helia_conv_2d_s8_dsp_scratch, "helia_conv_2d_s8_dsp_core.c helia_conv_2d_s8_dsp_core_c.c",
     "conv_2d/helia_conv_2d_s8_dsp_body.h", conv_dsp_emit},
    {"helia_conv_2d_s8_plain_dsp", "conv_2d/helia_conv_2d_s8_plain_dsp.c", HELIA_ISA_DSP, "int8", conv_plain_dsp_fits,
     conv_plain_dsp_prepare, helia_conv_2d_s8_plain_dsp_scratch, NULL, "conv_2d/helia_conv_2d_s8_plain_dsp_body.h",
     conv_plain_dsp_emit},
    {"helia_conv_2d_s8_groups_dsp", "conv_2d/helia_conv_2d_s8_groups_dsp.c", HELIA_ISA_DSP, "int8",
     conv_groups_dsp_fits, conv_groups_dsp_prepare, helia_conv_2d_s8_groups_dsp_scratch, NULL,
     "conv_2d/helia_conv_2d_s8_groups_dsp_body.h", conv_groups_dsp_emit},
    {"helia_conv_2d_s8_x86", "conv_2d/helia_conv_2d_s8_x86.c", HELIA_ISA_X86, "int8", conv_x86_fits, conv_x86_prepare,
     helia_conv_2d_s8_x86_scratch, NULL, "conv_2d/helia_conv_2d_s8_x86_body.h", conv_x86_emit},
    {"helia_conv_2d_s8_c", "conv_2d/helia_conv_2d_s8_c.c", HELIA_ISA_C, "int8", fits_weights_s8, prepare_s8, NULL},
    {"helia_conv_2d_s16_simd", "conv_2d/helia_conv_2d_s16_simd.c", HELIA_ISA_DSP, "int16", fits_s16_wide, prepare_s16,
     NULL},
    {"helia_conv_2d_s16_bias32_simd", "conv_2d/helia_conv_2d_s16_bias32_simd.c", HELIA_ISA_DSP, "int16",
     fits_s16_narrow, prepare_s16, NULL},
    {"helia_conv_2d_s16_c", "conv_2d/helia_conv_2d_s16_c.c", HELIA_ISA_C, "int16", fits_s16_wide, prepare_s16, NULL},
    {"helia_conv_2d_s16_bias32_c", "conv_2d/helia_conv_2d_s16_bias32_c.c", HELIA_ISA_C, "int16", fits_s16_narrow,
     prepare_s16, NULL},
    {"helia_conv_2d_f32_c", "conv_2d/helia_conv_2d_f32_c.c", HELIA_ISA_C, "float32", fits_weights_f32, prepare_f32,
     NULL},
};

/* ---- emission and evaluation ------------------------------------------------------------------ */
static void print_s8(HeliaOut *o, const void *params)
{
    const helia_conv_2d_s8_params *p = params;
    print_conv_window(o, &p->window);
    PRINT_INT(o, p, filter_c);
    PRINT_INT(o, p, group_out);
    PRINT_INT(o, p, in_zero);
    PRINT_INT(o, p, out_zero);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

static void print_s16(HeliaOut *o, const void *params)
{
    const helia_conv_2d_s16_params *p = params;
    print_conv_window(o, &p->window);
    PRINT_INT(o, p, filter_c);
    PRINT_INT(o, p, group_out);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

static void print_f32(HeliaOut *o, const void *params)
{
    const helia_conv_2d_f32_params *p = params;
    print_conv_window(o, &p->window);
    PRINT_INT(o, p, filter_c);
    PRINT_INT(o, p, group_out);
    PRINT_FLOAT(o, p, min);
    PRINT_FLOAT(o, p, max);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    if (n->kernel->emit)
        return n->kernel->emit(e, n);
    if (n->out[0]->type == AIR_F32)
        return helia_emit_kernel_call(e, n, "helia_conv_2d_f32_params", print_f32);
    if (n->out[0]->type == AIR_S16)
        return helia_emit_kernel_call(e, n, "helia_conv_2d_s16_params", print_s16);
    return helia_emit_kernel_call(e, n, "helia_conv_2d_s8_params", print_s8);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    void *a[6];
    helia_eval_args(v, n, a);
    if (n->out[0]->type == AIR_F32)
        helia_conv_2d_f32_c(n->params, a[0], a[1], a[2], a[3]);
    else if (n->out[0]->type == AIR_S16 && weights_sum_wide(n))
        helia_conv_2d_s16_c(n->params, a[0], a[1], a[2], a[3], a[4], a[5]);
    else if (n->out[0]->type == AIR_S16)
        helia_conv_2d_s16_bias32_c(n->params, a[0], a[1], a[2], a[3], a[4], a[5]);
    else
        helia_conv_2d_s8_c(n->params, a[0], a[1], a[2], a[3], a[4], a[5]);
    return true;
}

static const HeliaOpClass op_class = {
    .type = "CONV_2D",
    .doc = "2-D convolution with bias, groups, dilation and fused activation",
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
};

bool op_conv_2d_register(HeliaRegistryContext *r)
{
    return helia_register_op(r, &op_class, &parser, &options_class);
}
