/* fold_static_shape_expressions: what is known at compile time is computed there.
 *
 *     x [1x7x7x8] -> SHAPE -> STRIDED_SLICE [0:1] -> PACK (., 392) -> s       x -> RESHAPE [1x392] -> y
 *     x -> RESHAPE s -> y                                                     with s = {1, 392}, a constant
 *
 * That is SHAPE and RANK, and any operator whose inputs are all constant, evaluated with the portable kernels. Operators
 * stay that make a graph output, that compute floats (the target's arithmetic may differ in the last bit), and those
 * whose result is larger than what it is made of and than a kilobyte: weights that are stored in a shorter form. */
#include "passes/passes_int.h"

#include <string.h>

#include "op/resolve.h"

enum { SMALL = 1024 };

typedef struct Fold {
    HeliaOpContext context; /* the portable target, and a diag that nobody hears: Resolve reports what is wrong */
    const HeliaRegistryContext *registry;
} Fold;

static void unheard(void *user, HeliaSeverity severity, const char *text)
{
    (void)user, (void)severity, (void)text;
}

static bool is_graph_output(const AirGraph *g, const AirTensor *t)
{
    for (uint32_t i = 0; i < g->outputs.len; i++)
        if (g->outputs.at[i] == t)
            return true;
    return false;
}

static bool inputs_are_constant(const AirNode *n)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && !air_is_constant(n->in[i]))
            return false;
    return n->n_in > 0;
}

static bool is_float(AirType type)
{
    return type == AIR_F32 || type == AIR_F16;
}

static bool can_fold(const AirGraph *g, const AirNode *n)
{
    const uint32_t traits = n->op->traits;
    if (!n->op->eval || traits & HELIA_OP_STATEFUL || n->n_out == 0)
        return false;
    if (!(traits & HELIA_OP_STATIC) && !inputs_are_constant(n))
        return false;
    size_t from = SMALL, to = 0, in = 0;
    for (uint32_t i = 0; i < n->n_in; i++)
        in += n->in[i] && air_is_constant(n->in[i]) ? air_bytes(n->in[i]) : 0;
    for (uint32_t i = 0; i < n->n_out; i++) {
        to += air_bytes(n->out[i]);
        if (is_graph_output(g, n->out[i]) ||
            (is_float(n->out[i]->type) && !(traits & (HELIA_OP_MOVES | HELIA_OP_VIEW))))
            return false;
    }
    return to <= (in > from ? in : from);
}

static bool evaluate(const Fold *f, AirNode *n)
{
    AirGraph *g = f->context.graph;
    HeliaArena *arena = f->context.arena;
    void **data = HELIA_NEW_N(arena, void *, g->tensors.len);
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i])
            data[n->in[i]->id] = (void *)(uintptr_t)n->in[i]->data;
    for (uint32_t i = 0; i < n->args.len; i++)
        if (n->args.at[i].tensor && !n->args.at[i].written)
            data[n->args.at[i].tensor->id] = (void *)(uintptr_t)n->args.at[i].tensor->data;
    for (uint32_t i = 0; i < n->n_out; i++)
        data[n->out[i]->id] = helia_alloc(arena, air_bytes(n->out[i]) + 1, 1);
    HeliaEval v = {g, f->context.diag, data, helia_alloc(arena, n->scratch + 1, 1)};
    if (!n->op->eval(&v, n))
        return false;
    for (uint32_t i = 0; i < n->n_out; i++) {
        n->out[i]->data = data[n->out[i]->id];
        n->out[i]->data_size = air_bytes(n->out[i]);
    }
    return true;
}

/* Shapes are inferred on the way: a folded operand may set them. */
static bool fold(const Fold *f, AirNode *n)
{
    n->op = helia_registry_get(f->registry->aot_operator_classes, n->op_type);
    bool folded = false;
    if (n->op && n->n_in >= n->op->min_in && n->n_in <= n->op->max_in && (!n->op->n_out || n->n_out == n->op->n_out)) {
        bool whole = true;
        for (uint32_t i = 0; i < n->op->min_in; i++)
            whole = whole && n->in[i];
        n->cname = "folded";
        if (whole && n->op->infer && n->op->infer(&f->context, n) && can_fold(f->context.graph, n))
            folded = resolve_alone(&f->context, f->registry, n) && evaluate(f, n);
    }
    n->op = NULL; /* as before Resolve */
    n->kernel = NULL;
    n->params = NULL;
    n->args.len = 0;
    n->scratch = 0;
    n->cname = NULL;
    return folded;
}

bool fold_static_shape_expressions(const HeliaTransform *self, const HeliaOpContext *c,
                                   const HeliaRegistryContext *registry)
{
    (void)self;
    HeliaTarget portable = *c->target;
    portable.isa = HELIA_ISA_C;
    const Fold f = {.context = {.graph = c->graph,
                                .arena = c->arena,
                                .diag = helia_diag_new(c->arena, unheard, NULL, 0),
                                .target = &portable},
                    .registry = registry};
    AirGraph *g = c->graph;
    uint32_t len = 0;
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        AirNode *n = g->nodes.at[i];
        if (!fold(&f, n))
            g->nodes.at[len++] = n;
    }
    g->nodes.len = len;
    air_rebuild_uses(g);
    return true;
}
