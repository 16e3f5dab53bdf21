/* LOGISTIC and TANH: int8 through a table of all 256 results, int16 by interpolation in a table, and float32.
 * The int8 results are TensorFlow Lite Micro's fixed-point ones. */
#include <math.h>

#include "helia_fixed_point.h"
#include "helia_sigmoid.h"
#include "op/op_list.h"
#include "op/unary.h"

/* What the two differ in. */
typedef struct Sigmoid {
    int32_t (*function)(int32_t x, int32_t k);
    int32_t fraction_bits; /* of the int8 result, below those of Q0 */
    float out_scale;       /* of int8 */
    int32_t out_zero;
    int32_t most_free_shift; /* int16: input scales 2^-12 to 2^(-12 + this) need no shift */
} Sigmoid;
static const Sigmoid logistic = {helia_logistic, 23, 1.0f / 256.0f, -128, 0};
static const Sigmoid tangent = {helia_tanh, 24, 1.0f / 128.0f, 0, 1};

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const int types[] = {AIR_S8, AIR_S16, AIR_F32, -1};
    const Sigmoid *s = n->op->user;
    if (!unary_check(c, n, types))
        return false;
    if (n->out[0]->type == AIR_S8)
        return check_fixed_quant(c, n, n->out[0], "output", s->out_scale, s->out_zero);
    if (n->out[0]->type == AIR_S16)
        return unary_check_symmetric(c, n) && check_fixed_quant(c, n, n->out[0], "output", 1.0f / 32768.0f, 0);
    return true;
}

/* ---- kernels ---------------------------------------------------------------------------------- */
static bool prepare_s8(const HeliaOpContext *c, AirNode *n)
{
    const Sigmoid *s = n->op->user;
    const AirTensor *in = n->in[0];
    int8_t table[256];
    int32_t m, e;
    quantize_multiplier((double)scale_of(in) * (double)(1 << 27), &m, &e); /* to 4 integer and 27 fraction bits */
    const int32_t radius = input_radius(4, e);
    for (int32_t q = -128; q <= 127; q++) {
        int32_t x = q - zero_of(in), y = x <= -radius ? -128 : 127; /* radius 0: 0 counts as the lower end */
        if (x > -radius && x < radius)
            y = helia_rdbp(s->function(helia_requantize(x, m, e), 4), s->fraction_bits) + s->out_zero;
        table[q + 128] = (int8_t)helia_clamp(y, -128, 127);
    }
    return table_use(c, n, table);
}

/* The logistic function at i / 24 with 16 fraction bits, moved so that the straight line to the next entry is off by as
 * much in the middle as at the ends. */
static AirTensor *sigmoid_table(const HeliaOpContext *c, const AirNode *n)
{
    uint16_t table[HELIA_SIGMOID_ENTRIES];
    for (int i = 0; i < HELIA_SIGMOID_ENTRIES; i++) {
        double v[3];
        for (int k = 0; k < 3; k++)
            v[k] = 65536.0 / (1.0 + exp(-(i + 0.5 * k) / 24.0));
        table[i] = (uint16_t)(int32_t)round(v[0] + (v[1] - (v[0] + v[2]) / 2.0) / 2.0);
    }
    table[HELIA_SIGMOID_ENTRIES - 1] = UINT16_MAX;
    return air_table_new(c->graph, n, "table", AIR_U16, HELIA_SIGMOID_ENTRIES, table);
}

static bool prepare_s16(const HeliaOpContext *c, AirNode *n)
{
    const Sigmoid *s = n->op->user;
    helia_sigmoid_s16_params *p = HELIA_NEW(c->arena, helia_sigmoid_s16_params);
    const float scale = scale_of(n->in[0]), power = logf(scale) * (1.0f / logf(2.0f)), whole = roundf(power);
    const float shift = 12.0f + whole;
    p->count = (int32_t)air_count(n->in[0]);
    if (fabsf(power - whole) < 1e-3f && shift >= 0.0f && shift <= (float)s->most_free_shift) {
        p->multiplier = 3 << (int32_t)shift;
    } else {
        double multiplier = (double)scale * 4096.0 * 3.0;
        for (; multiplier <= 16383.5 && p->shift <= 30; p->shift++)
            multiplier *= 2.0;
        if (multiplier > 32767.0)
            return check_fail(c, n, "the input's scale is %g; at most %g is supported", (double)scale,
                              32767.0 / 12288.0);
        p->multiplier = (int32_t)multiplier;
    }
    unary_args(c, n, p, sigmoid_table(c, n));
    return true;
}

#define ROWS(name)                                                                                                     \
    {                                                                                                                  \
        TABLE_ROW(prepare_s8), {"helia_" name "_s16_c",                                                                \
                                "sigmoid/helia_" name "_s16_c.c",                                                      \
                                HELIA_ISA_C,                                                                           \
                                "int16",                                                                               \
                                fits_out_s16,                                                                          \
                                prepare_s16,                                                                           \
                                NULL},                                                                                 \
            {"helia_" name "_f32_c",                                                                                   \
             "activation/helia_" name "_f32_c.c",                                                                      \
             HELIA_ISA_C,                                                                                              \
             "float32",                                                                                                \
             fits_out_f32,                                                                                             \
             unary_prepare,                                                                                            \
             NULL},                                                                                                    \
    }
static const HeliaKernel logistic_kernels[] = ROWS("logistic");
static const HeliaKernel tanh_kernels[] = ROWS("tanh");
#undef ROWS

/* ---- emission and evaluation ------------------------------------------------------------------ */
static void print_s16(HeliaOut *o, const void *params)
{
    const helia_sigmoid_s16_params *p = params;
    PRINT_INT(o, p, count);
    PRINT_INT(o, p, multiplier);
    PRINT_INT(o, p, shift);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    if (n->out[0]->type == AIR_S8)
        return table_emit(e, n);
    if (n->out[0]->type == AIR_S16)
        return helia_emit_kernel_call(e, n, "helia_sigmoid_s16_params", print_s16);
    return unary_emit(e, n);
}

static bool eval_logistic(HeliaEval *v, const AirNode *n)
{
    const void *in = helia_eval_ptr(v, n->in[0]);
    void *out = helia_eval_ptr(v, n->out[0]);
    if (n->out[0]->type == AIR_S8)
        return table_eval(v, n);
    if (n->out[0]->type == AIR_S16)
        helia_logistic_s16_c(n->params, in, helia_eval_ptr(v, n->args.at[1].tensor), out);
    else
        helia_logistic_f32_c(n->params, in, out);
    return true;
}

static bool eval_tanh(HeliaEval *v, const AirNode *n)
{
    const void *in = helia_eval_ptr(v, n->in[0]);
    void *out = helia_eval_ptr(v, n->out[0]);
    if (n->out[0]->type == AIR_S8)
        return table_eval(v, n);
    if (n->out[0]->type == AIR_S16)
        helia_tanh_s16_c(n->params, in, helia_eval_ptr(v, n->args.at[1].tensor), out);
    else
        helia_tanh_f32_c(n->params, in, out);
    return true;
}

#define CLASS(name, key, text, what)                                                                                   \
    static const HeliaOpClass name##_class = {                                                                         \
        .type = key,                                                                                                   \
        .doc = text,                                                                                                   \
        .traits = HELIA_OP_INPLACE,                                                                                    \
        .min_in = 1,                                                                                                   \
        .max_in = 1,                                                                                                   \
        .n_out = 1,                                                                                                    \
        .infer = unary_infer,                                                                                          \
        .on_resolve = resolve,                                                                                         \
        .kernels = name##_kernels,                                                                                     \
        .n_kernels = FIELD_COUNT(name##_kernels),                                                                      \
        .emit = emit,                                                                                                  \
        .eval = eval_##name,                                                                                           \
        .user = what,                                                                                                  \
    }
CLASS(logistic, "LOGISTIC", "1 / (1 + exp(-x))", &logistic);
CLASS(tanh, "TANH", "hyperbolic tangent", &tangent);
#undef CLASS

bool op_logistic_register(HeliaRegistryContext *r)
{
    bool ok = helia_register_op(r, &logistic_class, &unary_parser, NULL);
    return helia_register_op(r, &tanh_class, &unary_parser, NULL) && ok;
}
