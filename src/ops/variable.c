/* State in resource variables: VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE and CALL_ONCE.
 *
 *     VAR_HANDLE "buffer" -> h;  READ_VARIABLE h -> x;  ASSIGN_VARIABLE h y
 *     becomes  READ_VARIABLE v -> x;  ASSIGN_VARIABLE v y     with v a persistent tensor "buffer"
 *
 * CALL_ONCE runs its subgraph before the first inference: what that assigns becomes the variables' initial values, and
 * the operator is spent. READ_VARIABLE is a view; planning makes it a copy where the variable is overwritten while its
 * value is needed. */
#include <helia_aot/emit.h>

#include <string.h>

#include "air/import.h"
#include "air/variables.h"
#include "op/check.h"
#include "op/copy.h"
#include "op/op_list.h"

static const char *printable_name(HeliaArena *arena, const AirVariable *v)
{
    return helia_printable(arena, v->shared_name);
}

/* ---- handles ---------------------------------------------------------------------------------- */
static AirVariable *named_by(AirVariables *variables, const LitertOp *op)
{
    return air_variable_named(variables, litert_opt_text(op, "VarHandleOptions", "container"),
                              litert_opt_text(op, "VarHandleOptions", "shared_name"));
}

static bool parse_handle(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self;
    p->spent = true;
    if (node->n_out != 1 || node->out[0]->type != AIR_RESOURCE)
        return helia_error(p->diag, p->at, "the operator has one output, of type resource");
    p->variables->by_handle[node->out[0]->litert_index] = named_by(p->variables, p->op);
    return true;
}
static const HeliaLitertParser handle_parser = {parse_handle, NULL};

/* The variable of input 0, typed like the value where this is its first use. The node then names the variable. */
static bool take_variable(HeliaParse *p, AirNode *node, const AirTensor *like)
{
    const AirTensor *handle = node->in[0];
    AirVariable *v = handle && handle->litert_index >= 0 ? p->variables->by_handle[handle->litert_index] : NULL;
    if (!v)
        return helia_error(p->diag, p->at, "input 0 is no handle that a VAR_HANDLE of this subgraph makes");
    v->used = true;
    node->in[0] = air_variable_tensor(p->graph, v, like);
    return true;
}

static bool parse_read(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self;
    if (node->n_in != 1 || node->n_out != 1)
        return helia_error(p->diag, p->at, "has %u inputs and %u outputs; supported: 1 and 1", node->n_in, node->n_out);
    return take_variable(p, node, node->out[0]);
}
static const HeliaLitertParser read_parser = {parse_read, NULL};

static bool parse_assign(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self;
    if (node->n_in != 2 || node->n_out != 0 || !node->in[1])
        return helia_error(p->diag, p->at, "has %u inputs and %u outputs; supported: 2 and none", node->n_in,
                           node->n_out);
    return take_variable(p, node, node->in[1]);
}
static const HeliaLitertParser assign_parser = {parse_assign, NULL};

/* ---- initial values --------------------------------------------------------------------------- */
typedef struct Initializer {
    HeliaParse *p;
    const LitertSubgraph *subgraph;
    AirGraph *graph;         /* holds the constants that are assigned */
    AirVariable **by_handle; /* by tensor of the subgraph */
} Initializer;

static bool set_initial(Initializer *m, AirVariable *v, const AirTensor *value)
{
    HeliaParse *p = m->p;
    const char *name = printable_name(p->arena, v);
    if (v->used)
        return helia_error(p->diag, p->at, "variable \"%s\" is read or assigned before; CALL_ONCE must come first",
                           name);
    if (!air_is_constant(value))
        return helia_error(p->diag, p->at,
                           "subgraph %u assigns a computed value to variable \"%s\"; supported: constants",
                           m->graph->index, name);
    AirTensor *t = air_variable_tensor(p->graph, v, value);
    if (t->type != value->type || !air_same_shape(t, value))
        return helia_error(p->diag, p->at, "variable \"%s\" is given values of different types or shapes", name);
    t->quant = value->quant;
    t->initial = value->data;
    return true;
}

static bool run_once(Initializer *m, const LitertOp *op)
{
    HeliaParse *p = m->p;
    const char *key = litert_op_name(p->litert->operator_codes.at[op->opcode_index].builtin_code);
    if (key && strcmp(key, "VAR_HANDLE") == 0 && op->outputs.len == 1 && op->outputs.at[0] >= 0) {
        m->by_handle[op->outputs.at[0]] = named_by(p->variables, op);
        return true;
    }
    if (key && strcmp(key, "ASSIGN_VARIABLE") == 0 && op->inputs.len == 2 && op->inputs.at[0] >= 0 &&
        op->inputs.at[1] >= 0 && m->by_handle[op->inputs.at[0]]) {
        const AirTensor *value = air_import_tensor(p->litert, m->subgraph, (uint32_t)op->inputs.at[1], m->graph);
        return value && set_initial(m, m->by_handle[op->inputs.at[0]], value);
    }
    return helia_error(p->diag, p->at,
                       "subgraph %u has operator %s; supported: VAR_HANDLE, and ASSIGN_VARIABLE of constants",
                       m->graph->index, key ? key : "UNKNOWN");
}

static bool parse_once(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self, (void)node;
    p->spent = true;
    int64_t index = litert_opt_int(p->op, "CallOnceOptions", "init_subgraph_index", 0);
    if (index < 0 || index >= p->litert->subgraphs.len || (uint32_t)index == p->graph->index)
        return helia_error(p->diag, p->at, "init_subgraph_index is %lld; supported: another of the file's %u subgraphs",
                           (long long)index, p->litert->subgraphs.len);
    Initializer m = {p, &p->litert->subgraphs.at[index], HELIA_NEW(p->arena, AirGraph), NULL};
    m.graph->model = p->graph->model;
    m.graph->index = (uint32_t)index;
    m.by_handle = HELIA_NEW_N(p->arena, AirVariable *, m.subgraph->tensors.len);
    bool ok = true;
    for (uint32_t i = 0; i < m.subgraph->operators.len; i++)
        ok = run_once(&m, &m.subgraph->operators.at[i]) && ok;
    return ok;
}
static const HeliaLitertParser once_parser = {parse_once, NULL};

/* ---- reading and assigning --------------------------------------------------------------------- */
static bool check_value(const HeliaOpContext *c, const AirNode *n, const AirTensor *value, const char *what)
{
    const AirTensor *variable = n->in[0];
    if (!variable->is_variable)
        return check_fail(c, n, "input 0 is no variable");
    if (value->type != variable->type)
        return check_fail(c, n, "%s is %s and the variable %s; they must be equal", what, air_type_doc(value->type),
                          air_type_doc(variable->type));
    const char *both = helia_format(c->arena, "%s and the variable", what);
    return check_same_quant(c, n, value, variable, both) && check_same_shape(c, n, value, variable, both);
}

static bool infer_read(const HeliaOpContext *c, AirNode *n)
{
    return infer_output(c, n, 0, n->in[0]->rank, n->in[0]->dim);
}

static bool resolve_read(const HeliaOpContext *c, AirNode *n)
{
    air_arg(n, c->graph, n->in[0], false);
    air_arg(n, c->graph, n->out[0], true);
    return check_value(c, n, n->out[0], "the output");
}

static bool resolve_assign(const HeliaOpContext *c, AirNode *n)
{
    air_arg(n, c->graph, n->in[1], false);
    air_arg(n, c->graph, n->in[0], true);
    return check_value(c, n, n->in[1], "the value");
}

/* ---- classes ---------------------------------------------------------------------------------- */
static const HeliaOpClass handle_class = {
    .type = "VAR_HANDLE",
    .doc = "names a variable",
    .n_out = 1,
};
static const HeliaOpClass once_class = {
    .type = "CALL_ONCE",
    .doc = "gives variables their initial values",
};
static const HeliaOpClass read_class = {
    .type = "READ_VARIABLE",
    .doc = "the value of a variable: a view, or a copy where the variable is assigned before the value's last use",
    .traits = HELIA_OP_STATEFUL | HELIA_OP_VIEW,
    .min_in = 1,
    .max_in = 1,
    .n_out = 1,
    .infer = infer_read,
    .on_resolve = resolve_read,
    .eval = copy_eval,
};
static const HeliaOpClass assign_class = {
    .type = "ASSIGN_VARIABLE",
    .doc = "overwrites a variable",
    .traits = HELIA_OP_STATEFUL,
    .min_in = 2,
    .max_in = 2,
    .on_resolve = resolve_assign,
    .emit = copy_emit,
    .eval = copy_eval,
};

bool op_variable_register(HeliaRegistryContext *r)
{
    bool ok = helia_register_op(r, &handle_class, &handle_parser, NULL);
    ok = helia_register_op(r, &once_class, &once_parser, NULL) && ok;
    ok = helia_register_op(r, &read_class, &read_parser, NULL) && ok;
    return helia_register_op(r, &assign_class, &assign_parser, NULL) && ok;
}
