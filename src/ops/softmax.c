/* SOFTMAX over the last dimension: int8 in the reference's fixed point (output scale 1/256, zero point -128, or int16 of scale
 * 1/65536, zero point -32768), int16 through tables (output scale 1/32768), float32. */
#include <helia_aot/emit.h>

#include <math.h>

#include "helia_softmax.h"
#include "op/check.h"
#include "op/op_list.h"
#include "pack/cmsis_nn.h"
#include "op/print.h"

typedef struct SoftmaxOptions {
    float beta;
} SoftmaxOptions;

static const HeliaField fields[] = {FIELD_FLOAT(SoftmaxOptions, beta)};
static const HeliaOptionsClass options_class = {"SoftmaxOptions", sizeof(SoftmaxOptions), fields, FIELD_COUNT(fields)};

static bool parse(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self;
    SoftmaxOptions *o = node->options;
    o->beta = (float)litert_opt_float(p->op, "SoftmaxOptions", "beta", 0.0);
    return true;
}
static const HeliaLitertParser parser = {parse, NULL};

static bool infer(const HeliaOpContext *c, AirNode *n)
{
    return check_rank(c, n, n->in[0], "input", 1, AIR_MAX_RANK) && infer_output(c, n, 0, n->in[0]->rank, n->in[0]->dim);
}

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const int types[] = {AIR_S8, AIR_S16, AIR_F32, -1};
    const SoftmaxOptions *o = n->options;
    bool ok = check_in_type(c, n, 0, "input", types);
    const int same[] = {(int)n->in[0]->type, n->in[0]->type == AIR_S8 ? (int)AIR_S16 : -1, -1};
    ok = ok && check_out_type(c, n, 0, "output", same);
    if (!isfinite(o->beta) || (n->in[0]->type != AIR_F32 && !(o->beta > 0.0f)))
        ok = check_fail(c, n, "beta is %g; it must be a positive number", (double)o->beta);
    ok = check_per_tensor(c, n, n->in[0], "input") && ok;
    if (n->out[0]->type == AIR_S8)
        ok = check_fixed_quant(c, n, n->out[0], "output", 1.0f / 256.0f, -128) && ok;
    if (n->in[0]->type == AIR_S8 && n->out[0]->type == AIR_S16)
        ok = check_fixed_quant(c, n, n->out[0], "output", 1.0f / 65536.0f, -32768) && ok;
    if (n->in[0]->type == AIR_S16)
        ok = check_fixed_quant(c, n, n->out[0], "output", 1.0f / 32768.0f, 0) && ok;
    return ok;
}

/* ---- kernels ---------------------------------------------------------------------------------- */
static void set_args(const HeliaOpContext *c, AirNode *n, const void *params)
{
    n->params = params;
    air_arg(n, c->graph, n->in[0], false);
    air_arg(n, c->graph, n->out[0], true);
}

static bool prepare_s8(const HeliaOpContext *c, AirNode *n)
{
    const SoftmaxOptions *o = n->options;
    helia_softmax_s8_params *p = HELIA_NEW(c->arena, helia_softmax_s8_params);
    p->depth = n->in[0]->dim[n->in[0]->rank - 1];
    p->rows = p->depth ? (int32_t)(air_count(n->in[0]) / p->depth) : 0;
    /* The difference becomes Q5: scale * beta * 2^26, at most 2^31 - 1. */
    double scaled = (double)o->beta * (double)scale_of(n->in[0]) * (double)(1 << 26);
    quantize_multiplier(scaled > 2147483647.0 ? 2147483647.0 : scaled, &p->multiplier, &p->shift);
    if (p->shift < 0)
        return check_fail(c, n, "input scale %g times beta %g is too small; supported: at least 2^-27",
                          (double)scale_of(n->in[0]), (double)o->beta);
    p->diff_min = -input_radius(5, p->shift);
    set_args(c, n, p);
    return true;
}

static float reciprocal_of_one_plus(float x)
{
    return 1.0f / (1.0f + x);
}

static AirTensor *table16(const HeliaOpContext *c, const AirNode *n, const char *what, Scale16 in, float (*f)(float x))
{
    static const Scale16 out = {2.0f / 65535.0f, 0};
    int16_t table[513];
    lut16(in, out, f, table);
    return air_table_new(c->graph, n, what, AIR_S16, 513, table);
}

static bool prepare_s16(const HeliaOpContext *c, AirNode *n)
{
    static const Scale16 exponent = {10.0f / 65535.0f, 32767}, fraction = {1.0f / 65535.0f, -32768};
    const SoftmaxOptions *o = n->options;
    helia_softmax_s16_params *p = HELIA_NEW(c->arena, helia_softmax_s16_params);
    p->depth = n->in[0]->dim[n->in[0]->rank - 1];
    p->rows = p->depth ? (int32_t)(air_count(n->in[0]) / p->depth) : 0;
    n->params = p;
    air_arg(n, c->graph, n->in[0], false);
    air_arg(n, c->graph, table16(c, n, "exponentials", exponent, expf), false);
    air_arg(n, c->graph, table16(c, n, "reciprocals", fraction, reciprocal_of_one_plus), false);
    air_arg(n, c->graph, n->out[0], true);
    const double factor = (double)scale_of(n->in[0]) * (double)o->beta / (10.0 / 65535.0);
    return check_multiplier(c, n, "the input's scale and beta", factor, &p->multiplier, &p->shift);
}

static const char *fits_s8_s16(const HeliaOpContext *c, const AirNode *n)
{
    return n->in[0]->type == AIR_S8 ? fits_out_s16(c, n) : "other data types";
}

static const char *fits_s16(const HeliaOpContext *c, const AirNode *n)
{
    return n->in[0]->type == AIR_S16 ? fits_out_s16(c, n) : "other data types";
}

static bool prepare_f32(const HeliaOpContext *c, AirNode *n)
{
    const SoftmaxOptions *o = n->options;
    helia_softmax_f32_params *p = HELIA_NEW(c->arena, helia_softmax_f32_params);
    p->depth = n->in[0]->dim[n->in[0]->rank - 1];
    p->rows = p->depth ? (int32_t)(air_count(n->in[0]) / p->depth) : 0;
    p->beta = o->beta;
    set_args(c, n, p);
    return true;
}

static const HeliaKernel kernels[] = {
    CMSIS_NN_ROW(HELIA_LIB_CMSIS_NN, "helia_softmax_s8_cmsis_nn", HELIA_ISA_C, fits_out_s8, prepare_s8, NULL),
    {"helia_softmax_s8_once_c", "softmax/helia_softmax_s8_once_c.c", HELIA_ISA_C, "int8", fits_out_s8, prepare_s8,
     helia_softmax_s8_once_scratch},
    {"helia_softmax_s8_c", "softmax/helia_softmax_s8_c.c", HELIA_ISA_C, "int8", fits_out_s8, prepare_s8, NULL},
    {"helia_softmax_s8_s16_c", "softmax/helia_softmax_s8_s16_c.c", HELIA_ISA_C, "int8 to int16", fits_s8_s16,
     prepare_s8, NULL},
    {"helia_softmax_s16_c", "softmax/helia_softmax_s16_c.c", HELIA_ISA_C, "int16", fits_s16, prepare_s16, NULL},
    {"helia_softmax_f32_c", "softmax/helia_softmax_f32_c.c", HELIA_ISA_C, "float32", fits_out_f32, prepare_f32, NULL},
};

/* ---- emission and evaluation ------------------------------------------------------------------ */
static void print_s8(HeliaOut *o, const void *params)
{
    const helia_softmax_s8_params *p = params;
    PRINT_INT(o, p, rows);
    PRINT_INT(o, p, depth);
    PRINT_INT(o, p, multiplier);
    PRINT_INT(o, p, shift);
    PRINT_INT(o, p, diff_min);
}

static void print_s16(HeliaOut *o, const void *params)
{
    const helia_softmax_s16_params *p = params;
    PRINT_INT(o, p, rows);
    PRINT_INT(o, p, depth);
    PRINT_INT(o, p, multiplier);
    PRINT_INT(o, p, shift);
}

static void print_f32(HeliaOut *o, const void *params)
{
    const helia_softmax_f32_params *p = params;
    PRINT_INT(o, p, rows);
    PRINT_INT(o, p, depth);
    PRINT_FLOAT(o, p, beta);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    if (n->out[0]->type == AIR_F32)
        return helia_emit_kernel_call(e, n, "helia_softmax_f32_params", print_f32);
    if (n->in[0]->type == AIR_S16)
        return helia_emit_kernel_call(e, n, "helia_softmax_s16_params", print_s16);
    return helia_emit_kernel_call(e, n, "helia_softmax_s8_params", print_s8);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    const void *in = helia_eval_ptr(v, n->in[0]);
    void *out = helia_eval_ptr(v, n->out[0]);
    if (n->out[0]->type == AIR_F32)
        helia_softmax_f32_c(n->params, in, out);
    else if (n->in[0]->type == AIR_S16)
        helia_softmax_s16_c(n->params, in, helia_eval_ptr(v, n->args.at[1].tensor),
                            helia_eval_ptr(v, n->args.at[2].tensor), out);
    else if (n->out[0]->type == AIR_S16)
        helia_softmax_s8_s16_c(n->params, in, out);
    else
        helia_softmax_s8_c(n->params, in, out);
    return true;
}

static const HeliaOpClass op_class = {
    .type = "SOFTMAX",
    .doc = "exp(beta * x) over its sum, along the last dimension",
    .min_in = 1,
    .max_in = 1,
    .n_out = 1,
    .infer = infer,
    .on_resolve = resolve,
    .kernels = kernels,
    .n_kernels = FIELD_COUNT(kernels),
    .emit = emit,
    .eval = eval,
};

bool op_softmax_register(HeliaRegistryContext *r)
{
    return helia_register_op(r, &op_class, &parser, &options_class);
}
