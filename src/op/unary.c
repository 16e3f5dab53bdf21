/* Element-wise operators of one input. */
#include "op/unary.h"

static bool parse(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self, (void)p, (void)node;
    return true;
}
const HeliaLitertParser unary_parser = {parse, NULL};

bool unary_infer(const HeliaOpContext *c, AirNode *n)
{
    return infer_output(c, n, 0, n->in[0]->rank, n->in[0]->dim);
}

bool unary_check(const HeliaOpContext *c, const AirNode *n, const int *types)
{
    const AirTensor *in = n->in[0], *out = n->out[0];
    bool ok = check_in_type(c, n, 0, "input", types);
    if (in->type != out->type)
        ok = check_fail(c, n, "input is %s and output %s; they must be equal", air_type_doc(in->type),
                        air_type_doc(out->type));
    ok = check_per_tensor(c, n, in, "input") && ok;
    return check_per_tensor(c, n, out, "output") && ok;
}

bool unary_check_symmetric(const HeliaOpContext *c, const AirNode *n)
{
    if (n->in[0]->type != AIR_S16 || (zero_of(n->in[0]) == 0 && zero_of(n->out[0]) == 0))
        return true;
    return check_fail(c, n, "input and output are int16 with zero points %d and %d; they must be 0", zero_of(n->in[0]),
                      zero_of(n->out[0]));
}

void unary_args(const HeliaOpContext *c, AirNode *n, const void *params, AirTensor *table)
{
    n->params = params;
    air_arg(n, c->graph, n->in[0], false);
    if (table)
        air_arg(n, c->graph, table, false);
    air_arg(n, c->graph, n->out[0], true);
}

bool unary_prepare(const HeliaOpContext *c, AirNode *n)
{
    helia_activation_params *p = HELIA_NEW(c->arena, helia_activation_params);
    p->count = (int32_t)air_count(n->in[0]);
    unary_args(c, n, p, NULL);
    return true;
}

static void print_unary(HeliaOut *o, const void *params)
{
    const helia_activation_params *p = params;
    PRINT_INT(o, p, count);
}

bool unary_emit(HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_activation_params", print_unary);
}

/* ---- tables ----------------------------------------------------------------------------------- */
bool table_use(const HeliaOpContext *c, AirNode *n, const int8_t table[256])
{
    helia_lut_params *p = HELIA_NEW(c->arena, helia_lut_params);
    p->count = (int32_t)air_count(n->in[0]);
    unary_args(c, n, p, air_table_new(c->graph, n, "table", AIR_S8, 256, table));
    return true;
}

static void print_table(HeliaOut *o, const void *params)
{
    const helia_lut_params *p = params;
    PRINT_INT(o, p, count);
}

bool table_emit(HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_lut_params", print_table);
}

bool table_eval(HeliaEval *v, const AirNode *n)
{
    helia_lut_s8_c(n->params, helia_eval_ptr(v, n->in[0]), helia_eval_ptr(v, n->args.at[1].tensor),
                   helia_eval_ptr(v, n->out[0]));
    return true;
}
