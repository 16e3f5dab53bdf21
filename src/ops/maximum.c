/* MAXIMUM and MINIMUM with broadcasting: all operands have one type and one quantisation, so raw values are compared. */
#include <helia_aot/emit.h>

#include "helia_binary.h"
#include "op/broadcast.h"
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
    return infer_broadcast(c, n);
}

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const int types[] = {AIR_S8, AIR_U8, AIR_S16, AIR_S32, AIR_S64, AIR_F32, -1};
    const AirTensor *out = n->out[0];
    bool ok = check_out_type(c, n, 0, "output", types) && check_per_tensor(c, n, out, "output");
    for (uint32_t i = 0; i < 2; i++) {
        const char *what = helia_format(c->arena, "input %u", i);
        if (n->in[i]->type != out->type)
            ok = check_fail(c, n, "%s is %s and the output %s; they must be equal", what, air_type_doc(n->in[i]->type),
                            air_type_doc(out->type));
        else
            ok = check_same_quant(c, n, n->in[i], out, helia_format(c->arena, "%s and the output", what)) && ok;
    }
    return ok;
}

static bool prepare(const HeliaOpContext *c, AirNode *n)
{
    helia_binary_params *p = HELIA_NEW(c->arena, helia_binary_params);
    binary_args(c, n, p);
    return broadcast_plan(c, n, n->in[0], n->in[1], &p->shape);
}

#define ROW(op, suffix, type)                                                                                          \
    {                                                                                                                  \
        "helia_" op "_" #suffix "_c", "binary/helia_" op "_" #suffix "_c.c", HELIA_ISA_C, type, fits_out_##suffix,     \
            prepare, NULL                                                                                              \
    }
#define ROWS(op)                                                                                                       \
    ROW(op, s8, "int8"), ROW(op, u8, "uint8"), ROW(op, s16, "int16"), ROW(op, s32, "int32"), ROW(op, s64, "int64"),    \
        ROW(op, f32, "float32")
static const HeliaKernel maximum_kernels[] = {ROWS("maximum")};
static const HeliaKernel minimum_kernels[] = {ROWS("minimum")};
#undef ROWS
#undef ROW

static void print(HeliaOut *o, const void *params)
{
    const helia_binary_params *p = params;
    print_broadcast(o, "shape", &p->shape);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_binary_params", print);
}

BINARY_EVAL(maximum)
BINARY_EVAL(minimum)

#define CLASS(op, key, text)                                                                                           \
    static const HeliaOpClass op##_class = {                                                                           \
        .type = key,                                                                                                   \
        .doc = text,                                                                                                   \
        .traits = HELIA_OP_INPLACE,                                                                                    \
        .min_in = 2,                                                                                                   \
        .max_in = 2,                                                                                                   \
        .n_out = 1,                                                                                                    \
        .infer = infer,                                                                                                \
        .on_resolve = resolve,                                                                                         \
        .kernels = op##_kernels,                                                                                       \
        .n_kernels = FIELD_COUNT(op##_kernels),                                                                        \
        .emit = emit,                                                                                                  \
        .eval = eval_##op,                                                                                             \
    }
CLASS(maximum, "MAXIMUM", "element-wise larger value with broadcasting");
CLASS(minimum, "MINIMUM", "element-wise smaller value with broadcasting");
#undef CLASS

bool op_maximum_register(HeliaRegistryContext *r)
{
    bool ok = helia_register_op(r, &maximum_class, &parser, NULL);
    return helia_register_op(r, &minimum_class, &parser, NULL) && ok;
}
