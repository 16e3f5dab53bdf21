/* ADD, SUB, MUL and DIV with broadcasting and a fused activation: int8, uint8, int16 (not DIV), int32, int64 (not DIV) and
 * float32. Quantised arithmetic as TensorFlow Lite Micro forms it: factors in double precision where it has them so. */
#include <helia_aot/emit.h>

#include "helia_binary.h"
#include "helia_mul_s8_dsp.h"
#include "helia_mul_s8_mve.h"
#include "pack/add_dsp.h"
#include "op/broadcast.h"
#include "op/op_list.h"
#include "pack/cmsis_nn.h"
#include "op/print.h"

typedef struct BinaryOptions {
    int32_t fused_activation_function;
} BinaryOptions;

static const HeliaField binary_fields[] = {
    FIELD_ENUM(BinaryOptions, fused_activation_function, activation_names),
};
static const HeliaOptionsClass add_options = {"AddOptions", sizeof(BinaryOptions), binary_fields,
                                              FIELD_COUNT(binary_fields)};
static const HeliaOptionsClass sub_options = {"SubOptions", sizeof(BinaryOptions), binary_fields,
                                              FIELD_COUNT(binary_fields)};
static const HeliaOptionsClass div_options = {"DivOptions", sizeof(BinaryOptions), binary_fields,
                                              FIELD_COUNT(binary_fields)};
static const HeliaOptionsClass mul_options = {"MulOptions", sizeof(BinaryOptions), binary_fields,
                                              FIELD_COUNT(binary_fields)};

/* user: the options class, which has the schema's name. pot_scale_int16 of ADD and SUB asks for another rounding of
 * int16 sums that the reference for microcontrollers does not have; it is not read. */
static bool parse(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    const HeliaOptionsClass *class = self->user;
    BinaryOptions *o = node->options;
    o->fused_activation_function = (int32_t)litert_opt_int(p->op, class->name, "fused_activation_function", ACT_NONE);
    return true;
}
static const HeliaLitertParser add_parser = {parse, &add_options};
static const HeliaLitertParser sub_parser = {parse, &sub_options};
static const HeliaLitertParser mul_parser = {parse, &mul_options};
static const HeliaLitertParser div_parser = {parse, &div_options};

static bool infer(const HeliaOpContext *c, AirNode *n)
{
    return infer_broadcast(c, n);
}

static bool check_operand(const HeliaOpContext *c, const AirNode *n, const AirTensor *t, const char *what)
{
    bool ok = check_per_tensor(c, n, t, what);
    if (t->type != n->out[0]->type)
        ok = check_fail(c, n, "%s is %s and the output %s; they must be equal", what, air_type_doc(t->type),
                        air_type_doc(n->out[0]->type));
    if (t->type == AIR_S16 && zero_of(t) != 0)
        ok = check_fail(c, n, "%s is int16 with zero point %d; it must be 0", what, zero_of(t));
    return ok;
}

static bool resolve_types(const HeliaOpContext *c, AirNode *n, const int *types)
{
    const BinaryOptions *o = n->options;
    bool ok = check_out_type(c, n, 0, "output", types);
    ok = check_operand(c, n, n->in[0], "input 0") && ok;
    ok = check_operand(c, n, n->in[1], "input 1") && ok;
    ok = check_operand(c, n, n->out[0], "output") && ok;
    if (n->out[0]->type == AIR_S64 && o->fused_activation_function != ACT_NONE)
        ok = check_fail(c, n, "a fused activation of int64 is not supported; supported: NONE");
    return check_activation(c, n, o->fused_activation_function) && ok;
}

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const int types[] = {AIR_S8, AIR_U8, AIR_S16, AIR_S32, AIR_S64, AIR_F32, -1};
    return resolve_types(c, n, types);
}

static bool resolve_div(const HeliaOpContext *c, AirNode *n)
{
    static const int types[] = {AIR_S8, AIR_S32, AIR_F32, -1};
    return resolve_types(c, n, types);
}

/* ---- kernels ---------------------------------------------------------------------------------- */
/* All but the shape; the factor that brings the sum to the output's scale must be below 1. */
static double add_arithmetic(const AirNode *n, helia_add_params *p)
{
    const BinaryOptions *o = n->options;
    const AirTensor *a = n->in[0], *b = n->in[1], *out = n->out[0];
    p->zero_a = zero_of(a);
    p->zero_b = zero_of(b);
    p->zero_out = zero_of(out);
    p->shift = out->type == AIR_S16 ? 15 : 20;
    double scale_a = scale_of(a), scale_b = scale_of(b);
    double twice = 2.0 * (scale_a > scale_b ? scale_a : scale_b);
    double factor = twice / ((double)(1 << p->shift) * (double)scale_of(out));
    quantize_multiplier(scale_a / twice, &p->multiplier_a, &p->exponent_a);
    quantize_multiplier(scale_b / twice, &p->multiplier_b, &p->exponent_b);
    quantize_multiplier(factor, &p->multiplier_out, &p->exponent_out);
    activation_range((Activation)o->fused_activation_function, out, &p->min, &p->max);
    return factor;
}

static bool prepare_add(const HeliaOpContext *c, AirNode *n)
{
    helia_add_params *p = HELIA_NEW(c->arena, helia_add_params);
    double factor = add_arithmetic(n, p);
    binary_args(c, n, p);
    if (factor >= 1.0) {
        double scale_a = scale_of(n->in[0]), scale_b = scale_of(n->in[1]), least = factor * (double)scale_of(n->out[0]);
        return check_fail(c, n,
                          "the output's scale %g is too small for inputs of scale %g and %g; at least %g is supported",
                          (double)scale_of(n->out[0]), scale_a, scale_b, least);
    }
    return broadcast_plan(c, n, n->in[0], n->in[1], &p->shape);
}

static bool add_dsp(const HeliaOpContext *c, const AirNode *n, bool subtract, helia_add_s8_dsp_params *p)
{
    helia_add_params reference;
    return add_arithmetic(n, &reference) < 1.0 && add_dsp_linear(c->arena, &reference, subtract, p);
}

static const char *fits_linear(const HeliaOpContext *c, const AirNode *n, bool subtract)
{
    helia_add_s8_dsp_params p;
    const char *why = fits_out_s8(c, n);
    return why ? why : add_dsp(c, n, subtract, &p) ? NULL : "no linear form gives the same results";
}

static bool prepare_linear(const HeliaOpContext *c, AirNode *n, bool subtract)
{
    helia_add_s8_dsp_params *p = HELIA_NEW(c->arena, helia_add_s8_dsp_params);
    binary_args(c, n, p);
    return add_dsp(c, n, subtract, p) && broadcast_plan(c, n, n->in[0], n->in[1], &p->shape);
}

static const char *fits_add_dsp(const HeliaOpContext *c, const AirNode *n)
{
    return fits_linear(c, n, false);
}

static bool prepare_add_dsp(const HeliaOpContext *c, AirNode *n)
{
    return prepare_linear(c, n, false);
}

static const char *fits_sub_dsp(const HeliaOpContext *c, const AirNode *n)
{
    return fits_linear(c, n, true);
}

static bool prepare_sub_dsp(const HeliaOpContext *c, AirNode *n)
{
    return prepare_linear(c, n, true);
}

static bool prepare_mul(const HeliaOpContext *c, AirNode *n)
{
    const BinaryOptions *o = n->options;
    const AirTensor *a = n->in[0], *b = n->in[1], *out = n->out[0];
    helia_mul_params *p = HELIA_NEW(c->arena, helia_mul_params);
    p->zero_a = zero_of(a);
    p->zero_b = zero_of(b);
    p->zero_out = zero_of(out);
    activation_range((Activation)o->fused_activation_function, out, &p->min, &p->max);
    binary_args(c, n, p);
    double factor = (double)scale_of(a) * (double)scale_of(b) / (double)scale_of(out);
    return check_multiplier(c, n, "the scales of inputs and output", factor, &p->multiplier, &p->exponent) &&
           broadcast_plan(c, n, a, b, &p->shape);
}

static const char *fits_mul_dsp(const HeliaOpContext *c, const AirNode *n)
{
    const char *why = fits_out_s8(c, n);
    int32_t multiplier, exponent;
    if (why)
        return why;
    double factor = (double)scale_of(n->in[0]) * (double)scale_of(n->in[1]) / (double)scale_of(n->out[0]);
    quantize_multiplier(factor, &multiplier, &exponent);
    return exponent > 0 || exponent < HELIA_MUL_DSP_LEAST_EXPONENT
               ? helia_format(c->arena, "the product's scale is %g; supported are scales from 2^%d to 1", factor,
                              HELIA_MUL_DSP_LEAST_EXPONENT - 1)
               : NULL;
}

static bool prepare_f32(const HeliaOpContext *c, AirNode *n)
{
    const BinaryOptions *o = n->options;
    helia_binary_f32_params *p = HELIA_NEW(c->arena, helia_binary_f32_params);
    activation_range_float((Activation)o->fused_activation_function, &p->min, &p->max);
    binary_args(c, n, p);
    return broadcast_plan(c, n, n->in[0], n->in[1], &p->shape);
}

static bool prepare_s32(const HeliaOpContext *c, AirNode *n)
{
    const BinaryOptions *o = n->options;
    helia_binary_s32_params *p = HELIA_NEW(c->arena, helia_binary_s32_params);
    const Activation act = (Activation)o->fused_activation_function;
    p->min = act == ACT_NONE ? INT32_MIN : act == ACT_RELU_N1_TO_1 ? -1 : 0;
    p->max = act == ACT_RELU6 ? 6 : act == ACT_RELU_N1_TO_1 ? 1 : INT32_MAX;
    binary_args(c, n, p);
    return broadcast_plan(c, n, n->in[0], n->in[1], &p->shape);
}

static bool prepare_plain(const HeliaOpContext *c, AirNode *n)
{
    helia_binary_params *p = HELIA_NEW(c->arena, helia_binary_params);
    binary_args(c, n, p);
    return broadcast_plan(c, n, n->in[0], n->in[1], &p->shape);
}

static bool prepare_div(const HeliaOpContext *c, AirNode *n)
{
    const BinaryOptions *o = n->options;
    const AirTensor *a = n->in[0], *b = n->in[1], *out = n->out[0];
    helia_div_params *p = HELIA_NEW(c->arena, helia_div_params);
    p->zero_a = zero_of(a);
    p->zero_b = zero_of(b);
    p->zero_out = zero_of(out);
    activation_range((Activation)o->fused_activation_function, out, &p->min, &p->max);
    binary_args(c, n, p);
    float denominator = scale_of(b) * scale_of(out); /* rounded to float32 twice, as the reference does */
    float factor = scale_of(a) / denominator;
    return check_multiplier(c, n, "the scales of inputs and output", (double)factor, &p->multiplier, &p->exponent) &&
           broadcast_plan(c, n, a, b, &p->shape);
}

/* CMSIS-NN repeats nothing. */
static const char *fits_cmsis_nn(const HeliaOpContext *c, const AirNode *n)
{
    const char *why = fits_out_s8(c, n);
    bool equal = air_count(n->in[0]) == air_count(n->out[0]) && air_count(n->in[1]) == air_count(n->out[0]);
    return why ? why : equal ? NULL : "the shapes of the operands differ";
}

#define ROW(op, suffix, type, prepare)                                                                                 \
    {                                                                                                                  \
        "helia_" op "_" #suffix "_c", "binary/helia_" op "_" #suffix "_c.c", HELIA_ISA_C, type, fits_out_##suffix,     \
            prepare, NULL                                                                                              \
    }
#define ROWS(op, quantised)                                                                                            \
    ROW(op, s8, "int8", quantised), ROW(op, u8, "uint8", quantised), ROW(op, s16, "int16", quantised),                 \
        ROW(op, s32, "int32", prepare_s32), ROW(op, s64, "int64", prepare_plain), ROW(op, f32, "float32", prepare_f32)
static const HeliaKernel add_kernels[] = {
    CMSIS_NN_ROW(HELIA_LIB_CMSIS_NN, "helia_add_s8_cmsis_nn", HELIA_ISA_C, fits_cmsis_nn, prepare_add, NULL),
    {"helia_add_s8_mve", "binary/helia_add_s8_mve.c", HELIA_ISA_MVE, "int8", fits_add_dsp, prepare_add_dsp, NULL, NULL,
     "binary/helia_add_s8_mve_body.h", add_dsp_emit},
    {"helia_add_s8_dsp", "binary/helia_add_s8_dsp.c", HELIA_ISA_DSP, "int8", fits_add_dsp, prepare_add_dsp, NULL, NULL,
     "binary/helia_add_s8_dsp_body.h", add_dsp_emit},
    {"helia_add_s8_x86", "binary/helia_add_s8_x86.c", HELIA_ISA_X86, "int8", fits_add_dsp, prepare_add_dsp, NULL, NULL,
     "binary/helia_add_s8_x86_body.h", add_dsp_emit},
    ROWS("add", prepare_add),
};
static const HeliaKernel sub_kernels[] = {
    {"helia_add_s8_mve", "binary/helia_add_s8_mve.c", HELIA_ISA_MVE, "int8", fits_sub_dsp, prepare_sub_dsp, NULL, NULL,
     "binary/helia_add_s8_mve_body.h", add_dsp_emit},
    {"helia_add_s8_dsp", "binary/helia_add_s8_dsp.c", HELIA_ISA_DSP, "int8", fits_sub_dsp, prepare_sub_dsp, NULL, NULL,
     "binary/helia_add_s8_dsp_body.h", add_dsp_emit},
    ROWS("sub", prepare_add),
};
static const HeliaKernel mul_kernels[] = {
    CMSIS_NN_ROW(HELIA_LIB_CMSIS_NN, "helia_mul_s8_cmsis_nn", HELIA_ISA_C, fits_cmsis_nn, prepare_mul, NULL),
    {"helia_mul_s8_mve", "binary/helia_mul_s8_mve.c", HELIA_ISA_MVE, "int8", fits_mul_dsp, prepare_mul, NULL, NULL,
     "binary/helia_mul_s8_mve_body.h"},
    {"helia_mul_s8_dsp", "binary/helia_mul_s8_dsp.c", HELIA_ISA_DSP, "int8", fits_mul_dsp, prepare_mul, NULL, NULL,
     "binary/helia_mul_s8_dsp_body.h"},
    ROWS("mul", prepare_mul),
};
static const HeliaKernel div_kernels[] = {
    ROW("div", s8, "int8", prepare_div),
    ROW("div", s32, "int32", prepare_s32),
    ROW("div", f32, "float32", prepare_f32),
};
#undef ROWS
#undef ROW

/* ---- emission and evaluation ------------------------------------------------------------------ */
static void print_add(HeliaOut *o, const void *params)
{
    const helia_add_params *p = params;
    print_broadcast(o, "shape", &p->shape);
    PRINT_INT(o, p, zero_a);
    PRINT_INT(o, p, zero_b);
    PRINT_INT(o, p, zero_out);
    PRINT_INT(o, p, shift);
    PRINT_INT(o, p, multiplier_a);
    PRINT_INT(o, p, exponent_a);
    PRINT_INT(o, p, multiplier_b);
    PRINT_INT(o, p, exponent_b);
    PRINT_INT(o, p, multiplier_out);
    PRINT_INT(o, p, exponent_out);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

static void print_mul(HeliaOut *o, const void *params)
{
    const helia_mul_params *p = params;
    print_broadcast(o, "shape", &p->shape);
    PRINT_INT(o, p, zero_a);
    PRINT_INT(o, p, zero_b);
    PRINT_INT(o, p, zero_out);
    PRINT_INT(o, p, multiplier);
    PRINT_INT(o, p, exponent);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

static void print_f32(HeliaOut *o, const void *params)
{
    const helia_binary_f32_params *p = params;
    print_broadcast(o, "shape", &p->shape);
    PRINT_FLOAT(o, p, min);
    PRINT_FLOAT(o, p, max);
}

static void print_s32(HeliaOut *o, const void *params)
{
    const helia_binary_s32_params *p = params;
    print_broadcast(o, "shape", &p->shape);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

static void print_plain(HeliaOut *o, const void *params)
{
    const helia_binary_params *p = params;
    print_broadcast(o, "shape", &p->shape);
}

static void print_div(HeliaOut *o, const void *params)
{
    const helia_div_params *p = params;
    print_broadcast(o, "shape", &p->shape);
    PRINT_INT(o, p, zero_a);
    PRINT_INT(o, p, zero_b);
    PRINT_INT(o, p, zero_out);
    PRINT_INT(o, p, multiplier);
    PRINT_INT(o, p, exponent);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

static bool emit(HeliaEmitter *e, const AirNode *n, const char *quantised, void (*print)(HeliaOut *, const void *))
{
    switch (n->out[0]->type) {
    case AIR_F32:
        return helia_emit_kernel_call(e, n, "helia_binary_f32_params", print_f32);
    case AIR_S32:
        return helia_emit_kernel_call(e, n, "helia_binary_s32_params", print_s32);
    case AIR_S64:
        return helia_emit_kernel_call(e, n, "helia_binary_params", print_plain);
    default:
        return helia_emit_kernel_call(e, n, quantised, print);
    }
}

static bool emit_add(HeliaEmitter *e, const AirNode *n)
{
    if (n->kernel->emit)
        return n->kernel->emit(e, n);
    return emit(e, n, "helia_add_params", print_add);
}

static bool emit_mul(HeliaEmitter *e, const AirNode *n)
{
    return emit(e, n, "helia_mul_params", print_mul);
}

static bool emit_div(HeliaEmitter *e, const AirNode *n)
{
    return emit(e, n, "helia_div_params", print_div);
}

BINARY_EVAL(add)
BINARY_EVAL(sub)
BINARY_EVAL(mul)

static bool eval_div(HeliaEval *v, const AirNode *n)
{
    const void *a = helia_eval_ptr(v, n->in[0]), *b = helia_eval_ptr(v, n->in[1]);
    void *out = helia_eval_ptr(v, n->out[0]);
    if (n->out[0]->type == AIR_F32)
        helia_div_f32_c(n->params, a, b, out);
    else if (n->out[0]->type == AIR_S32)
        helia_div_s32_c(n->params, a, b, out);
    else
        helia_div_s8_c(n->params, a, b, out);
    return true;
}

#define CLASS(op, key, text, check, spell)                                                                             \
    static const HeliaOpClass op##_class = {                                                                           \
        .type = key,                                                                                                   \
        .doc = text,                                                                                                   \
        .traits = HELIA_OP_INPLACE | HELIA_OP_CLAMPS,                                                                  \
        .min_in = 2,                                                                                                   \
        .max_in = 2,                                                                                                   \
        .n_out = 1,                                                                                                    \
        .infer = infer,                                                                                                \
        .on_resolve = check,                                                                                           \
        .kernels = op##_kernels,                                                                                       \
        .n_kernels = FIELD_COUNT(op##_kernels),                                                                        \
        .emit = spell,                                                                                                 \
        .eval = eval_##op,                                                                                             \
    }
CLASS(add, "ADD", "element-wise sum with broadcasting", resolve, emit_add);
CLASS(sub, "SUB", "element-wise difference with broadcasting", resolve, emit_add);
CLASS(mul, "MUL", "element-wise product with broadcasting", resolve, emit_mul);
CLASS(div, "DIV", "element-wise quotient with broadcasting", resolve_div, emit_div);
#undef CLASS

bool op_binary_register(HeliaRegistryContext *r)
{
    bool ok = helia_register_op(r, &add_class, &add_parser, &add_options);
    ok = helia_register_op(r, &sub_class, &sub_parser, &sub_options) && ok;
    ok = helia_register_op(r, &mul_class, &mul_parser, &mul_options) && ok;
    return helia_register_op(r, &div_class, &div_parser, &div_options) && ok;
}
