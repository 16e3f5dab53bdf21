/* QUANTIZE: float32 to int8, uint8 or int16, and between int8, uint8, int16 and int32.
 * DEQUANTIZE: int8, uint8, int16 and float16 to float32. */
#include <helia_aot/emit.h>

#include "helia_quantize.h"
#include "op/check.h"
#include "op/op_list.h"
#include "op/print.h"
#include "op/unary.h"

/* The pairs of types that have a kernel: X(name of the kernel, AirType of the input, of the output, for the
 * documentation). */
#define FROM_FLOAT(X)                                                                                                  \
    X(quantize_f32_s8, AIR_F32, AIR_S8, "float32 to int8")                                                             \
    X(quantize_f32_u8, AIR_F32, AIR_U8, "float32 to uint8")                                                            \
    X(quantize_f32_s16, AIR_F32, AIR_S16, "float32 to int16")
#define BETWEEN_INTEGERS(X)                                                                                            \
    X(requantize_s8_s8, AIR_S8, AIR_S8, "int8 to int8")                                                                \
    X(requantize_s8_u8, AIR_S8, AIR_U8, "int8 to uint8")                                                               \
    X(requantize_s8_s16, AIR_S8, AIR_S16, "int8 to int16")                                                             \
    X(requantize_s8_s32, AIR_S8, AIR_S32, "int8 to int32")                                                             \
    X(requantize_u8_s8, AIR_U8, AIR_S8, "uint8 to int8")                                                               \
    X(requantize_u8_u8, AIR_U8, AIR_U8, "uint8 to uint8")                                                              \
    X(requantize_u8_s16, AIR_U8, AIR_S16, "uint8 to int16")                                                            \
    X(requantize_u8_s32, AIR_U8, AIR_S32, "uint8 to int32")                                                            \
    X(requantize_s16_s8, AIR_S16, AIR_S8, "int16 to int8")                                                             \
    X(requantize_s16_u8, AIR_S16, AIR_U8, "int16 to uint8")                                                            \
    X(requantize_s16_s16, AIR_S16, AIR_S16, "int16 to int16")                                                          \
    X(requantize_s16_s32, AIR_S16, AIR_S32, "int16 to int32")                                                          \
    X(requantize_s32_s8, AIR_S32, AIR_S8, "int32 to int8")                                                             \
    X(requantize_s32_u8, AIR_S32, AIR_U8, "int32 to uint8")                                                            \
    X(requantize_s32_s16, AIR_S32, AIR_S16, "int32 to int16")                                                          \
    X(requantize_s32_s32, AIR_S32, AIR_S32, "int32 to int32")
#define TO_FLOAT(X)                                                                                                    \
    X(dequantize_s8, AIR_S8, AIR_F32, "int8 to float32")                                                               \
    X(dequantize_u8, AIR_U8, AIR_F32, "uint8 to float32")                                                              \
    X(dequantize_s16, AIR_S16, AIR_F32, "int16 to float32")                                                            \
    X(dequantize_f16, AIR_F16, AIR_F32, "float16 to float32")

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

static bool has_scale(const HeliaOpContext *c, const AirNode *n, const AirTensor *t, const char *what)
{
    if (t->type == AIR_S32 && !t->quant)
        return check_fail(c, n, "%s is int32 without quantisation; it needs a scale", what);
    if (t->quant && t->quant->n != 1)
        return check_fail(c, n, "%s is quantised per channel (%u scales); it must be per tensor", what, t->quant->n);
    return check_per_tensor(c, n, t, what);
}

static bool resolve_quantize(const HeliaOpContext *c, AirNode *n)
{
    static const int from[] = {AIR_F32, AIR_S8, AIR_U8, AIR_S16, AIR_S32, -1};
    static const int to_from_float[] = {AIR_S8, AIR_U8, AIR_S16, -1};
    static const int to[] = {AIR_S8, AIR_U8, AIR_S16, AIR_S32, -1};
    const bool is_float = n->in[0]->type == AIR_F32;
    bool ok = check_in_type(c, n, 0, "input", from);
    ok = check_out_type(c, n, 0, "output", is_float ? to_from_float : to) && ok;
    ok = (is_float || has_scale(c, n, n->in[0], "input")) && ok;
    return has_scale(c, n, n->out[0], "output") && ok;
}

static bool resolve_dequantize(const HeliaOpContext *c, AirNode *n)
{
    static const int from[] = {AIR_S8, AIR_U8, AIR_S16, AIR_F16, -1};
    static const int to[] = {AIR_F32, -1};
    bool ok = check_in_type(c, n, 0, "input", from);
    ok = check_out_type(c, n, 0, "output", to) && ok;
    return has_scale(c, n, n->in[0], "input") && ok;
}

/* ---- kernels ---------------------------------------------------------------------------------- */
#define FITS(kernel, from, to, types)                                                                                  \
    static const char *fits_##kernel(const HeliaOpContext *c, const AirNode *n)                                        \
    {                                                                                                                  \
        (void)c;                                                                                                       \
        return n->in[0]->type == from && n->out[0]->type == to ? NULL : "other data types";                            \
    }
FROM_FLOAT(FITS)
BETWEEN_INTEGERS(FITS)
TO_FLOAT(FITS)
#undef FITS

static void set_args(const HeliaOpContext *c, AirNode *n, const void *params)
{
    n->params = params;
    air_arg(n, c->graph, n->in[0], false);
    air_arg(n, c->graph, n->out[0], true);
}

static bool prepare_quantize(const HeliaOpContext *c, AirNode *n)
{
    const AirTensor *out = n->out[0];
    helia_quantize_params *p = HELIA_NEW(c->arena, helia_quantize_params);
    p->count = (int32_t)air_count(out);
    p->scale = scale_of(out);
    p->zero = zero_of(out);
    type_range(out->type, &p->min, &p->max);
    set_args(c, n, p);
    return true;
}

static bool requantize_params(const HeliaOpContext *c, const AirNode *n, int32_t count, helia_requantize_params *p)
{
    const AirTensor *in = n->in[0], *out = n->out[0];
    p->count = count;
    p->zero_in = zero_of(in);
    p->zero_out = zero_of(out);
    type_range(out->type, &p->min, &p->max);
    return check_multiplier(c, n, "the scales of input and output", (double)scale_of(in) / (double)scale_of(out),
                            &p->multiplier, &p->exponent);
}

static bool prepare_requantize(const HeliaOpContext *c, AirNode *n)
{
    helia_requantize_params *p = HELIA_NEW(c->arena, helia_requantize_params);
    set_args(c, n, p);
    return requantize_params(c, n, (int32_t)air_count(n->out[0]), p);
}

enum { TABLE_ENTRIES = 256, FEWEST_ELEMENTS = 32 };

/* int8 to int8 by a table of all results: a load in place of the arithmetic, for 256 bytes. */
static const char *fits_table(const HeliaOpContext *c, const AirNode *n)
{
    const char *why = fits_requantize_s8_s8(c, n);
    return why                                      ? why
           : c->target->goal != HELIA_GOAL_LATENCY  ? "a table takes 256 bytes, and the goal is not latency"
           : air_count(n->out[0]) < FEWEST_ELEMENTS ? "there are too few elements for a table to pay"
                                                    : NULL;
}

static bool prepare_table(const HeliaOpContext *c, AirNode *n)
{
    helia_requantize_params p;
    int8_t table[TABLE_ENTRIES];
    for (int32_t i = 0; i < TABLE_ENTRIES; i++)
        table[i] = (int8_t)(i + INT8_MIN);
    if (!requantize_params(c, n, TABLE_ENTRIES, &p))
        return false;
    helia_requantize_s8_s8_c(&p, table, table);
    return table_use(c, n, table);
}

static bool has_table(const AirNode *n)
{
    return n->kernel->prepare == prepare_table;
}

static bool prepare_dequantize(const HeliaOpContext *c, AirNode *n)
{
    const AirTensor *in = n->in[0];
    helia_dequantize_params *p = HELIA_NEW(c->arena, helia_dequantize_params);
    p->count = (int32_t)air_count(in);
    p->scale = scale_of(in);
    p->zero = zero_of(in);
    set_args(c, n, p);
    return true;
}

#define ROW(kernel, types, prepare)                                                                                    \
    {"helia_" #kernel "_c", "quantize/helia_" #kernel "_c.c", HELIA_ISA_C, types, fits_##kernel, prepare, NULL},
static const HeliaKernel quantize_kernels[] = {
#define X(kernel, from, to, types) ROW(kernel, types, prepare_quantize)
    FROM_FLOAT(X)
#undef X
        {"helia_lut_s8_c", "lut/helia_lut_s8_c.c", HELIA_ISA_C, "int8 to int8", fits_table, prepare_table, NULL},
#define X(kernel, from, to, types) ROW(kernel, types, prepare_requantize)
    BETWEEN_INTEGERS(X)
#undef X
};
static const HeliaKernel dequantize_kernels[] = {
#define X(kernel, from, to, types) ROW(kernel, types, prepare_dequantize)
    TO_FLOAT(X)
#undef X
};
#undef ROW

/* ---- emission and evaluation ------------------------------------------------------------------ */
static void print_quantize(HeliaOut *o, const void *params)
{
    const helia_quantize_params *p = params;
    PRINT_INT(o, p, count);
    PRINT_FLOAT(o, p, scale);
    PRINT_INT(o, p, zero);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

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

static void print_dequantize(HeliaOut *o, const void *params)
{
    const helia_dequantize_params *p = params;
    PRINT_INT(o, p, count);
    PRINT_FLOAT(o, p, scale);
    PRINT_INT(o, p, zero);
}

static bool emit_quantize(HeliaEmitter *e, const AirNode *n)
{
    if (has_table(n))
        return table_emit(e, n);
    if (n->in[0]->type == AIR_F32)
        return helia_emit_kernel_call(e, n, "helia_quantize_params", print_quantize);
    return helia_emit_kernel_call(e, n, "helia_requantize_params", print_requantize);
}

static bool emit_dequantize(HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_dequantize_params", print_dequantize);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    if (has_table(n))
        return table_eval(v, n);
    const void *in = helia_eval_ptr(v, n->in[0]);
    void *out = helia_eval_ptr(v, n->out[0]);
#define X(kernel, from, to, types)                                                                                     \
    if (n->in[0]->type == from && n->out[0]->type == to) {                                                             \
        helia_##kernel##_c(n->params, in, out);                                                                        \
        return true;                                                                                                   \
    }
    FROM_FLOAT(X)
    BETWEEN_INTEGERS(X)
    TO_FLOAT(X)
#undef X
    return false;
}

static const HeliaOpClass quantize_class = {
    .type = "QUANTIZE",
    .doc = "float to integer, or one quantisation to another",
    .traits = HELIA_OP_INPLACE | HELIA_OP_PRUNABLE,
    .min_in = 1,
    .max_in = 1,
    .n_out = 1,
    .infer = infer,
    .on_resolve = resolve_quantize,
    .kernels = quantize_kernels,
    .n_kernels = FIELD_COUNT(quantize_kernels),
    .emit = emit_quantize,
    .eval = eval,
};
static const HeliaOpClass dequantize_class = {
    .type = "DEQUANTIZE",
    .doc = "quantised or half precision to float32",
    .min_in = 1,
    .max_in = 1,
    .n_out = 1,
    .infer = infer,
    .on_resolve = resolve_dequantize,
    .kernels = dequantize_kernels,
    .n_kernels = FIELD_COUNT(dequantize_kernels),
    .emit = emit_dequantize,
    .eval = eval,
};

bool op_quantize_register(HeliaRegistryContext *r)
{
    bool ok = helia_register_op(r, &quantize_class, &parser, NULL);
    return helia_register_op(r, &dequantize_class, &parser, NULL) && ok;
}
