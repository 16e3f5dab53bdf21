/* Evaluation on the host: every tensor has its own buffer, so that any of them can be looked at afterwards. */
#include "op/eval.h"

#include <string.h>

#include "support/blame.h"

struct Evaluation {
    HeliaArena *arena;
    AirGraph *graph;
    HeliaEval eval;
};

static void reset_variable(const AirTensor *t, void *data)
{
    int zero = t->type == AIR_S8 && t->quant ? t->quant->zero[0] : 0;
    if (t->initial)
        memcpy(data, t->initial, air_bytes(t));
    else
        memset(data, zero, air_bytes(t));
}

static bool can_evaluate(const AirGraph *g)
{
    bool ok = true;
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        const AirNode *n = g->nodes.at[i];
        if (!n->op->eval && !(n->op->traits & HELIA_OP_VIEW))
            ok = helia_error(g->model->diag, air_node_loc(g, n),
                             "the operator class has no eval: the model cannot run on the host");
    }
    return ok;
}

Evaluation *evaluation_new(HeliaArena *arena, AirGraph *graph)
{
    if (!can_evaluate(graph))
        return NULL;
    Evaluation *e = HELIA_NEW(arena, Evaluation);
    e->arena = arena;
    e->graph = graph;
    e->eval.graph = graph;
    e->eval.diag = graph->model->diag;
    e->eval.data = HELIA_NEW_N(arena, void *, graph->tensors.len);
    for (uint32_t i = 0; i < graph->tensors.len; i++) {
        AirTensor *t = graph->tensors.at[i];
        e->eval.data[i] = t->data ? (void *)(uintptr_t)t->data : helia_alloc(arena, air_bytes(t), 1);
        if (t->is_variable)
            reset_variable(t, e->eval.data[i]);
    }
    size_t scratch = 0;
    for (uint32_t i = 0; i < graph->nodes.len; i++) {
        const AirNode *n = graph->nodes.at[i];
        scratch = n->scratch > scratch ? n->scratch : scratch;
        /* A variable may be overwritten while its value is needed, all the more when planning has moved operators. */
        if (n->op->traits & HELIA_OP_VIEW && !n->in[0]->is_variable)
            e->eval.data[n->out[0]->id] = e->eval.data[n->in[0]->id];
    }
    e->eval.scratch = helia_alloc(arena, scratch, 1);
    return e;
}

void *evaluation_input(Evaluation *e, uint32_t i)
{
    return e->eval.data[e->graph->inputs.at[i]->id];
}

const void *evaluation_output(const Evaluation *e, uint32_t i)
{
    return e->eval.data[e->graph->outputs.at[i]->id];
}

static bool run_node(Evaluation *e, const AirNode *n)
{
    const uint32_t errors = helia_diag_errors(e->eval.diag);
    if (!(n->op->traits & HELIA_OP_VIEW))
        return blame(e->eval.diag, n->op->eval(&e->eval, n), errors, air_node_loc(e->graph, n), "the class's eval");
    const void *from = helia_eval_ptr(&e->eval, n->in[0]);
    void *to = helia_eval_ptr(&e->eval, n->out[0]);
    if (to != from)
        memcpy(to, from, air_bytes(n->out[0]));
    return true;
}

bool evaluation_step(Evaluation *e, uint32_t position)
{
    return run_node(e, e->graph->nodes.at[position]);
}

bool evaluation_run(Evaluation *e)
{
    for (uint32_t i = 0; i < e->graph->nodes.len; i++)
        if (!evaluation_step(e, i))
            return false;
    return true;
}

const void *evaluation_value(const Evaluation *e, const AirTensor *tensor)
{
    return e->eval.data[tensor->id];
}
