/* Operators that are evaluated at compile time and replaced by their results. */
#include "passes/passes_int.h"

#include <string.h>

#include "op/resolve.h"

static void unheard(void *user, HeliaSeverity severity, const char *text)
{
    (void)user, (void)severity, (void)text;
}

PassEval pass_eval(const HeliaOpContext *c, const HeliaRegistryContext *registry)
{
    HeliaTarget *portable = helia_memdup(c->arena, c->target, sizeof(*c->target));
    portable->isa = HELIA_ISA_C;
    return (PassEval){.context = {.graph = c->graph,
                                  .arena = c->arena,
                                  .diag = helia_diag_new(c->arena, unheard, NULL, 0),
                                  .target = portable},
                      .registry = registry};
}

static bool evaluate(const PassEval *e, AirNode *n)
{
    AirGraph *g = e->context.graph;
    HeliaArena *arena = e->context.arena;
    void **data = HELIA_NEW_N(arena, void *, g->tensors.len);
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i])
            data[n->in[i]->id] = (void *)(uintptr_t)n->in[i]->data;
    for (uint32_t i = 0; i < n->args.len; i++)
        if (n->args.at[i].tensor && !n->args.at[i].written)
            data[n->args.at[i].tensor->id] = (void *)(uintptr_t)n->args.at[i].tensor->data;
    for (uint32_t i = 0; i < n->n_out; i++)
        data[n->out[i]->id] = helia_alloc(arena, air_bytes(n->out[i]) + 1, 1);
    HeliaEval v = {g, e->context.diag, data, helia_alloc(arena, n->scratch + 1, 1)};
    if (!n->op->eval(&v, n))
        return false;
    for (uint32_t i = 0; i < n->n_out; i++) {
        n->out[i]->data = data[n->out[i]->id];
        n->out[i]->data_size = air_bytes(n->out[i]);
    }
    return true;
}

/* Gives the node its class, and its outputs their shapes; false: it has none, or they are not known. */
static bool prepare(const PassEval *e, AirNode *n)
{
    const HeliaOpClass *op = helia_registry_get(e->registry->aot_operator_classes, n->op_type);
    n->op = op;
    n->cname = "folded";
    if (!op || n->n_in < op->min_in || n->n_in > op->max_in || (op->n_out && n->n_out != op->n_out))
        return false;
    for (uint32_t i = 0; i < op->min_in; i++)
        if (!n->in[i])
            return false;
    return op->infer && op->infer(&e->context, n);
}

/* As before Resolve. */
static void reset(AirNode *n)
{
    n->op = NULL;
    n->kernel = NULL;
    n->facts = NULL;
    n->params = NULL;
    n->args.len = 0;
    n->scratch = 0;
    n->cname = NULL;
}

static bool fold(const PassEval *e, AirNode *n, bool (*wanted)(const AirGraph *g, const AirNode *n))
{
    const bool folded = prepare(e, n) && n->op->eval && wanted(e->context.graph, n) &&
                        resolve_alone(&e->context, e->registry, n) && evaluate(e, n);
    reset(n);
    return folded;
}

bool pass_is_view(const PassEval *e, AirNode *n)
{
    const bool view = prepare(e, n) && resolve_alone(&e->context, e->registry, n) && n->op->traits & HELIA_OP_VIEW;
    reset(n);
    return view;
}

/* Shapes are inferred on the way: a folded operand may set them. */
void pass_fold(const PassEval *e, bool (*wanted)(const AirGraph *g, const AirNode *n))
{
    AirGraph *g = e->context.graph;
    uint32_t len = 0;
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        AirNode *n = g->nodes.at[i];
        if (!fold(e, n, wanted))
            g->nodes.at[len++] = n;
    }
    g->nodes.len = len;
    air_rebuild_uses(g);
}
