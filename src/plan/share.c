/* Which copies are left out. Parts that are made in the place they are copied to save the copy and their own storage, but
 * the whole then lives from the first part on:
 *
 *     apart    a | a b | a b W |  W        b, the larger part, is made late: W costs little more than b
 *     in place W |  W  |   W   |  W
 *
 *     apart    a | a X | a b W |  W        X is large and gone before W begins: W must wait
 *     in place W | W X |   W   |  W
 *
 * The choice goes by the largest sum of what is live, which any planner is near to; then by the bytes copied. */
#include "plan/memory_int.h"

#include <string.h>

/* Trials of one choice: with more, the parts of an operator are chosen together. */
enum { MAX_TRIALS = 512 };

typedef struct Cost {
    size_t peak, copied;
} Cost;

static bool cheaper(Cost a, Cost b)
{
    return a.peak != b.peak ? a.peak < b.peak : a.copied < b.copied;
}

static PartSet parts_of(HeliaArena *arena, const AirGraph *g)
{
    PartSet s = {.first = HELIA_NEW_N(arena, uint32_t, g->next_node_id)};
    HeliaPart p;
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        const AirNode *n = g->nodes.at[i];
        s.first[n->id] = s.n;
        for (uint32_t k = 0; !(n->op->traits & HELIA_OP_VIEW) && node_part(n, k, &p); k++)
            s.n++;
    }
    s.on = HELIA_NEW_N(arena, bool, s.n);
    return s;
}

static uint32_t count_parts(const PartSet *s, const AirGraph *g, uint32_t position)
{
    const AirNode *n = g->nodes.at[position];
    uint32_t k = 0;
    for (HeliaPart p; !(n->op->traits & HELIA_OP_VIEW) && s->n && node_part(n, k, &p);)
        k++;
    return k;
}

/* The largest sum over all memories. */
static Cost cost_of(Memory *m, const PartSet *parts)
{
    HeliaArena *work = helia_arena_child(m->arena);
    const AirGraph *g = m->graph;
    const LiveOptions options = {m->wishes.tensors, m->config->memory.keep_inputs, true, parts};
    const Lifetimes l = live_ranges(work, g, &options);
    PlanBuf *bufs = HELIA_NEW_N(work, PlanBuf, g->tensors.len + g->nodes.len);
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->tensors.len; i++) {
        const Storage *s = &l.storage[i];
        if (l.root[i] == i && s->used && s->role == ROLE_SCRATCH)
            bufs[n++] = (PlanBuf){.first = s->first, .last = s->last, .size = memory_round(m, s->size)};
    }
    for (uint32_t i = 0; i < g->nodes.len; i++)
        if (g->nodes.at[i]->scratch)
            bufs[n++] = (PlanBuf){.first = i, .last = i, .size = memory_round(m, g->nodes.at[i]->scratch)};
    const Cost cost = {plan_lower_bound(work, bufs, n), l.copied};
    helia_arena_free(work);
    return cost;
}

/* Turns the parts from `first` to `end` over, where that is better. */
static bool try_turn(Memory *m, PartSet *s, uint32_t first, uint32_t end, Cost *best)
{
    for (uint32_t k = first; k < end; k++)
        s->on[k] = !s->on[k];
    const Cost cost = cost_of(m, s);
    if (cheaper(cost, *best)) {
        *best = cost;
        return true;
    }
    for (uint32_t k = first; k < end; k++)
        s->on[k] = !s->on[k];
    return false;
}

/* From all parts or none, operator by operator, and part by part where the whole operator is not worth it. */
static Cost improve(Memory *m, PartSet *s, bool from)
{
    for (uint32_t k = 0; k < s->n; k++)
        s->on[k] = from;
    Cost best = cost_of(m, s);
    for (uint32_t i = 0, trials = 0; i < m->graph->nodes.len; i++) {
        const uint32_t n = count_parts(s, m->graph, i), first = s->first[m->graph->nodes.at[i]->id];
        if (n == 0 || try_turn(m, s, first, first + n, &best))
            continue;
        for (uint32_t k = 0; n > 1 && k < n && trials < MAX_TRIALS; k++, trials++)
            try_turn(m, s, first + k, first + k + 1, &best);
    }
    return best;
}

bool parts_choose(Memory *m, PartSet *parts)
{
    *parts = parts_of(m->arena, m->graph);
    if (parts->n == 0)
        return false;
    Cost best = cost_of(m, parts); /* none */
    for (int i = 0; i < 4; i++) {
        PartSet s = {parts->first, HELIA_NEW_N(m->arena, bool, parts->n), parts->n, i >= 2};
        const Cost cost = improve(m, &s, i % 2 == 0);
        if (cheaper(cost, best)) {
            best = cost;
            *parts = s;
        }
    }
    return memchr(parts->on, true, parts->n * sizeof(bool)) != NULL;
}
