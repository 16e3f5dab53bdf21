/* LEAKY_RELU: x, or alpha * x below 0; int8 through a table of all 256 results, int16 and float32. */
#include <math.h>

#include "op/op_list.h"
#include "op/unary.h"

typedef struct LeakyReluOptions {
    float alpha;
} LeakyReluOptions;

static const HeliaField fields[] = {FIELD_FLOAT(LeakyReluOptions, alpha)};
static const HeliaOptionsClass options_class = {"LeakyReluOptions", sizeof(LeakyReluOptions), fields,
                                                FIELD_COUNT(fields)};

static bool parse(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self;
    LeakyReluOptions *o = node->options;
    o->alpha = (float)litert_opt_float(p->op, "LeakyReluOptions", "alpha", 0.0);
    return true;
}
static const HeliaLitertParser parser = {parse, NULL};

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const int types[] = {AIR_S8, AIR_S16, AIR_F32, -1};
    const LeakyReluOptions *o = n->options;
    bool ok = unary_check(c, n, types);
    if (!isfinite(o->alpha))
        ok = check_fail(c, n, "alpha is %g; it must be a number", (double)o->alpha);
    return ok;
}

/* ---- kernels ---------------------------------------------------------------------------------- */
/* The factors are rounded to float32 as the reference forms them. */
static bool arithmetic(const HeliaOpContext *c, const AirNode *n, helia_leaky_relu_params *p)
{
    const LeakyReluOptions *o = n->options;
    const float product = scale_of(n->in[0]) * o->alpha, alpha = product / scale_of(n->out[0]);
    const float factor = scale_of(n->in[0]) / scale_of(n->out[0]);
    p->count = (int32_t)air_count(n->in[0]);
    p->zero_in = zero_of(n->in[0]);
    p->zero_out = zero_of(n->out[0]);
    p->alpha_sign = o->alpha < 0.0f ? -1 : 1;
    return check_multiplier(c, n, "the scales of input and output", (double)factor, &p->multiplier, &p->exponent) &&
           check_multiplier(c, n, "alpha and the scales of input and output", (double)fabsf(alpha),
                            &p->alpha_multiplier, &p->alpha_exponent);
}

static bool prepare_s8(const HeliaOpContext *c, AirNode *n)
{
    helia_leaky_relu_params p;
    int8_t table[256];
    if (!arithmetic(c, n, &p))
        return false;
    for (int32_t q = -128; q <= 127; q++)
        table[q + 128] = (int8_t)helia_clamp(helia_leaky_relu(&p, q), -128, 127);
    return table_use(c, n, table);
}

static bool prepare_s16(const HeliaOpContext *c, AirNode *n)
{
    helia_leaky_relu_params *p = HELIA_NEW(c->arena, helia_leaky_relu_params);
    unary_args(c, n, p, NULL);
    return arithmetic(c, n, p);
}

static bool prepare_f32(const HeliaOpContext *c, AirNode *n)
{
    const LeakyReluOptions *o = n->options;
    helia_leaky_relu_f32_params *p = HELIA_NEW(c->arena, helia_leaky_relu_f32_params);
    p->count = (int32_t)air_count(n->in[0]);
    p->alpha = o->alpha;
    unary_args(c, n, p, NULL);
    return true;
}

static const HeliaKernel kernels[] = {
    TABLE_ROW(prepare_s8),
    {"helia_leaky_relu_s16_c", "activation/helia_leaky_relu_s16_c.c", HELIA_ISA_C, "int16", fits_out_s16, prepare_s16,
     NULL},
    {"helia_leaky_relu_f32_c", "activation/helia_leaky_relu_f32_c.c", HELIA_ISA_C, "float32", fits_out_f32, prepare_f32,
     NULL},
};

/* ---- emission and evaluation ------------------------------------------------------------------ */
static void print_s16(HeliaOut *o, const void *params)
{
    const helia_leaky_relu_params *p = params;
    PRINT_INT(o, p, count);
    PRINT_INT(o, p, zero_in);
    PRINT_INT(o, p, zero_out);
    PRINT_INT(o, p, multiplier);
    PRINT_INT(o, p, exponent);
    PRINT_INT(o, p, alpha_multiplier);
    PRINT_INT(o, p, alpha_exponent);
    PRINT_INT(o, p, alpha_sign);
}

static void print_f32(HeliaOut *o, const void *params)
{
    const helia_leaky_relu_f32_params *p = params;
    PRINT_INT(o, p, count);
    PRINT_FLOAT(o, p, alpha);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    if (n->out[0]->type == AIR_S8)
        return table_emit(e, n);
    if (n->out[0]->type == AIR_S16)
        return helia_emit_kernel_call(e, n, "helia_leaky_relu_params", print_s16);
    return helia_emit_kernel_call(e, n, "helia_leaky_relu_f32_params", print_f32);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    const void *in = helia_eval_ptr(v, n->in[0]);
    void *out = helia_eval_ptr(v, n->out[0]);
    if (n->out[0]->type == AIR_S8)
        return table_eval(v, n);
    if (n->out[0]->type == AIR_S16)
        helia_leaky_relu_s16_c(n->params, in, out);
    else
        helia_leaky_relu_f32_c(n->params, in, out);
    return true;
}

static const HeliaOpClass leaky_relu_class = {
    .type = "LEAKY_RELU",
    .doc = "x, or alpha * x below 0",
    .traits = HELIA_OP_INPLACE,
    .min_in = 1,
    .max_in = 1,
    .n_out = 1,
    .infer = unary_infer,
    .on_resolve = resolve,
    .kernels = kernels,
    .n_kernels = FIELD_COUNT(kernels),
    .emit = emit,
    .eval = eval,
};

bool op_leaky_relu_register(HeliaRegistryContext *r)
{
    return helia_register_op(r, &leaky_relu_class, &parser, &options_class);
}
