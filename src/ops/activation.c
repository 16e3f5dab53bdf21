/* RELU, RELU6, RELU_N1_TO_1 and RELU_0_TO_1: int8 through a table of all 256 results, uint8, int16 and float32.
 * They rescale between the quantisation of input and output as LiteRT does. */
#include "helia_math.h"
#include "helia_quantize.h"
#include "op/op_list.h"
#include "op/unary.h"

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const int types[] = {AIR_S8, AIR_U8, AIR_S16, AIR_F32, -1};
    return unary_check(c, n, types);
}

/* ---- kernels ---------------------------------------------------------------------------------- */
/* A RELU's range is made of those of two fused activations: RELU_0_TO_1 has the low end of the one and the high end of
 * the other. */
typedef struct Relu {
    Activation lo, hi;
} Relu;
static const Relu relu6 = {ACT_RELU6, ACT_RELU6};
static const Relu relu = {ACT_RELU, ACT_RELU};
static const Relu relu_n1_to_1 = {ACT_RELU_N1_TO_1, ACT_RELU_N1_TO_1};
static const Relu relu_0_to_1 = {ACT_RELU, ACT_RELU_N1_TO_1};

static bool arithmetic(const HeliaOpContext *c, const AirNode *n, helia_requantize_params *p)
{
    const AirTensor *in = n->in[0], *out = n->out[0];
    const Relu *r = n->op->user;
    int32_t unused;
    p->count = (int32_t)air_count(in);
    p->zero_in = zero_of(in);
    p->zero_out = zero_of(out);
    activation_range(r->lo, out, &p->min, &unused);
    activation_range(r->hi, out, &unused, &p->max);
    const float factor = scale_of(in) / scale_of(out); /* in single precision, as the reference forms it */
    return check_multiplier(c, n, "the scales of input and output", (double)factor, &p->multiplier, &p->exponent);
}

static bool prepare_table(const HeliaOpContext *c, AirNode *n)
{
    helia_requantize_params p;
    int8_t table[256];
    if (!arithmetic(c, n, &p))
        return false;
    for (int32_t q = -128; q <= 127; q++) {
        int32_t y = helia_wrap_add(helia_requantize(q - p.zero_in, p.multiplier, p.exponent), p.zero_out);
        table[q + 128] = (int8_t)helia_clamp(y, p.min, p.max);
    }
    return table_use(c, n, table);
}

static bool prepare_int(const HeliaOpContext *c, AirNode *n)
{
    helia_requantize_params *p = HELIA_NEW(c->arena, helia_requantize_params);
    unary_args(c, n, p, NULL);
    return arithmetic(c, n, p);
}

static bool prepare_clamp_f32(const HeliaOpContext *c, AirNode *n)
{
    const Relu *r = n->op->user;
    helia_clamp_params *p = HELIA_NEW(c->arena, helia_clamp_params);
    float unused;
    p->count = (int32_t)air_count(n->in[0]);
    activation_range_float(r->lo, &p->min, &unused);
    activation_range_float(r->hi, &unused, &p->max);
    unary_args(c, n, p, NULL);
    return true;
}

#define INTEGER_ROWS                                                                                                   \
    TABLE_ROW(prepare_table),                                                                                          \
        {"helia_requantize_u8_u8_c",                                                                                   \
         "quantize/helia_requantize_u8_u8_c.c",                                                                        \
         HELIA_ISA_C,                                                                                                  \
         "uint8",                                                                                                      \
         fits_out_u8,                                                                                                  \
         prepare_int,                                                                                                  \
         NULL},                                                                                                        \
    {                                                                                                                  \
        "helia_requantize_s16_s16_c", "quantize/helia_requantize_s16_s16_c.c", HELIA_ISA_C, "int16", fits_out_s16,     \
            prepare_int, NULL                                                                                          \
    }
static const HeliaKernel relu_kernels[] = {
    INTEGER_ROWS,
    {"helia_relu_f32_c", "activation/helia_relu_f32_c.c", HELIA_ISA_C, "float32", fits_out_f32, unary_prepare, NULL},
};
static const HeliaKernel clamp_kernels[] = {
    INTEGER_ROWS,
    {"helia_clamp_f32_c", "activation/helia_clamp_f32_c.c", HELIA_ISA_C, "float32", fits_out_f32, prepare_clamp_f32,
     NULL},
};
#undef INTEGER_ROWS

/* ---- emission and evaluation ------------------------------------------------------------------ */
static void print_requantize(HeliaOut *o, const void *params)
{
    const helia_requantize_params *p = params;
    PRINT_INT(o, p, count);
    PRINT_INT(o, p, zero_in);
    PRINT_INT(o, p, zero_out);
    PRINT_INT(o, p, multiplier);
    PRINT_INT(o, p, exponent);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

static void print_clamp(HeliaOut *o, const void *params)
{
    const helia_clamp_params *p = params;
    PRINT_INT(o, p, count);
    PRINT_FLOAT(o, p, min);
    PRINT_FLOAT(o, p, max);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    if (n->out[0]->type == AIR_S8)
        return table_emit(e, n);
    if (n->out[0]->type != AIR_F32)
        return helia_emit_kernel_call(e, n, "helia_requantize_params", print_requantize);
    return n->op->kernels == relu_kernels ? unary_emit(e, n)
                                          : helia_emit_kernel_call(e, n, "helia_clamp_params", print_clamp);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    const void *in = helia_eval_ptr(v, n->in[0]);
    void *out = helia_eval_ptr(v, n->out[0]);
    if (n->out[0]->type == AIR_S8)
        return table_eval(v, n);
    if (n->out[0]->type == AIR_U8)
        helia_requantize_u8_u8_c(n->params, in, out);
    else if (n->out[0]->type == AIR_S16)
        helia_requantize_s16_s16_c(n->params, in, out);
    else if (n->op->kernels == relu_kernels)
        helia_relu_f32_c(n->params, in, out);
    else
        helia_clamp_f32_c(n->params, in, out);
    return true;
}

#define CLASS(variable, key, text, rows, range)                                                                        \
    static const HeliaOpClass variable = {                                                                             \
        .type = key,                                                                                                   \
        .doc = text,                                                                                                   \
        .traits = HELIA_OP_INPLACE,                                                                                    \
        .min_in = 1,                                                                                                   \
        .max_in = 1,                                                                                                   \
        .n_out = 1,                                                                                                    \
        .infer = unary_infer,                                                                                          \
        .on_resolve = resolve,                                                                                         \
        .kernels = rows,                                                                                               \
        .n_kernels = FIELD_COUNT(rows),                                                                                \
        .emit = emit,                                                                                                  \
        .eval = eval,                                                                                                  \
        .user = range,                                                                                                 \
    }
CLASS(relu_class, "RELU", "max(x, 0)", relu_kernels, &relu);
CLASS(relu6_class, "RELU6", "x between 0 and 6", clamp_kernels, &relu6);
CLASS(relu_n1_to_1_class, "RELU_N1_TO_1", "x between -1 and 1", clamp_kernels, &relu_n1_to_1);
CLASS(relu_0_to_1_class, "RELU_0_TO_1", "x between 0 and 1", clamp_kernels, &relu_0_to_1);
#undef CLASS

bool op_activation_register(HeliaRegistryContext *r)
{
    static const HeliaOpClass *const classes[] = {&relu_class, &relu6_class, &relu_n1_to_1_class, &relu_0_to_1_class};
    bool ok = true;
    for (uint32_t i = 0; i < FIELD_COUNT(classes); i++)
        ok = helia_register_op(r, classes[i], &unary_parser, NULL) && ok;
    return ok;
}
