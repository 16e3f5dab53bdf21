/* CAST: element by element to another type; raw values, without regard to quantisation. */
#include "helia_cast.h"
#include "op/op_list.h"
#include "op/unary.h"

static const int types[] = {AIR_BOOL, AIR_S8, AIR_U8, AIR_S16, AIR_U16, AIR_S32, AIR_U32, AIR_S64, AIR_F32, -1};

/* HELIA_CAST_ of a type that is supported. */
static int32_t cast_type(AirType type)
{
    int32_t i = 0;
    while (types[i] != (int)type)
        i++;
    return i;
}

/* The options in_data_type and out_data_type repeat the tensors' types. */
static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    bool ok = check_in_type(c, n, 0, "input", types);
    return check_out_type(c, n, 0, "output", types) && ok;
}

static const char *fits(const HeliaOpContext *c, const AirNode *n)
{
    (void)c, (void)n;
    return NULL;
}

static bool prepare(const HeliaOpContext *c, AirNode *n)
{
    helia_cast_params *p = HELIA_NEW(c->arena, helia_cast_params);
    p->count = (int32_t)air_count(n->in[0]);
    p->from = cast_type(n->in[0]->type);
    p->to = cast_type(n->out[0]->type);
    unary_args(c, n, p, NULL);
    return true;
}

static const HeliaKernel kernels[] = {
    {"helia_cast_c", "cast/helia_cast_c.c", HELIA_ISA_C,
     "bool, int8, uint8, int16, uint16, int32, uint32, int64, float32", fits, prepare, NULL},
};

static void print(HeliaOut *o, const void *params)
{
    const helia_cast_params *p = params;
    PRINT_INT(o, p, count);
    PRINT_INT(o, p, from);
    PRINT_INT(o, p, to);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_cast_params", print);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    helia_cast_c(n->params, helia_eval_ptr(v, n->in[0]), helia_eval_ptr(v, n->out[0]));
    return true;
}

static const HeliaOpClass cast_class = {
    .type = "CAST",
    .doc = "another element type",
    .traits = HELIA_OP_PRUNABLE,
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

bool op_cast_register(HeliaRegistryContext *r)
{
    return helia_register_op(r, &cast_class, &unary_parser, NULL);
}
