/* PAD and PADV2: constant paddings before and behind each dimension, any type of whole bytes.
 * PAD fills with the value that stands for 0 (the output's zero point), PADV2 with its third operand. */
#include <helia_aot/emit.h>

#include "helia_pad.h"
#include "op/check.h"
#include "op/op_list.h"
#include "op/print.h"

static bool parse(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self, (void)p, (void)node;
    return true;
}
static const HeliaLitertParser parser = {parse, NULL};

typedef struct Paddings {
    int64_t at[2 * AIR_MAX_RANK]; /* before and after, by dimension */
} Paddings;

static bool read_paddings(const HeliaOpContext *c, const AirNode *n, Paddings *p)
{
    const AirTensor *in = n->in[0];
    uint32_t count;
    if (!constant_ints(c, n, n->in[1], "paddings", p->at, 2 * AIR_MAX_RANK, &count))
        return false;
    if (count != 2u * (uint32_t)in->rank)
        return check_fail(c, n, "paddings %s has %u values; input %s needs two a dimension",
                          air_shape_text(c->arena, n->in[1]), count, air_shape_text(c->arena, in));
    for (uint32_t i = 0; i < count; i++)
        if (p->at[i] < 0 || p->at[i] > INT32_MAX / 16)
            return check_fail(c, n, "the padding %s dimension %u is %lld; supported: 0 to %d",
                              i % 2 ? "behind" : "before", i / 2, (long long)p->at[i], INT32_MAX / 16);
    return true;
}

static bool infer(const HeliaOpContext *c, AirNode *n)
{
    const AirTensor *in = n->in[0];
    Paddings p;
    if (!read_paddings(c, n, &p))
        return false;
    int32_t dim[AIR_MAX_RANK];
    int64_t count = 1;
    for (int32_t d = 0; d < in->rank; d++) {
        dim[d] = (int32_t)(in->dim[d] + p.at[2 * d] + p.at[2 * d + 1]);
        count *= dim[d];
        if (count > INT32_MAX / 16)
            return check_fail(c, n, "the padded shape has more than %d elements, the most that is supported",
                              INT32_MAX / 16);
    }
    return infer_output(c, n, 0, in->rank, dim);
}

/* The paddings by loop, as the kernel wants them. */
static bool plan_loops(const HeliaOpContext *c, const AirNode *n, helia_pad_params *k)
{
    const AirTensor *in = n->in[0];
    Paddings p;
    if (!read_paddings(c, n, &p))
        return false;
    k->rank = 1;
    k->element = (int32_t)(air_type_bits(in->type) / 8);
    if (air_count(n->out[0]) == 0)
        return true; /* one row of no bytes */
    k->in[0] = 1;
    for (int32_t d = 0; d < in->rank; d++) {
        int32_t before = (int32_t)p.at[2 * d], after = (int32_t)p.at[2 * d + 1], last = k->rank - 1;
        if (before == 0 && after == 0) {
            k->in[last] *= in->dim[d];
            k->before[last] *= in->dim[d];
            k->after[last] *= in->dim[d];
            continue;
        }
        /* A dimension that is 1 so far holds nothing to repeat the next one for. */
        bool fresh = k->in[last] == 1 && k->before[last] == 0 && k->after[last] == 0;
        if (!fresh && k->rank == HELIA_PAD_RANK)
            return check_fail(c, n, "padding %s needs more than %d loops, the most that is supported",
                              air_shape_text(c->arena, in), HELIA_PAD_RANK);
        last = fresh ? last : k->rank++;
        k->in[last] = in->dim[d];
        k->before[last] = before;
        k->after[last] = after;
    }
    k->in[k->rank - 1] *= k->element;
    k->before[k->rank - 1] *= k->element;
    k->after[k->rank - 1] *= k->element;
    return true;
}

static bool check_value(const HeliaOpContext *c, const AirNode *n)
{
    const AirTensor *value = n->in[2];
    bool ok = true;
    if (air_count(value) != 1)
        ok = check_fail(c, n, "the value to pad with has shape %s; it must be one element",
                        air_shape_text(c->arena, value));
    if (value->type != n->in[0]->type)
        return check_fail(c, n, "the value to pad with is %s and the input %s; they must be equal",
                          air_type_doc(value->type), air_type_doc(n->in[0]->type));
    return check_same_quant(c, n, value, n->in[0], "the value to pad with and the input") && ok;
}

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const int types[] = {AIR_S8, AIR_U8, AIR_S16, AIR_S32, AIR_S64, AIR_F32, AIR_BOOL, -1};
    const AirTensor *in = n->in[0], *out = n->out[0];
    bool ok = check_in_type(c, n, 0, "input", types);
    if (in->type != out->type)
        ok = check_fail(c, n, "input is %s and output %s; they must be equal", air_type_doc(in->type),
                        air_type_doc(out->type));
    ok = check_per_tensor(c, n, in, "input") && check_per_tensor(c, n, out, "output") &&
         check_same_quant(c, n, in, out, "input and output") && ok;
    if (n->n_in > 2)
        ok = check_value(c, n) && ok;
    int32_t zero = zero_of(out);
    if (n->n_in == 2 && air_type_bits(in->type) > 8 && zero != 0)
        ok = check_fail(c, n, "output is %s with zero point %d; it must be 0", air_type_doc(out->type), zero);
    return ok;
}

static const char *fits(const HeliaOpContext *c, const AirNode *n)
{
    (void)c, (void)n;
    return NULL;
}

static bool prepare(const HeliaOpContext *c, AirNode *n)
{
    helia_pad_params *p = HELIA_NEW(c->arena, helia_pad_params);
    p->fill = zero_of(n->out[0]) & 255;
    n->params = p;
    air_arg(n, c->graph, n->in[0], false);
    air_arg(n, c->graph, n->n_in > 2 ? n->in[2] : NULL, false);
    air_arg(n, c->graph, n->out[0], true);
    return plan_loops(c, n, p);
}

static const HeliaKernel kernels[] = {
    {"helia_pad_c", "pad/helia_pad_c.c", HELIA_ISA_C, "int8, uint8, int16, int32, int64, float32, bool", fits, prepare,
     NULL},
};

static void print(HeliaOut *o, const void *params)
{
    const helia_pad_params *p = params;
    PRINT_INT(o, p, rank);
    print_ints(o, "in", p->in, (uint32_t)p->rank);
    print_ints(o, "before", p->before, (uint32_t)p->rank);
    print_ints(o, "after", p->after, (uint32_t)p->rank);
    PRINT_INT(o, p, element);
    PRINT_INT(o, p, fill);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_pad_params", print);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    const AirTensor *value = n->n_in > 2 ? n->in[2] : NULL;
    helia_pad_c(n->params, helia_eval_ptr(v, n->in[0]), helia_eval_ptr(v, value), helia_eval_ptr(v, n->out[0]));
    return true;
}

static const HeliaOpClass pad_class = {
    .type = "PAD",
    .doc = "zeros around the input",
    .traits = HELIA_OP_PRUNABLE | HELIA_OP_MOVES,
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
static const HeliaOpClass padv2_class = {
    .type = "PADV2",
    .doc = "a given value around the input",
    .traits = HELIA_OP_PRUNABLE | HELIA_OP_MOVES,
    .min_in = 3,
    .max_in = 3,
    .n_out = 1,
    .infer = infer,
    .on_resolve = resolve,
    .kernels = kernels,
    .n_kernels = FIELD_COUNT(kernels),
    .emit = emit,
    .eval = eval,
};

bool op_pad_register(HeliaRegistryContext *r)
{
    bool ok = helia_register_op(r, &pad_class, &parser, NULL);
    return helia_register_op(r, &padv2_class, &parser, NULL) && ok;
}
