/* FULLY_CONNECTED: the input as rows of the weights' depth, weights [units][depth], optional bias, fused activation.
 * int8 and int16 (weights int8 or int4, per tensor with any zero point or per channel) and float32. */
#include <helia_aot/emit.h>

#include <string.h>

#include "helia_fully_connected.h"
#include "helia_fully_connected_s8_dsp.h"
#include "helia_fully_connected_s8_x86.h"
#include "pack/fully_connected_dsp.h"
#include "pack/fully_connected_mve.h"
#include "pack/fully_connected_plain_dsp.h"
#include "pack/fully_connected_x86.h"
#include "op/op_list.h"
#include "pack/cmsis_nn.h"
#include "op/weights.h"

typedef struct FullyConnectedOptions {
    int32_t fused_activation_function;
    int32_t weights_format;
    bool keep_num_dims;
} FullyConnectedOptions;

static const char *const format_names[] = {"DEFAULT", "SHUFFLED4x16INT8", NULL};
static const HeliaField fields[] = {
    FIELD_ENUM(FullyConnectedOptions, fused_activation_function, activation_names),
    FIELD_ENUM(FullyConnectedOptions, weights_format, format_names),
    FIELD_BOOL(FullyConnectedOptions, keep_num_dims),
};
static const HeliaOptionsClass options_class = {"FullyConnectedOptions", sizeof(FullyConnectedOptions), fields,
                                                FIELD_COUNT(fields)};

static bool parse(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self;
    static const char table[] = "FullyConnectedOptions";
    FullyConnectedOptions *o = node->options;
    o->fused_activation_function = (int32_t)litert_opt_int(p->op, table, "fused_activation_function", ACT_NONE);
    o->weights_format = (int32_t)litert_opt_int(p->op, table, "weights_format", 0);
    o->keep_num_dims = litert_opt_int(p->op, table, "keep_num_dims", 0) != 0;
    return true;
}
static const HeliaLitertParser parser = {parse, NULL};

/* ---- shapes ----------------------------------------------------------------------------------- */
static bool infer(const HeliaOpContext *c, AirNode *n)
{
    const FullyConnectedOptions *o = n->options;
    const AirTensor *in = n->in[0], *weights = n->in[1];
    if (!check_rank(c, n, weights, "weights", 2, 2))
        return false;
    int32_t depth = weights->dim[1], units = weights->dim[0];
    if (depth < 1 || units < 1 || air_count(in) % depth)
        return check_fail(c, n, "input %s cannot be divided into rows of %d, the depth of weights %s",
                          air_shape_text(c->arena, in), depth, air_shape_text(c->arena, weights));
    if (!o->keep_num_dims)
        return infer_output(c, n, 0, 2, (const int32_t[]){(int32_t)(air_count(in) / depth), units});
    if (in->rank < 1 || in->dim[in->rank - 1] != depth)
        return check_fail(c, n,
                          "keep_num_dims is set and the last dimension of input %s is not %d, the depth of the weights",
                          air_shape_text(c->arena, in), depth);
    int32_t dim[AIR_MAX_RANK];
    memcpy(dim, in->dim, sizeof(dim));
    dim[in->rank - 1] = units;
    return infer_output(c, n, 0, in->rank, dim);
}

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    const FullyConnectedOptions *o = n->options;
    bool ok = check_weights(c, n, 0, n->in[1]->dim[0], true);
    if (o->weights_format != 0)
        ok = check_fail(c, n, "weights_format is %d; supported: DEFAULT (0)", o->weights_format);
    if (!check_activation(c, n, o->fused_activation_function) || !ok)
        return false;
    const AirTensor *weights = n->in[1];
    DenseLayer *layer = HELIA_NEW(c->arena, DenseLayer);
    layer->depth = weights->dim[1];
    layer->units = weights->dim[0];
    layer->rows = (int32_t)(air_count(n->in[0]) / layer->depth);
    if (n->out[0]->type != AIR_F32) {
        layer->per_channel = weights->quant->n > 1;
        /* The product of the two scales is rounded to float32, as TFLite Micro does for one scale. */
        layer->scale = (double)(scale_of(n->in[0]) * scale_of(weights)) / (double)scale_of(n->out[0]);
        activation_range((Activation)o->fused_activation_function, n->out[0], &layer->min, &layer->max);
    }
    n->facts = layer;
    return true;
}

/* ---- kernels ---------------------------------------------------------------------------------- */
static bool has_channels(const AirNode *n)
{
    return ((const DenseLayer *)n->facts)->per_channel;
}

static const char *fits_per_channel(const HeliaOpContext *c, const AirNode *n)
{
    const char *why = fits_weights_s8(c, n);
    return why ? why : has_channels(n) ? NULL : "the weights have one scale";
}

static const char *fits_per_tensor(const HeliaOpContext *c, const AirNode *n)
{
    const char *why = fits_weights_s8(c, n);
    return why ? why : has_channels(n) ? "the weights have a scale for each channel" : NULL;
}

static helia_fully_connected_s8_params *params_s8(const HeliaOpContext *c, AirNode *n)
{
    const DenseLayer *layer = n->facts;
    helia_fully_connected_s8_params *p = HELIA_NEW(c->arena, helia_fully_connected_s8_params);
    p->depth = layer->depth;
    p->units = layer->units;
    p->rows = layer->rows;
    p->in_zero = zero_of(n->in[0]);
    p->weights_zero = layer->per_channel ? 0 : zero_of(n->in[1]);
    p->out_zero = zero_of(n->out[0]);
    p->min = layer->min;
    p->max = layer->max;
    n->params = p;
    return p;
}

static bool prepare_per_tensor(const HeliaOpContext *c, AirNode *n)
{
    const DenseLayer *layer = n->facts;
    helia_fully_connected_s8_params *p = params_s8(c, n);
    air_arg(n, c->graph, n->in[0], false);
    air_arg(n, c->graph, weights_as_int8(c, n), false);
    air_arg(n, c->graph, weights_bias(n), false);
    air_arg(n, c->graph, n->out[0], true);
    return check_multiplier(c, n, "the weights", layer->scale, &p->multiplier, &p->shift);
}

static bool prepare_per_channel(const HeliaOpContext *c, AirNode *n)
{
    AirTensor *multipliers, *shifts;
    const helia_fully_connected_s8_params *p = params_s8(c, n);
    if (!weights_multipliers(c, n, (uint32_t)p->units, &multipliers, &shifts))
        return false;
    weights_args(c, n, multipliers, shifts);
    return true;
}

/* The library's MVE kernels take the weights' sums, which have no place for a zero point of the weights. */
static const char *fits_tensor_cmsis_nn(const HeliaOpContext *c, const AirNode *n)
{
    const char *why = fits_per_tensor(c, n);
    bool sums = (c->target->isa & HELIA_ISA_MVE) != 0;
    return why ? why : sums && zero_of(n->in[1]) ? "the weights have a zero point" : NULL;
}

static bool add_sums(const HeliaOpContext *c, AirNode *n)
{
    const DenseLayer *layer = n->facts;
    cmsis_nn_add_sums(c, n, layer->units, layer->depth, layer->depth, 1);
    return true;
}

static bool prepare_tensor_cmsis_nn(const HeliaOpContext *c, AirNode *n)
{
    return prepare_per_tensor(c, n) && add_sums(c, n);
}

static bool prepare_channel_cmsis_nn(const HeliaOpContext *c, AirNode *n)
{
    return prepare_per_channel(c, n) && add_sums(c, n);
}

static bool prepare_s16(const HeliaOpContext *c, AirNode *n)
{
    const DenseLayer *layer = n->facts;
    helia_fully_connected_s16_params *p = HELIA_NEW(c->arena, helia_fully_connected_s16_params);
    AirTensor *multipliers, *shifts;
    p->depth = layer->depth;
    p->units = layer->units;
    p->rows = layer->rows;
    p->weights_zero = layer->per_channel ? 0 : zero_of(n->in[1]);
    p->scale_step = layer->per_channel ? 1 : 0;
    p->min = layer->min;
    p->max = layer->max;
    n->params = p;
    if (layer->per_channel ? !weights_multipliers_s16(c, n, (uint32_t)p->units, &multipliers, &shifts)
                           : !weights_factors_s16(c, n, 1, &layer->scale, &multipliers, &shifts))
        return false;
    weights_args(c, n, multipliers, shifts);
    return true;
}

static const char *weights_zero_misfit(const AirNode *n)
{
    const DenseLayer *layer = n->facts;
    return !layer->per_channel && zero_of(n->in[1]) != 0 ? "the weights have a zero point" : NULL;
}

static const char *fits_s16_simd_wide(const HeliaOpContext *c, const AirNode *n)
{
    const char *why = fits_s16_wide(c, n);
    return why ? why : weights_zero_misfit(n);
}

static const char *fits_s16_simd_narrow(const HeliaOpContext *c, const AirNode *n)
{
    const char *why = fits_s16_narrow(c, n);
    return why ? why : weights_zero_misfit(n);
}

static bool prepare_f32(const HeliaOpContext *c, AirNode *n)
{
    const FullyConnectedOptions *o = n->options;
    const DenseLayer *layer = n->facts;
    helia_fully_connected_f32_params *p = HELIA_NEW(c->arena, helia_fully_connected_f32_params);
    p->depth = layer->depth;
    p->units = layer->units;
    p->rows = layer->rows;
    activation_range_float((Activation)o->fused_activation_function, &p->min, &p->max);
    n->params = p;
    air_arg(n, c->graph, n->in[0], false);
    air_arg(n, c->graph, n->in[1], false);
    air_arg(n, c->graph, weights_bias(n), false);
    air_arg(n, c->graph, n->out[0], true);
    return true;
}

#define ROW(symbol, types, fits, prepare)                                                                              \
    {                                                                                                                  \
        symbol, "fully_connected/" symbol ".c", HELIA_ISA_C, types, fits, prepare, NULL                                \
    }
static const HeliaKernel kernels[] = {
    CMSIS_NN_ROW(HELIA_LIB_CMSIS_NN, "helia_fully_connected_s8_cmsis_nn", HELIA_ISA_C, fits_tensor_cmsis_nn,
                 prepare_tensor_cmsis_nn, NULL),
    CMSIS_NN_ROW(HELIA_LIB_CMSIS_NN, "helia_fully_connected_per_channel_s8_cmsis_nn", HELIA_ISA_C, fits_per_channel,
                 prepare_channel_cmsis_nn, NULL),
    {"helia_fully_connected_s8_mve", "fully_connected/helia_fully_connected_s8_mve.c", HELIA_ISA_MVE, "int8",
     fully_connected_mve_fits, fully_connected_mve_prepare, NULL,
     "helia_fully_connected_s8_mve_core.c helia_fully_connected_s8_mve_core_c.c",
     "fully_connected/helia_fully_connected_s8_mve_body.h", fully_connected_mve_emit},
    {"helia_fully_connected_per_channel_s8_mve", "fully_connected/helia_fully_connected_per_channel_s8_mve.c",
     HELIA_ISA_MVE, "int8", fully_connected_per_channel_mve_fits, fully_connected_mve_prepare, NULL,
     "helia_fully_connected_s8_mve_core.c helia_fully_connected_s8_mve_core_c.c",
     "fully_connected/helia_fully_connected_s8_mve_body.h", fully_connected_mve_emit},
    {"helia_fully_connected_s8_dsp", "fully_connected/helia_fully_connected_s8_dsp.c", HELIA_ISA_DSP, "int8",
     fully_connected_dsp_fits, fully_connected_dsp_prepare, helia_fully_connected_s8_dsp_scratch,
     "helia_fully_connected_s8_dsp_core.c helia_fully_connected_s8_dsp_core_c.c",
     "fully_connected/helia_fully_connected_s8_dsp_body.h", fully_connected_dsp_emit},
    {"helia_fully_connected_s8_plain_dsp", "fully_connected/helia_fully_connected_s8_plain_dsp.c", HELIA_ISA_DSP,
     "int8", fully_connected_plain_dsp_fits, fully_connected_plain_dsp_prepare, NULL, NULL,
     "fully_connected/helia_fully_connected_s8_plain_dsp_body.h", fully_connected_plain_dsp_emit},
    {"helia_fully_connected_s8_x86", "fully_connected/helia_fully_connected_s8_x86.c", HELIA_ISA_X86, "int8",
     fully_connected_x86_fits, fully_connected_x86_prepare, helia_fully_connected_s8_x86_scratch, NULL,
     "fully_connected/helia_fully_connected_s8_x86_body.h", fully_connected_x86_emit},
    ROW("helia_fully_connected_s8_c", "int8", fits_per_tensor, prepare_per_tensor),
    ROW("helia_fully_connected_per_channel_s8_c", "int8", fits_per_channel, prepare_per_channel),
    {"helia_fully_connected_s16_simd", "fully_connected/helia_fully_connected_s16_simd.c", HELIA_ISA_DSP, "int16",
     fits_s16_simd_wide, prepare_s16, NULL},
    {"helia_fully_connected_s16_bias32_simd", "fully_connected/helia_fully_connected_s16_bias32_simd.c", HELIA_ISA_DSP,
     "int16", fits_s16_simd_narrow, prepare_s16, NULL},
    ROW("helia_fully_connected_s16_c", "int16", fits_s16_wide, prepare_s16),
    ROW("helia_fully_connected_s16_bias32_c", "int16", fits_s16_narrow, prepare_s16),
    ROW("helia_fully_connected_f32_c", "float32", fits_weights_f32, prepare_f32),
};
#undef ROW

/* ---- emission and evaluation ------------------------------------------------------------------ */
static void print_s8(HeliaOut *o, const void *params)
{
    const helia_fully_connected_s8_params *p = params;
    PRINT_INT(o, p, rows);
    PRINT_INT(o, p, depth);
    PRINT_INT(o, p, units);
    PRINT_INT(o, p, in_zero);
    PRINT_INT(o, p, weights_zero);
    PRINT_INT(o, p, out_zero);
    PRINT_INT(o, p, multiplier);
    PRINT_INT(o, p, shift);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

static void print_s16(HeliaOut *o, const void *params)
{
    const helia_fully_connected_s16_params *p = params;
    PRINT_INT(o, p, rows);
    PRINT_INT(o, p, depth);
    PRINT_INT(o, p, units);
    PRINT_INT(o, p, weights_zero);
    PRINT_INT(o, p, scale_step);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

static void print_f32(HeliaOut *o, const void *params)
{
    const helia_fully_connected_f32_params *p = params;
    PRINT_INT(o, p, rows);
    PRINT_INT(o, p, depth);
    PRINT_INT(o, p, units);
    PRINT_FLOAT(o, p, min);
    PRINT_FLOAT(o, p, max);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    if (n->kernel->emit)
        return n->kernel->emit(e, n);
    if (n->out[0]->type == AIR_F32)
        return helia_emit_kernel_call(e, n, "helia_fully_connected_f32_params", print_f32);
    if (n->out[0]->type == AIR_S16)
        return helia_emit_kernel_call(e, n, "helia_fully_connected_s16_params", print_s16);
    return helia_emit_kernel_call(e, n, "helia_fully_connected_s8_params", print_s8);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    void *a[6];
    helia_eval_args(v, n, a);
    if (n->out[0]->type == AIR_F32)
        helia_fully_connected_f32_c(n->params, a[0], a[1], a[2], a[3]);
    else if (n->out[0]->type == AIR_S16 && weights_sum_wide(n))
        helia_fully_connected_s16_c(n->params, a[0], a[1], a[2], a[3], a[4], a[5]);
    else if (n->out[0]->type == AIR_S16)
        helia_fully_connected_s16_bias32_c(n->params, a[0], a[1], a[2], a[3], a[4], a[5]);
    else if (has_channels(n))
        helia_fully_connected_per_channel_s8_c(n->params, a[0], a[1], a[2], a[3], a[4], a[5]);
    else
        helia_fully_connected_s8_c(n->params, a[0], a[1], a[2], a[3]);
    return true;
}

static const HeliaOpClass op_class = {
    .type = "FULLY_CONNECTED",
    .doc = "matrix product with bias and fused activation",
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

bool op_fully_connected_register(HeliaRegistryContext *r)
{
    return helia_register_op(r, &op_class, &parser, &options_class);
}
