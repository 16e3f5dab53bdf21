/* HARD_SWISH and ELU: int8 through a table of all 256 results, and float32.
 * The int8 HARD_SWISH is the reference's arithmetic of 16 bits. */
#include <math.h>

#include "helia_math.h"
#include "op/op_list.h"
#include "op/unary.h"

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const int types[] = {AIR_S8, AIR_F32, -1};
    return unary_check(c, n, types);
}

/* ---- int8 HARD_SWISH -------------------------------------------------------------------------- */
static int32_t saturate16(int32_t x)
{
    return helia_clamp(x, INT16_MIN, INT16_MAX);
}

/* round(a * b / 2^15), halves towards +infinity. */
static int32_t multiply16(int32_t a, int32_t b)
{
    return a == INT16_MIN && b == INT16_MIN ? INT16_MAX : (a * b + (1 << 14)) >> 15;
}

static int32_t reduce16(int32_t m)
{
    return m >= INT32_MAX - (1 << 15) ? INT16_MAX : (m + (1 << 15)) >> 16;
}

/* 0 to 2^15 - 1 for the gate min(max(x + 3, 0), 6) / 6; m and e bring x from the finer input scale to 3 / 2^15. */
static int32_t gate(int32_t x, int32_t m, int32_t e)
{
    int32_t r = e > 0 ? saturate16(x * (1 << helia_min(e - 1, 15))) : x;
    r = multiply16(r, m);
    r = e > 0 ? saturate16(r * 2) : e < 0 ? helia_rdbp(r, -e) : r;
    return (r + (1 << 15)) >> 1;
}

static bool prepare_hard_swish(const HeliaOpContext *c, AirNode *n)
{
    const AirTensor *in = n->in[0], *out = n->out[0];
    const float finer = scale_of(in) * (1.0f / 128.0f), unit = 3.0f / 32768.0f;
    const float to_out = finer / scale_of(out), to_gate = finer / unit;
    int32_t out_m, out_e, gate_m, gate_e;
    if (!check_multiplier(c, n, "the scales of input and output", (double)to_out, &out_m, &out_e) ||
        !check_multiplier(c, n, "the scale of the input", (double)to_gate, &gate_m, &gate_e))
        return false;
    if (out_e > 0)
        return check_fail(c, n, "the output's scale %g is too small for an input of scale %g; at least %g is supported",
                          (double)scale_of(out), (double)scale_of(in), (double)finer);
    int8_t table[256];
    for (int32_t q = -128; q <= 127; q++) {
        int32_t x = (q - zero_of(in)) * 128; /* within 16 bits for zero points of int8 */
        int32_t product = gate(x, reduce16(gate_m), gate_e) * multiply16(x, reduce16(out_m)) / (1 << 15);
        table[q + 128] = (int8_t)helia_clamp(helia_rdbp(product, -out_e) + zero_of(out), -128, 127);
    }
    return table_use(c, n, table);
}

/* ---- int8 ELU --------------------------------------------------------------------------------- */
static double elu(double x, const void *user)
{
    (void)user;
    return x > 0.0 ? x : (double)expm1f((float)x);
}

static bool prepare_elu(const HeliaOpContext *c, AirNode *n)
{
    int8_t table[256];
    lut8(n->in[0], n->out[0], elu, NULL, table);
    return table_use(c, n, table);
}

/* ---- classes ---------------------------------------------------------------------------------- */
static const HeliaKernel hard_swish_kernels[] = {
    TABLE_ROW(prepare_hard_swish),
    {"helia_hard_swish_f32_c", "activation/helia_hard_swish_f32_c.c", HELIA_ISA_C, "float32", fits_out_f32,
     unary_prepare, NULL},
};
static const HeliaKernel elu_kernels[] = {
    TABLE_ROW(prepare_elu),
    {"helia_elu_f32_c", "activation/helia_elu_f32_c.c", HELIA_ISA_C, "float32", fits_out_f32, unary_prepare, NULL},
};

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    return n->out[0]->type == AIR_S8 ? table_emit(e, n) : unary_emit(e, n);
}

static bool eval_hard_swish(HeliaEval *v, const AirNode *n)
{
    if (n->out[0]->type == AIR_S8)
        return table_eval(v, n);
    helia_hard_swish_f32_c(n->params, helia_eval_ptr(v, n->in[0]), helia_eval_ptr(v, n->out[0]));
    return true;
}

static bool eval_elu(HeliaEval *v, const AirNode *n)
{
    if (n->out[0]->type == AIR_S8)
        return table_eval(v, n);
    helia_elu_f32_c(n->params, helia_eval_ptr(v, n->in[0]), helia_eval_ptr(v, n->out[0]));
    return true;
}

#define CLASS(name, key, text)                                                                                         \
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
    }
CLASS(hard_swish, "HARD_SWISH", "x * min(max(x + 3, 0), 6) / 6");
CLASS(elu, "ELU", "x, or exp(x) - 1 below 0");
#undef CLASS

bool op_hard_swish_register(HeliaRegistryContext *r)
{
    bool ok = helia_register_op(r, &hard_swish_class, &unary_parser, NULL);
    return helia_register_op(r, &elu_class, &unary_parser, NULL) && ok;
}
