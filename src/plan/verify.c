/* The check of a finished memory plan against the graph. It follows the values through the operators in their order and
 * knows nothing of lifetimes, aliases or planners, so that a mistake there is found here. */
#include "plan/memory_int.h"

typedef struct Verify {
    HeliaDiag *diag;
    const AirGraph *graph;
    const MemoryPlan *plan;
    uint32_t *content; /* by the id of the tensor that owns a storage: the number of the write that filled it */
    uint32_t *value;   /* by tensor id: the number of the write that made its value; UNMADE: none yet */
    uint32_t writes;
} Verify;

#define UNMADE UINT32_MAX

/* Of its storage: a view of state is state. */
static MemoryRole role_of(const Verify *v, const AirTensor *t)
{
    const int32_t region = v->plan->tensors[t->id].region;
    return region < 0 ? tensor_role(t) : v->plan->regions.at[region].role;
}

/* ---- values ----------------------------------------------------------------------------------- */
static void write_value(Verify *v, const AirTensor *t)
{
    v->value[t->id] = v->content[v->plan->tensors[t->id].root] = ++v->writes;
}

static bool read_value(const Verify *v, const AirTensor *t, const char *reader)
{
    const MemorySlot *slot = &v->plan->tensors[t->id];
    if (slot->region < 0)
        return helia_error(v->diag, air_tensor_loc(v->graph, t), "plan: %s reads a tensor without storage", reader);
    if (role_of(v, t) == ROLE_CONSTANT || v->content[slot->root] == v->value[t->id])
        return true;
    return helia_error(v->diag, air_tensor_loc(v->graph, t), "plan: the value that %s reads is not there any more",
                       reader);
}

/* A view without code: the same bytes. */
static bool is_free_view(const Verify *v, const AirNode *n)
{
    if (!(n->op->traits & HELIA_OP_VIEW) || !n->in[0] || !n->out[0])
        return false;
    const MemorySlot *in = &v->plan->tensors[n->in[0]->id], *out = &v->plan->tensors[n->out[0]->id];
    return in->root == out->root && in->offset == out->offset;
}

static bool is_written(const AirNode *n, uint32_t operand)
{
    return n->args.len ? n->args.at[operand].written : operand >= n->n_in;
}

static bool is_alive(const Verify *v, const AirTensor *t, uint32_t position)
{
    const MemorySlot *slot = &v->plan->tensors[t->id];
    return role_of(v, t) != ROLE_SCRATCH || (slot->region >= 0 && slot->first <= position && position <= slot->last);
}

static bool follow_node(Verify *v, uint32_t position)
{
    const AirNode *n = v->graph->nodes.at[position];
    bool ok = true;
    if (is_free_view(v, n)) {
        v->value[n->out[0]->id] = v->value[n->in[0]->id];
        return true;
    }
    for (int writes = 0; writes < 2; writes++)
        for (uint32_t k = 0; k < node_operand_count(n); k++) {
            const AirTensor *t = node_operand(n, k);
            if (!t || (is_written(n, k) ? 1 : 0) != writes)
                continue;
            if (!is_alive(v, t, position))
                ok = helia_error(v->diag, air_tensor_loc(v->graph, t), "plan: %s touches a tensor that is not live",
                                 n->cname);
            else if (writes)
                write_value(v, t);
            else
                ok = read_value(v, t, n->cname) && ok;
        }
    return ok;
}

/* ---- places ----------------------------------------------------------------------------------- */
static bool overlap(const MemorySlot *a, const MemorySlot *b)
{
    return a->region == b->region && a->offset < b->offset + b->size && b->offset < a->offset + a->size &&
           a->first <= b->last && b->first <= a->last;
}

static bool check_slot(const Verify *v, const MemorySlot *s)
{
    const MemoryRegion *r = &v->plan->regions.at[s->region];
    if (s->offset % r->align == 0 && s->offset <= r->size && s->size <= r->size - s->offset)
        return true;
    return helia_error(v->diag, HELIA_NOWHERE, "plan: %zu bytes at %zu do not lie in %s %s", s->size, s->offset,
                       memory_role_name(r->role), memory_name(r->memory));
}

/* State and constants live always. */
static MemorySlot slot_of(const Verify *v, const AirTensor *t)
{
    MemorySlot s = v->plan->tensors[t->id];
    if (role_of(v, t) != ROLE_SCRATCH) {
        s.first = 0;
        s.last = UINT32_MAX;
    }
    return s;
}

static bool check_places(const Verify *v, HeliaArena *arena)
{
    HELIA_VEC(MemorySlot) slots = {0};
    for (uint32_t i = 0; i < v->graph->tensors.len; i++)
        if (v->plan->tensors[i].region >= 0 && v->plan->tensors[i].root == i)
            HELIA_PUSH(arena, &slots, slot_of(v, v->graph->tensors.at[i]));
    for (uint32_t i = 0; i < v->graph->nodes.len; i++)
        if (v->plan->scratch[i].region >= 0)
            HELIA_PUSH(arena, &slots, v->plan->scratch[i]);
    bool ok = true;
    for (uint32_t i = 0; i < slots.len; i++) {
        ok = check_slot(v, &slots.at[i]) && ok;
        for (uint32_t k = 0; k < i; k++)
            if (overlap(&slots.at[i], &slots.at[k]))
                ok = helia_error(v->diag, HELIA_NOWHERE, "plan: %zu bytes at %zu and %zu bytes at %zu of %s overlap",
                                 slots.at[i].size, slots.at[i].offset, slots.at[k].size, slots.at[k].offset,
                                 memory_name(v->plan->regions.at[slots.at[i].region].memory));
    }
    return ok;
}

static bool check_budgets(const Verify *v)
{
    bool ok = true;
    for (int m = 0; m < NUM_MEMORIES; m++) {
        uint64_t used = 0;
        for (uint32_t i = 0; i < v->plan->regions.len; i++) {
            const MemoryRegion *r = &v->plan->regions.at[i];
            used += (int)r->memory == m ? r->size : 0;
            used += r->staged && (int)r->source == m ? r->size : 0;
        }
        if (used > v->plan->budget[m])
            ok = helia_error(v->diag, HELIA_NOWHERE, "plan: %llu bytes in %s, whose budget is %llu",
                             (unsigned long long)used, memory_name((MemoryType)m),
                             (unsigned long long)v->plan->budget[m]);
    }
    return ok;
}

bool plan_verify(HeliaArena *arena, const AirGraph *g, const MemoryPlan *plan, bool keep_inputs)
{
    HeliaArena *work = helia_arena_child(arena);
    Verify v = {g->model->diag,
                g,
                plan,
                HELIA_NEW_N(work, uint32_t, g->tensors.len),
                HELIA_NEW_N(work, uint32_t, g->tensors.len),
                0};
    for (uint32_t i = 0; i < g->tensors.len; i++)
        v.value[i] = tensor_role(g->tensors.at[i]) == ROLE_SCRATCH ? UNMADE : 0;
    for (uint32_t i = 0; i < g->inputs.len; i++)
        write_value(&v, g->inputs.at[i]);
    bool ok = true;
    for (uint32_t i = 0; i < g->nodes.len; i++)
        ok = follow_node(&v, i) && ok;
    for (uint32_t i = 0; i < g->outputs.len; i++)
        ok = read_value(&v, g->outputs.at[i], "the application") && ok;
    for (uint32_t i = 0; keep_inputs && i < g->inputs.len; i++)
        ok = read_value(&v, g->inputs.at[i], "the application") && ok;
    ok = check_places(&v, work) && check_budgets(&v) && ok;
    helia_arena_free(work);
    return ok;
}
