/* PRELU: x, or x times its alpha below 0, alpha broadcast to the input; int8, uint8, int16 with int8 alpha, and float32. */
#include "helia_prelu.h"
#include "op/broadcast.h"
#include "op/op_list.h"
#include "op/unary.h"

static bool infer(const HeliaOpContext *c, AirNode *n)
{
    if (!infer_broadcast(c, n))
        return false;
    return check_same_shape(c, n, n->in[0], n->out[0], "input and output");
}

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const int types[] = {AIR_S8, AIR_U8, AIR_S16, AIR_F32, -1};
    if (!unary_check(c, n, types))
        return false;
    const int alpha[] = {n->in[0]->type == AIR_S16 ? (int)AIR_S8 : (int)n->in[0]->type, -1};
    return check_in_type(c, n, 1, "alpha", alpha) && check_per_tensor(c, n, n->in[1], "alpha");
}

static void set_args(const HeliaOpContext *c, AirNode *n, const void *params)
{
    n->params = params;
    air_arg(n, c->graph, n->in[0], false);
    air_arg(n, c->graph, n->in[1], false);
    air_arg(n, c->graph, n->out[0], true);
}

static bool prepare_int(const HeliaOpContext *c, AirNode *n)
{
    helia_prelu_params *p = HELIA_NEW(c->arena, helia_prelu_params);
    const AirTensor *in = n->in[0], *alpha = n->in[1], *out = n->out[0];
    const double scale_in = scale_of(in), scale_out = scale_of(out);
    p->zero_in = zero_of(in);
    p->zero_alpha = zero_of(alpha);
    p->zero_out = zero_of(out);
    type_range(out->type, &p->min, &p->max);
    set_args(c, n, p);
    return check_multiplier(c, n, "the scales of input and output", scale_in / scale_out, &p->multiplier,
                            &p->exponent) &&
           check_multiplier(c, n, "the scales of input, alpha and output",
                            scale_in * (double)scale_of(alpha) / scale_out, &p->alpha_multiplier, &p->alpha_exponent) &&
           broadcast_plan(c, n, in, alpha, &p->shape);
}

static bool prepare_f32(const HeliaOpContext *c, AirNode *n)
{
    helia_prelu_f32_params *p = HELIA_NEW(c->arena, helia_prelu_f32_params);
    set_args(c, n, p);
    return broadcast_plan(c, n, n->in[0], n->in[1], &p->shape);
}

static const HeliaKernel kernels[] = {
    {"helia_prelu_s8_c", "binary/helia_prelu_s8_c.c", HELIA_ISA_C, "int8", fits_out_s8, prepare_int, NULL},
    {"helia_prelu_u8_c", "binary/helia_prelu_u8_c.c", HELIA_ISA_C, "uint8", fits_out_u8, prepare_int, NULL},
    {"helia_prelu_s16_c", "binary/helia_prelu_s16_c.c", HELIA_ISA_C, "int16", fits_out_s16, prepare_int, NULL},
    {"helia_prelu_f32_c", "binary/helia_prelu_f32_c.c", HELIA_ISA_C, "float32", fits_out_f32, prepare_f32, NULL},
};

static void print_int_params(HeliaOut *o, const void *params)
{
    const helia_prelu_params *p = params;
    print_broadcast(o, "shape", &p->shape);
    PRINT_INT(o, p, zero_in);
    PRINT_INT(o, p, zero_alpha);
    PRINT_INT(o, p, zero_out);
    PRINT_INT(o, p, multiplier);
    PRINT_INT(o, p, exponent);
    PRINT_INT(o, p, alpha_multiplier);
    PRINT_INT(o, p, alpha_exponent);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

static void print_f32(HeliaOut *o, const void *params)
{
    const helia_prelu_f32_params *p = params;
    print_broadcast(o, "shape", &p->shape);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    if (n->out[0]->type == AIR_F32)
        return helia_emit_kernel_call(e, n, "helia_prelu_f32_params", print_f32);
    return helia_emit_kernel_call(e, n, "helia_prelu_params", print_int_params);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    const void *in = helia_eval_ptr(v, n->in[0]), *alpha = helia_eval_ptr(v, n->in[1]);
    void *out = helia_eval_ptr(v, n->out[0]);
    if (n->out[0]->type == AIR_F32)
        helia_prelu_f32_c(n->params, in, alpha, out);
    else if (n->out[0]->type == AIR_S16)
        helia_prelu_s16_c(n->params, in, alpha, out);
    else if (n->out[0]->type == AIR_U8)
        helia_prelu_u8_c(n->params, in, alpha, out);
    else
        helia_prelu_s8_c(n->params, in, alpha, out);
    return true;
}

static const HeliaOpClass prelu_class = {
    .type = "PRELU",
    .doc = "x, or x times an alpha of its own below 0",
    .min_in = 2,
    .max_in = 2,
    .n_out = 1,
    .infer = infer,
    .on_resolve = resolve,
    .kernels = kernels,
    .n_kernels = FIELD_COUNT(kernels),
    .emit = emit,
    .eval = eval,
};

bool op_prelu_register(HeliaRegistryContext *r)
{
    return helia_register_op(r, &prelu_class, &unary_parser, NULL);
}
