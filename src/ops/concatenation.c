/* CONCATENATION along any axis, any type of whole bytes; inputs and output have the same quantisation.
 * The operator is one kernel call an input, so that the number of inputs has no limit. */
#include <helia_aot/emit.h>

#include "helia_concatenation.h"
#include "op/check.h"
#include "op/concatenation.h"
#include "op/op_list.h"

typedef struct ConcatenationOptions {
    int32_t axis;
    int32_t fused_activation_function;
} ConcatenationOptions;

static const HeliaField fields[] = {
    FIELD_INT(ConcatenationOptions, axis),
    FIELD_ENUM(ConcatenationOptions, fused_activation_function, activation_names),
};
static const HeliaOptionsClass options_class = {"ConcatenationOptions", sizeof(ConcatenationOptions), fields,
                                                FIELD_COUNT(fields)};

static bool parse(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self;
    static const char table[] = "ConcatenationOptions";
    ConcatenationOptions *o = node->options;
    o->axis = (int32_t)litert_opt_int(p->op, table, "axis", 0);
    o->fused_activation_function = (int32_t)litert_opt_int(p->op, table, "fused_activation_function", ACT_NONE);
    return true;
}
static const HeliaLitertParser parser = {parse, NULL};

static int32_t axis_of(const AirNode *n)
{
    const ConcatenationOptions *o = n->options;
    return o->axis < 0 ? o->axis + n->in[0]->rank : o->axis;
}

/* The input fits beside the first one. */
static bool check_shape(const HeliaOpContext *c, const AirNode *n, uint32_t i, int32_t axis)
{
    const AirTensor *first = n->in[0], *t = n->in[i];
    bool same = t->rank == first->rank;
    for (int32_t d = 0; same && d < t->rank; d++)
        same = d == axis || t->dim[d] == first->dim[d];
    if (same)
        return true;
    return check_fail(c, n, "input %u has shape %s and input 0 %s; they may differ in dimension %d only", i,
                      air_shape_text(c->arena, t), air_shape_text(c->arena, first), axis);
}

static bool infer(const HeliaOpContext *c, AirNode *n)
{
    const ConcatenationOptions *o = n->options;
    const AirTensor *first = n->in[0];
    const int32_t axis = axis_of(n);
    if (axis < 0 || axis >= first->rank)
        return check_fail(c, n, "axis %d is outside input 0 %s; supported: %d to %d", o->axis,
                          air_shape_text(c->arena, first), -first->rank, first->rank - 1);
    bool ok = true;
    int64_t extent = 0;
    for (uint32_t i = 0; i < n->n_in; i++) {
        if (!n->in[i]) {
            ok = check_fail(c, n, "input %u is missing", i);
        } else {
            bool fits = check_shape(c, n, i, axis);
            ok = fits && ok;
            extent += fits ? n->in[i]->dim[axis] : 0;
        }
    }
    if (!ok)
        return false;
    int32_t dim[AIR_MAX_RANK];
    int64_t count = extent;
    for (int32_t d = 0; d < first->rank; d++) {
        dim[d] = d == axis ? (int32_t)extent : first->dim[d];
        count *= d == axis ? 1 : first->dim[d];
        if (count > INT32_MAX / 16)
            return check_fail(c, n, "the output has more than %d elements, the most that is supported", INT32_MAX / 16);
    }
    return infer_output(c, n, 0, first->rank, dim);
}

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const int types[] = {AIR_S8, AIR_U8, AIR_S16, AIR_S32, AIR_S64, AIR_F32, AIR_BOOL, -1};
    const ConcatenationOptions *o = n->options;
    const AirTensor *out = n->out[0];
    bool ok = check_out_type(c, n, 0, "output", types) && check_per_tensor(c, n, out, "output");
    for (uint32_t i = 0; i < n->n_in; i++) {
        const char *what = helia_format(c->arena, "input %u", i);
        if (n->in[i]->type != out->type)
            ok = check_fail(c, n, "%s is %s and the output %s; they must be equal", what, air_type_doc(n->in[i]->type),
                            air_type_doc(out->type));
        else
            ok = check_same_quant(c, n, n->in[i], out, helia_format(c->arena, "%s and the output", what)) && ok;
    }
    if (o->fused_activation_function != ACT_NONE)
        ok = check_fail(c, n, "fused activation %d is not supported; supported: NONE (0)",
                        o->fused_activation_function);
    return ok;
}

static const char *fits(const HeliaOpContext *c, const AirNode *n)
{
    (void)c, (void)n;
    return NULL;
}

/* params: an array, one entry an input. */
static bool prepare(const HeliaOpContext *c, AirNode *n)
{
    helia_concatenation_params *p = HELIA_NEW_N(c->arena, helia_concatenation_params, n->n_in);
    const AirTensor *out = n->out[0];
    const int32_t axis = axis_of(n);
    int32_t rows = 1, column = (int32_t)(air_type_bits(out->type) / 8), offset = 0;
    for (int32_t d = 0; d < out->rank; d++) {
        rows *= d < axis ? out->dim[d] : 1;
        column *= d > axis ? out->dim[d] : 1;
    }
    for (uint32_t i = 0; i < n->n_in; i++) {
        int32_t bytes = n->in[i]->dim[axis] * column;
        p[i] = (helia_concatenation_params){rows, bytes, out->dim[axis] * column, offset};
        offset += bytes;
        air_arg(n, c->graph, n->in[i], false);
    }
    air_arg(n, c->graph, n->out[0], true);
    n->params = p;
    return true;
}

static const HeliaKernel kernels[] = {
    {"helia_concatenation_c", "concatenation/helia_concatenation_c.c", HELIA_ISA_C,
     "int8, uint8, int16, int32, int64, float32, bool", fits, prepare, NULL},
};

static const HeliaOpClass concatenation_class = {
    .type = "CONCATENATION",
    .doc = "inputs side by side along an axis",
    .traits = HELIA_OP_PRUNABLE | HELIA_OP_MOVES,
    .min_in = 1,
    .max_in = UINT32_MAX,
    .n_out = 1,
    .infer = infer,
    .on_resolve = resolve,
    .kernels = kernels,
    .n_kernels = FIELD_COUNT(kernels),
    .emit = concatenation_emit,
    .eval = concatenation_eval,
    .part = concatenation_part,
};

bool op_concatenation_register(HeliaRegistryContext *r)
{
    return helia_register_op(r, &concatenation_class, &parser, &options_class);
}
