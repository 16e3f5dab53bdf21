/* The check of a finished memory plan against the graph. It follows the values through the operators in their order and
 * knows nothing of lifetimes, aliases or planners, so that a mistake there is found here. */
#include "plan/memory_int.h"

/* The bytes of a storage between two places where a tensor in it begins or ends are a piece; each has one content, the
 * number of the write that filled it. */
typedef struct Pieces {
    size_t *from; /* offsets in the region, ascending; the last one is the end */
    uint32_t n;
    uint32_t *content;
} Pieces;

typedef struct Verify {
    HeliaArena *arena;
    HeliaDiag *diag;
    const AirGraph *graph;
    const MemoryPlan *plan;
    Pieces *pieces;   /* by the id of the tensor that owns the storage */
    uint32_t **value; /* by tensor id: what is to be in its pieces; UNMADE: it has not been written yet */
    uint32_t writes;
} Verify;

#define UNMADE UINT32_MAX

/* Of its storage: a view of state is state. */
static MemoryRole role_of(const Verify *v, const AirTensor *t)
{
    const int32_t region = v->plan->tensors[t->id].region;
    return region < 0 ? tensor_role(t) : v->plan->regions.at[region].role;
}

/* ---- pieces ----------------------------------------------------------------------------------- */
static const MemorySlot *slot_of(const Verify *v, const AirTensor *t)
{
    return &v->plan->tensors[t->id];
}

static void cut(Verify *v, Pieces *p, size_t at)
{
    uint32_t k = p->n;
    while (k > 0 && p->from[k - 1] > at)
        k--;
    if (k > 0 && p->from[k - 1] == at)
        return;
    size_t *from = HELIA_NEW_N(v->arena, size_t, p->n + 1);
    for (uint32_t i = 0; i <= p->n; i++)
        from[i] = i < k ? p->from[i] : i == k ? at : p->from[i - 1];
    p->from = from;
    p->n++;
}

/* Pieces first to end - 1 are the tensor's. */
static void pieces_of(const Verify *v, const AirTensor *t, uint32_t *first, uint32_t *end)
{
    const MemorySlot *s = slot_of(v, t);
    const Pieces *p = &v->pieces[s->root];
    *first = 0;
    while (p->from[*first] < s->offset)
        ++*first;
    *end = *first;
    while (p->from[*end] < s->offset + s->size)
        ++*end;
}

static void cut_storages(Verify *v)
{
    const uint32_t n = v->graph->tensors.len;
    v->pieces = HELIA_NEW_N(v->arena, Pieces, n);
    v->value = HELIA_NEW_N(v->arena, uint32_t *, n);
    for (uint32_t i = 0; i < n; i++) {
        const MemorySlot *s = &v->plan->tensors[i];
        if (s->region < 0)
            continue;
        cut(v, &v->pieces[s->root], s->offset);
        cut(v, &v->pieces[s->root], s->offset + s->size);
    }
    for (uint32_t i = 0; i < n; i++) {
        const AirTensor *t = v->graph->tensors.at[i];
        uint32_t first, end;
        if (v->pieces[i].n)
            v->pieces[i].content = HELIA_NEW_N(v->arena, uint32_t, v->pieces[i].n);
        if (slot_of(v, t)->region < 0)
            continue;
        pieces_of(v, t, &first, &end);
        v->value[i] = HELIA_NEW_N(v->arena, uint32_t, end - first);
        for (uint32_t k = 0; k < end - first; k++)
            v->value[i][k] = tensor_role(t) == ROLE_SCRATCH ? UNMADE : 0;
    }
}

/* ---- values ----------------------------------------------------------------------------------- */
static void write_value(Verify *v, const AirTensor *t)
{
    uint32_t first, end;
    if (slot_of(v, t)->region < 0)
        return;
    pieces_of(v, t, &first, &end);
    v->writes++;
    for (uint32_t k = first; k < end; k++)
        v->value[t->id][k - first] = v->pieces[slot_of(v, t)->root].content[k] = v->writes;
}

static bool read_value(const Verify *v, const AirTensor *t, const char *reader)
{
    const MemorySlot *slot = slot_of(v, t);
    uint32_t first, end;
    if (slot->region < 0)
        return helia_error(v->diag, air_tensor_loc(v->graph, t), "plan: %s reads a tensor without storage", reader);
    pieces_of(v, t, &first, &end);
    for (uint32_t k = first; role_of(v, t) != ROLE_CONSTANT && k < end; k++)
        if (v->pieces[slot->root].content[k] != v->value[t->id][k - first])
            return helia_error(v->diag, air_tensor_loc(v->graph, t),
                               "plan: the value that %s reads is not there any more", reader);
    return true;
}

/* The value of one is the value of the same bytes of the other. */
static void hand_on(Verify *v, const AirTensor *from, const AirTensor *to)
{
    uint32_t from_first, from_end, to_first, to_end;
    if (slot_of(v, from)->region < 0 || slot_of(v, to)->region < 0)
        return;
    pieces_of(v, from, &from_first, &from_end);
    pieces_of(v, to, &to_first, &to_end);
    for (uint32_t k = from_first; k < from_end; k++)
        if (k >= to_first && k < to_end)
            v->value[to->id][k - to_first] = v->value[from->id][k - from_first];
}

static bool is_written(const AirNode *n, uint32_t operand)
{
    return n->args.len ? n->args.at[operand].written : operand >= n->n_in;
}

static bool check_alive(const Verify *v, const AirNode *n, uint32_t position, const AirTensor *t)
{
    const MemorySlot *slot = slot_of(v, t);
    if (role_of(v, t) != ROLE_SCRATCH || (slot->region >= 0 && slot->first <= position && position <= slot->last))
        return true;
    return helia_error(v->diag, air_tensor_loc(v->graph, t), "plan: %s touches a tensor that is not live", n->cname);
}

/* One copy; `gathers`: to the whole, of which nothing else is written. */
static bool copy_part(Verify *v, uint32_t position, const HeliaPart *p, bool gathers)
{
    const AirNode *n = v->graph->nodes.at[position];
    const AirTensor *from = gathers ? p->part : p->whole, *to = gathers ? p->whole : p->part;
    if (plan_in_place(v->plan, p)) {
        hand_on(v, from, to);
        return true;
    }
    bool ok = check_alive(v, n, position, from) && check_alive(v, n, position, to) && read_value(v, from, n->cname);
    if (!gathers)
        write_value(v, to);
    if (!ok || !gathers)
        return ok;
    uint32_t first, end;
    const MemorySlot *s = slot_of(v, to);
    pieces_of(v, to, &first, &end);
    v->writes++;
    for (uint32_t k = first; k < end; k++) {
        const size_t at = v->pieces[s->root].from[k];
        if (at >= s->offset + p->offset && at < s->offset + p->offset + air_bytes(p->part))
            v->value[to->id][k - first] = v->pieces[s->root].content[k] = v->writes;
    }
    return true;
}

static bool is_output(const AirNode *n, const AirTensor *t)
{
    for (uint32_t i = 0; i < n->n_out; i++)
        if (n->out[i] == t)
            return true;
    return false;
}

/* A node of copies some of which are left out: each on its own. False: it is none. */
static bool follow_parts(Verify *v, uint32_t position, bool *ok)
{
    const AirNode *n = v->graph->nodes.at[position];
    HeliaPart p;
    bool any = false;
    for (uint32_t i = 0; node_part(n, i, &p); i++) {
        if (!p.whole)
            return false;
        any = any || plan_in_place(v->plan, &p);
    }
    for (uint32_t i = 0; any && node_part(n, i, &p); i++)
        *ok = copy_part(v, position, &p, is_output(n, p.whole)) && *ok;
    return any;
}

static bool follow_node(Verify *v, uint32_t position)
{
    const AirNode *n = v->graph->nodes.at[position];
    bool ok = true;
    if (follow_parts(v, position, &ok))
        return ok;
    for (int writes = 0; writes < 2; writes++)
        for (uint32_t k = 0; k < node_operand_count(n); k++) {
            const AirTensor *t = node_operand(n, k);
            if (!t || (is_written(n, k) ? 1 : 0) != writes)
                continue;
            if (!check_alive(v, n, position, t))
                ok = false;
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

/* What shares a storage lies inside it. */
static bool check_member(const Verify *v, const MemorySlot *s)
{
    const MemorySlot *root = &v->plan->tensors[s->root];
    if (s->region < 0 || (s->region == root->region && s->offset >= root->offset &&
                          s->offset - root->offset <= root->size && s->size <= root->size - (s->offset - root->offset)))
        return true;
    return helia_error(v->diag, HELIA_NOWHERE, "plan: %zu bytes at %zu do not lie in their storage, %zu bytes at %zu",
                       s->size, s->offset, root->size, root->offset);
}

/* State and constants live always. */
static MemorySlot slot_in_time(const Verify *v, const AirTensor *t)
{
    MemorySlot s = *slot_of(v, t);
    if (role_of(v, t) != ROLE_SCRATCH) {
        s.first = 0;
        s.last = UINT32_MAX;
    }
    return s;
}

static bool check_places(const Verify *v)
{
    HELIA_VEC(MemorySlot) slots = {0};
    for (uint32_t i = 0; i < v->graph->tensors.len; i++)
        if (v->plan->tensors[i].region >= 0 && v->plan->tensors[i].root == i)
            HELIA_PUSH(v->arena, &slots, slot_in_time(v, v->graph->tensors.at[i]));
    for (uint32_t i = 0; i < v->graph->nodes.len; i++)
        if (v->plan->scratch[i].region >= 0)
            HELIA_PUSH(v->arena, &slots, v->plan->scratch[i]);
    bool ok = true;
    for (uint32_t i = 0; i < v->graph->tensors.len; i++)
        ok = check_member(v, &v->plan->tensors[i]) && ok;
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
    Verify v = {.arena = helia_arena_child(arena), .diag = g->model->diag, .graph = g, .plan = plan};
    cut_storages(&v);
    for (uint32_t i = 0; i < g->inputs.len; i++)
        write_value(&v, g->inputs.at[i]);
    bool ok = true;
    for (uint32_t i = 0; i < g->nodes.len; i++)
        ok = follow_node(&v, i) && ok;
    for (uint32_t i = 0; i < g->outputs.len; i++)
        ok = read_value(&v, g->outputs.at[i], "the application") && ok;
    for (uint32_t i = 0; keep_inputs && i < g->inputs.len; i++)
        ok = read_value(&v, g->inputs.at[i], "the application") && ok;
    ok = check_places(&v) && check_budgets(&v) && ok;
    helia_arena_free(v.arena);
    return ok;
}
