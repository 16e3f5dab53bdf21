/* LOGISTIC, RELU, RELU6, RELU_N1_TO_1 and RELU_0_TO_1: int8 through a table of all 256 results, and float32.
 * The int8 LOGISTIC is TensorFlow Lite Micro's fixed-point one; the RELUs rescale between the quantisation of input
 * and output as LiteRT does. */
#include <helia_aot/emit.h>

#include "helia_activation.h"
#include "helia_fixed_point.h"
#include "helia_lut.h"
#include "helia_math.h"
#include "op/check.h"
#include "op/op_list.h"
#include "op/print.h"

static bool parse(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self, (void)p, (void)node;
    return true;
}
static const HeliaLitertParser parser = {parse, NULL};

static bool infer(const HeliaOpContext *c, AirNode *n)
{
    return infer_output(c, n, 0, n->in[0]->rank, n->in[0]->dim);
}

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const int types[] = {AIR_S8, AIR_F32, -1};
    const AirTensor *in = n->in[0], *out = n->out[0];
    bool ok = check_in_type(c, n, 0, "input", types);
    if (in->type != out->type)
        ok = check_fail(c, n, "input is %s and output %s; they must be equal", air_type_doc(in->type),
                        air_type_doc(out->type));
    ok = check_per_tensor(c, n, in, "input") && ok;
    return check_per_tensor(c, n, out, "output") && ok;
}

static bool resolve_logistic(const HeliaOpContext *c, AirNode *n)
{
    return resolve(c, n) &&
           (n->out[0]->type != AIR_S8 || check_fixed_quant(c, n, n->out[0], "output", 1.0f / 256.0f, -128));
}

/* ---- kernels ---------------------------------------------------------------------------------- */
static void set_args(const HeliaOpContext *c, AirNode *n, const void *params, AirTensor *table)
{
    n->params = params;
    air_arg(n, c->graph, n->in[0], false);
    if (table)
        air_arg(n, c->graph, table, false);
    air_arg(n, c->graph, n->out[0], true);
}

static bool use_table(const HeliaOpContext *c, AirNode *n, const int8_t table[256])
{
    helia_lut_params *p = HELIA_NEW(c->arena, helia_lut_params);
    p->count = (int32_t)air_count(n->in[0]);
    const int32_t dim[] = {256};
    set_args(c, n, p, air_constant_new(c->graph, helia_format(c->arena, "%s_table", n->cname), AIR_S8, 1, dim, table));
    return true;
}

static bool prepare_logistic_s8(const HeliaOpContext *c, AirNode *n)
{
    const AirTensor *in = n->in[0];
    int8_t table[256];
    int32_t m, e;
    quantize_multiplier((double)scale_of(in) * (double)(1 << 27), &m, &e); /* to 4 integer and 27 fraction bits */
    const int32_t radius = input_radius(4, e);
    for (int32_t q = -128; q <= 127; q++) {
        int32_t x = q - zero_of(in);
        int32_t y = x <= -radius  ? -128
                    : x >= radius ? 127
                                  : helia_rdbp(helia_logistic(helia_requantize(x, m, e), 4), 23) - 128;
        table[q + 128] = (int8_t)helia_clamp(y, -128, 127);
    }
    return use_table(c, n, table);
}

static bool prepare_f32(const HeliaOpContext *c, AirNode *n)
{
    helia_activation_params *p = HELIA_NEW(c->arena, helia_activation_params);
    p->count = (int32_t)air_count(n->in[0]);
    set_args(c, n, p, NULL);
    return true;
}

/* A RELU's range is made of those of two fused activations: RELU_0_TO_1 has the low end of the one and the high end of
 * the other. */
typedef struct Relu {
    Activation lo, hi;
} Relu;
static const Relu relu6 = {ACT_RELU6, ACT_RELU6};
static const Relu relu = {ACT_RELU, ACT_RELU};
static const Relu relu_n1_to_1 = {ACT_RELU_N1_TO_1, ACT_RELU_N1_TO_1};
static const Relu relu_0_to_1 = {ACT_RELU, ACT_RELU_N1_TO_1};

static bool prepare_relu_s8(const HeliaOpContext *c, AirNode *n)
{
    const AirTensor *in = n->in[0], *out = n->out[0];
    const Relu *r = n->op->user;
    int32_t lo, hi, unused, m, e;
    activation_range(r->lo, out, &lo, &unused);
    activation_range(r->hi, out, &unused, &hi);
    const float factor = scale_of(in) / scale_of(out); /* in single precision, as the reference forms it */
    if (!check_multiplier(c, n, "the scales of input and output", (double)factor, &m, &e))
        return false;
    int8_t table[256];
    for (int32_t q = -128; q <= 127; q++) {
        int32_t y = helia_wrap_add(helia_requantize(q - zero_of(in), m, e), zero_of(out));
        table[q + 128] = (int8_t)helia_clamp(y, lo, hi);
    }
    return use_table(c, n, table);
}

static bool prepare_clamp_f32(const HeliaOpContext *c, AirNode *n)
{
    const Relu *r = n->op->user;
    helia_clamp_params *p = HELIA_NEW(c->arena, helia_clamp_params);
    float unused;
    p->count = (int32_t)air_count(n->in[0]);
    activation_range_float(r->lo, &p->min, &unused);
    activation_range_float(r->hi, &unused, &p->max);
    set_args(c, n, p, NULL);
    return true;
}

static const HeliaKernel logistic_kernels[] = {
    {"helia_lut_s8_c", "lut/helia_lut_s8_c.c", HELIA_ISA_C, "int8", fits_out_s8, prepare_logistic_s8, NULL},
    {"helia_logistic_f32_c", "activation/helia_logistic_f32_c.c", HELIA_ISA_C, "float32", fits_out_f32, prepare_f32,
     NULL},
};
static const HeliaKernel relu_kernels[] = {
    {"helia_lut_s8_c", "lut/helia_lut_s8_c.c", HELIA_ISA_C, "int8", fits_out_s8, prepare_relu_s8, NULL},
    {"helia_relu_f32_c", "activation/helia_relu_f32_c.c", HELIA_ISA_C, "float32", fits_out_f32, prepare_f32, NULL},
};
static const HeliaKernel clamp_kernels[] = {
    {"helia_lut_s8_c", "lut/helia_lut_s8_c.c", HELIA_ISA_C, "int8", fits_out_s8, prepare_relu_s8, NULL},
    {"helia_clamp_f32_c", "activation/helia_clamp_f32_c.c", HELIA_ISA_C, "float32", fits_out_f32, prepare_clamp_f32,
     NULL},
};

/* ---- emission and evaluation ------------------------------------------------------------------ */
static void print_lut(HeliaOut *o, const void *params)
{
    const helia_lut_params *p = params;
    PRINT_INT(o, p, count);
}

static void print_activation(HeliaOut *o, const void *params)
{
    const helia_activation_params *p = params;
    PRINT_INT(o, p, count);
}

static void print_clamp(HeliaOut *o, const void *params)
{
    const helia_clamp_params *p = params;
    PRINT_INT(o, p, count);
    PRINT_FLOAT(o, p, min);
    PRINT_FLOAT(o, p, max);
}

static bool emit_simple(HeliaEmitter *e, const AirNode *n)
{
    if (n->out[0]->type == AIR_S8)
        return helia_emit_kernel_call(e, n, "helia_lut_params", print_lut);
    return helia_emit_kernel_call(e, n, "helia_activation_params", print_activation);
}

static bool emit_clamp(HeliaEmitter *e, const AirNode *n)
{
    if (n->out[0]->type == AIR_S8)
        return helia_emit_kernel_call(e, n, "helia_lut_params", print_lut);
    return helia_emit_kernel_call(e, n, "helia_clamp_params", print_clamp);
}

/* The arguments are input, table, output for int8, and input, output for float32. */
static bool eval_table(HeliaEval *v, const AirNode *n)
{
    helia_lut_s8_c(n->params, helia_eval_ptr(v, n->in[0]), helia_eval_ptr(v, n->args.at[1].tensor),
                   helia_eval_ptr(v, n->out[0]));
    return true;
}

static bool eval_logistic(HeliaEval *v, const AirNode *n)
{
    if (n->out[0]->type == AIR_S8)
        return eval_table(v, n);
    helia_logistic_f32_c(n->params, helia_eval_ptr(v, n->in[0]), helia_eval_ptr(v, n->out[0]));
    return true;
}

static bool eval_relu(HeliaEval *v, const AirNode *n)
{
    if (n->out[0]->type == AIR_S8)
        return eval_table(v, n);
    helia_relu_f32_c(n->params, helia_eval_ptr(v, n->in[0]), helia_eval_ptr(v, n->out[0]));
    return true;
}

static bool eval_clamp(HeliaEval *v, const AirNode *n)
{
    if (n->out[0]->type == AIR_S8)
        return eval_table(v, n);
    helia_clamp_f32_c(n->params, helia_eval_ptr(v, n->in[0]), helia_eval_ptr(v, n->out[0]));
    return true;
}

static const HeliaOpClass logistic_class = {
    .type = "LOGISTIC",
    .doc = "1 / (1 + exp(-x))",
    .traits = HELIA_OP_INPLACE,
    .min_in = 1,
    .max_in = 1,
    .n_out = 1,
    .infer = infer,
    .on_resolve = resolve_logistic,
    .kernels = logistic_kernels,
    .n_kernels = FIELD_COUNT(logistic_kernels),
    .emit = emit_simple,
    .eval = eval_logistic,
};
static const HeliaOpClass relu_class = {
    .type = "RELU",
    .doc = "max(x, 0)",
    .traits = HELIA_OP_INPLACE,
    .min_in = 1,
    .max_in = 1,
    .n_out = 1,
    .infer = infer,
    .on_resolve = resolve,
    .kernels = relu_kernels,
    .n_kernels = FIELD_COUNT(relu_kernels),
    .emit = emit_simple,
    .eval = eval_relu,
    .user = &relu,
};
static const HeliaOpClass relu6_class = {
    .type = "RELU6",
    .doc = "x between 0 and 6",
    .traits = HELIA_OP_INPLACE,
    .min_in = 1,
    .max_in = 1,
    .n_out = 1,
    .infer = infer,
    .on_resolve = resolve,
    .kernels = clamp_kernels,
    .n_kernels = FIELD_COUNT(clamp_kernels),
    .emit = emit_clamp,
    .eval = eval_clamp,
    .user = &relu6,
};
static const HeliaOpClass relu_n1_to_1_class = {
    .type = "RELU_N1_TO_1",
    .doc = "x between -1 and 1",
    .traits = HELIA_OP_INPLACE,
    .min_in = 1,
    .max_in = 1,
    .n_out = 1,
    .infer = infer,
    .on_resolve = resolve,
    .kernels = clamp_kernels,
    .n_kernels = FIELD_COUNT(clamp_kernels),
    .emit = emit_clamp,
    .eval = eval_clamp,
    .user = &relu_n1_to_1,
};
static const HeliaOpClass relu_0_to_1_class = {
    .type = "RELU_0_TO_1",
    .doc = "x between 0 and 1",
    .traits = HELIA_OP_INPLACE,
    .min_in = 1,
    .max_in = 1,
    .n_out = 1,
    .infer = infer,
    .on_resolve = resolve,
    .kernels = clamp_kernels,
    .n_kernels = FIELD_COUNT(clamp_kernels),
    .emit = emit_clamp,
    .eval = eval_clamp,
    .user = &relu_0_to_1,
};

bool op_activation_register(HeliaRegistryContext *r)
{
    static const HeliaOpClass *const classes[] = {&logistic_class, &relu_class, &relu6_class, &relu_n1_to_1_class,
                                                  &relu_0_to_1_class};
    bool ok = true;
    for (uint32_t i = 0; i < FIELD_COUNT(classes); i++)
        ok = helia_register_op(r, classes[i], &parser, NULL) && ok;
    return ok;
}
