/* PACK: inputs of one shape as the layers of a new dimension; the concatenation kernel, a call an input. */
#include <helia_aot/emit.h>

#include "helia_concatenation.h"
#include "op/concatenation.h"
#include "op/op_list.h"
#include "op/strided.h"

typedef struct PackOptions {
    int32_t values_count, axis;
} PackOptions;

static const HeliaField fields[] = {FIELD_INT(PackOptions, values_count), FIELD_INT(PackOptions, axis)};
static const HeliaOptionsClass options_class = {"PackOptions", sizeof(PackOptions), fields, FIELD_COUNT(fields)};

static bool parse(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self;
    PackOptions *o = node->options;
    o->values_count = (int32_t)litert_opt_int(p->op, "PackOptions", "values_count", 0);
    o->axis = (int32_t)litert_opt_int(p->op, "PackOptions", "axis", 0);
    return true;
}
static const HeliaLitertParser parser = {parse, NULL};

static bool infer(const HeliaOpContext *c, AirNode *n)
{
    const PackOptions *o = n->options;
    const AirTensor *first = n->in[0];
    bool ok = true;
    for (uint32_t i = 1; i < n->n_in; i++) {
        if (!n->in[i])
            ok = check_fail(c, n, "input %u is missing", i);
        else
            ok = check_same_shape(c, n, first, n->in[i], helia_format(c->arena, "inputs 0 and %u", i)) && ok;
    }
    if (!ok)
        return false;
    if (first->rank == AIR_MAX_RANK)
        return check_fail(c, n, "input %s cannot have another dimension; at most %d are supported",
                          air_shape_text(c->arena, first), AIR_MAX_RANK);
    int32_t axis = check_axis(c, n, o->axis, first, 1), dim[AIR_MAX_RANK];
    if (axis < 0)
        return false;
    if (air_count(first) * n->n_in > INT32_MAX / 16)
        return check_fail(c, n, "the output has more than %d elements, the most that is supported", INT32_MAX / 16);
    for (int32_t d = 0; d <= first->rank; d++)
        dim[d] = d == axis ? (int32_t)n->n_in : first->dim[d - (d > axis)];
    return infer_output(c, n, 0, first->rank + 1, dim);
}

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    bool ok = true;
    for (uint32_t i = 0; i < n->n_in; i++)
        ok = check_movement(c, n, i) && ok;
    return ok;
}

/* params: an array, one entry an input. */
static bool prepare(const HeliaOpContext *c, AirNode *n)
{
    const PackOptions *o = n->options;
    helia_concatenation_params *p = HELIA_NEW_N(c->arena, helia_concatenation_params, n->n_in);
    const AirTensor *first = n->in[0];
    const int32_t axis = o->axis < 0 ? o->axis + first->rank + 1 : o->axis;
    int32_t rows = 1, layer = (int32_t)(air_type_bits(first->type) / 8);
    for (int32_t d = 0; d < first->rank; d++) {
        rows *= d < axis ? first->dim[d] : 1;
        layer *= d >= axis ? first->dim[d] : 1;
    }
    for (uint32_t i = 0; i < n->n_in; i++) {
        p[i] = (helia_concatenation_params){rows, layer, (int32_t)n->n_in * layer, (int32_t)i * layer};
        air_arg(n, c->graph, n->in[i], false);
    }
    air_arg(n, c->graph, n->out[0], true);
    n->params = p;
    return true;
}

static const HeliaKernel kernels[] = {
    {"helia_concatenation_c", "concatenation/helia_concatenation_c.c", HELIA_ISA_C, MOVEMENT_TYPES_TEXT, strided_fits,
     prepare, NULL},
};

static const HeliaOpClass pack_class = {
    .type = "PACK",
    .doc = "inputs as the layers of a new dimension",
    .traits = HELIA_OP_MOVES,
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

bool op_pack_register(HeliaRegistryContext *r)
{
    return helia_register_op(r, &pack_class, &parser, &options_class);
}
