/* The order of operators: a search for one with a smaller peak, dependencies kept.
 *
 * A partial order of execution is the set of operators that have run; what is live then depends on the set alone. Level by
 * level, the search adds one operator to each set and keeps the best sets of each size: all of them, and then the result is
 * exact, or as many as the beam is wide. Sets whose peak is not below that of the given order are dropped.
 *
 *     before   big = f(a)     after    big = f(a)
 *              wide = g(a)             small = h(big)     big is dead before wide is made
 *              small = h(big)          wide = g(a)
 *              j(small, wide)          j(small, wide)
 */
#include "plan/memory_int.h"

#include <stdlib.h>
#include <string.h>

enum { BEAM = 256, MAX_NODES = 1000 };

typedef HELIA_VEC(uint32_t) Indices;

/* A storage of the scratch arenas, by root id. */
typedef struct Buffer {
    bool counts, at_start, kept;
    size_t size;
    Indices users; /* positions of the nodes that touch it */
} Buffer;

typedef struct Reorder {
    HeliaArena *arena;
    const AirGraph *graph;
    Buffer *buffers;
    Indices *touched; /* by position: buffers, each once */
    Indices *needs;   /* by position: positions that come first */
    int32_t *output;  /* by position: the buffer that may take an input's place; -1: none */
    size_t *scratch;
    uint64_t *token; /* by position: the hash of a set is the sum of its members' */
    uint32_t n, n_words;
} Reorder;

typedef struct Step {
    const struct Step *before;
    uint32_t node;
} Step;

/* A set of operators, and how it came about. */
typedef struct State {
    uint64_t *ran; /* bits by position */
    uint64_t hash;
    size_t live, peak;
    const Step *step;
} State;
typedef struct Candidate {
    uint32_t state, node;
    uint64_t hash;
    size_t live, peak;
} Candidate;
typedef HELIA_VEC(Candidate) Candidates;

static bool has(const uint64_t *set, uint32_t i)
{
    return set[i / 64] >> i % 64 & 1u;
}

static void add_once(HeliaArena *arena, Indices *list, uint32_t value)
{
    for (uint32_t i = 0; i < list->len; i++)
        if (list->at[i] == value)
            return;
    HELIA_PUSH(arena, list, value);
}

/* ---- the problem ------------------------------------------------------------------------------ */
static bool touches_state(const AirNode *n)
{
    bool state = (n->op->traits & HELIA_OP_STATEFUL) != 0;
    for (uint32_t k = 0; k < node_operand_count(n); k++)
        state = state || (node_operand(n, k) && node_operand(n, k)->is_variable);
    for (uint32_t k = 0; k < n->n_in; k++)
        state = state || (n->in[k] && n->in[k]->is_variable);
    return state;
}

/* Readers come after the writer; what touches state keeps its order. */
static void find_needs(Reorder *r)
{
    const AirGraph *g = r->graph;
    uint32_t *writer = HELIA_NEW_N(r->arena, uint32_t, g->tensors.len); /* position + 1; 0: none yet */
    uint32_t last_state = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        const AirNode *n = g->nodes.at[i];
        for (uint32_t k = 0; k < n->n_in + n->args.len; k++) {
            const AirTensor *t = k < n->n_in ? n->in[k] : n->args.at[k - n->n_in].tensor;
            if (t && writer[t->id])
                add_once(r->arena, &r->needs[i], writer[t->id] - 1);
        }
        for (uint32_t k = 0; k < n->n_out; k++)
            if (n->out[k])
                writer[n->out[k]->id] = i + 1;
        for (uint32_t k = 0; k < n->args.len; k++)
            if (n->args.at[k].tensor && n->args.at[k].written)
                writer[n->args.at[k].tensor->id] = i + 1;
        if (!touches_state(n))
            continue;
        if (last_state)
            add_once(r->arena, &r->needs[i], last_state - 1);
        last_state = i + 1;
    }
}

static void find_buffers(Reorder *r, const Memory *m, const Lifetimes *l)
{
    const AirGraph *g = r->graph;
    for (uint32_t i = 0; i < g->tensors.len; i++) {
        const Storage *s = &l->storage[i];
        if (l->root[i] == i)
            r->buffers[i] = (Buffer){
                .counts = s->used && s->role == ROLE_SCRATCH, .kept = s->kept, .size = memory_round(m, s->size)};
    }
    for (uint32_t i = 0; i < g->inputs.len; i++)
        r->buffers[l->root[g->inputs.at[i]->id]].at_start = true;
    for (uint32_t i = 0; i < r->n; i++) {
        const AirNode *n = g->nodes.at[i];
        r->scratch[i] = n->scratch ? memory_round(m, n->scratch) : 0;
        r->output[i] = -1;
        if (l->free[i])
            continue; /* no code */
        for (uint32_t k = 0; k < node_operand_count(n); k++) {
            const AirTensor *t = node_operand(n, k);
            if (!t || !r->buffers[l->root[t->id]].counts)
                continue;
            add_once(r->arena, &r->touched[i], l->root[t->id]);
            add_once(r->arena, &r->buffers[l->root[t->id]].users, i);
        }
        if ((n->op->traits & HELIA_OP_INPLACE) && n->n_out && n->out[0] &&
            l->storage[l->root[n->out[0]->id]].size == air_bytes(n->out[0]))
            r->output[i] = (int32_t)l->root[n->out[0]->id];
    }
}

/* ---- one step --------------------------------------------------------------------------------- */
static bool is_born(const Buffer *b, const uint64_t *ran)
{
    bool born = b->at_start;
    for (uint32_t i = 0; !born && i < b->users.len; i++)
        born = has(ran, b->users.at[i]);
    return born;
}

/* No operator but `node` will touch it any more. */
static bool dies(const Buffer *b, const uint64_t *ran, uint32_t node)
{
    for (uint32_t i = 0; i < b->users.len; i++)
        if (b->users.at[i] != node && !has(ran, b->users.at[i]))
            return false;
    return !b->kept;
}

/* Bytes while the node runs; *after: when it has run. */
static size_t run_node(const Reorder *r, const uint64_t *ran, size_t live, uint32_t node, size_t *after)
{
    size_t during = live + r->scratch[node], freed = 0, shared = 0;
    const Indices *touched = &r->touched[node];
    const Buffer *out = r->output[node] >= 0 ? &r->buffers[r->output[node]] : NULL;
    for (uint32_t i = 0; i < touched->len; i++) {
        const Buffer *b = &r->buffers[touched->at[i]];
        const bool born = is_born(b, ran), dying = dies(b, ran, node);
        during += born ? 0 : b->size;
        freed += dying ? b->size : 0;
        if (out && b != out && born && dying && b->size == out->size && !is_born(out, ran))
            shared = b->size;
    }
    *after = during - r->scratch[node] - freed;
    return during - shared;
}

static bool is_ready(const Reorder *r, const uint64_t *ran, uint32_t node)
{
    for (uint32_t i = 0; i < r->needs[node].len; i++)
        if (!has(ran, r->needs[node].at[i]))
            return false;
    return !has(ran, node);
}

/* ---- the search ------------------------------------------------------------------------------- */
static size_t bytes_at_start(const Reorder *r)
{
    size_t live = 0;
    for (uint32_t i = 0; i < r->graph->tensors.len; i++)
        live += r->buffers[i].counts && r->buffers[i].at_start ? r->buffers[i].size : 0;
    return live;
}

/* The peak of the order as it is. *least: no order is below it. */
static size_t given_peak(const Reorder *r, size_t *least)
{
    uint64_t *ran = HELIA_NEW_N(r->arena, uint64_t, r->n_words);
    size_t live = bytes_at_start(r), peak = live;
    *least = live;
    for (uint32_t i = 0; i < r->n; i++) {
        size_t own = r->scratch[i];
        for (uint32_t k = 0; k < r->touched[i].len; k++)
            own += r->buffers[r->touched[i].at[k]].size;
        own -= r->output[i] >= 0 && own > r->buffers[r->output[i]].size ? r->buffers[r->output[i]].size : 0;
        *least = own > *least ? own : *least;
        size_t during = run_node(r, ran, live, i, &live);
        peak = during > peak ? during : peak;
        ran[i / 64] |= (uint64_t)1 << i % 64;
    }
    return peak;
}

static int best_first(const void *x, const void *y)
{
    const Candidate *a = x, *b = y;
    if (a->peak != b->peak)
        return (a->peak > b->peak) - (a->peak < b->peak);
    if (a->live != b->live)
        return (a->live > b->live) - (a->live < b->live);
    if (a->state != b->state)
        return (a->state > b->state) - (a->state < b->state);
    return (a->node > b->node) - (a->node < b->node);
}

static void find_candidates(const Reorder *r, const State *states, uint32_t n_states, size_t limit, Candidates *found)
{
    found->len = 0;
    for (uint32_t s = 0; s < n_states; s++)
        for (uint32_t i = 0; i < r->n; i++) {
            if (!is_ready(r, states[s].ran, i))
                continue;
            Candidate c = {.state = s, .node = i, .hash = states[s].hash + r->token[i]};
            size_t during = run_node(r, states[s].ran, states[s].live, i, &c.live);
            c.peak = during > states[s].peak ? during : states[s].peak;
            if (c.peak < limit)
                HELIA_PUSH(r->arena, found, c);
        }
    if (found->len)
        qsort(found->at, found->len, sizeof(Candidate), best_first);
}

/* The best of different sets, at most BEAM. */
static uint32_t take_best(const Reorder *r, const Candidates *found, const State *from, State *to)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < found->len && n < BEAM; i++) {
        const Candidate *c = &found->at[i];
        bool known = false;
        for (uint32_t k = 0; !known && k < n; k++)
            known = to[k].hash == c->hash;
        if (known)
            continue;
        Step *step = HELIA_NEW(r->arena, Step);
        *step = (Step){from[c->state].step, c->node};
        State *s = &to[n++];
        memcpy(s->ran, from[c->state].ran, r->n_words * sizeof(uint64_t));
        s->ran[c->node / 64] |= (uint64_t)1 << c->node % 64;
        s->hash = c->hash;
        s->live = c->live;
        s->peak = c->peak;
        s->step = step;
    }
    return n;
}

static const Step *search(const Reorder *r, size_t limit)
{
    State *now = HELIA_NEW_N(r->arena, State, BEAM), *next = HELIA_NEW_N(r->arena, State, BEAM);
    for (uint32_t i = 0; i < BEAM; i++) {
        now[i].ran = HELIA_NEW_N(r->arena, uint64_t, r->n_words);
        next[i].ran = HELIA_NEW_N(r->arena, uint64_t, r->n_words);
    }
    now[0].live = now[0].peak = bytes_at_start(r);
    Candidates found = {0};
    uint32_t n = 1;
    for (uint32_t level = 0; level < r->n && n; level++) {
        find_candidates(r, now, n, limit, &found);
        n = take_best(r, &found, now, next);
        State *swap = now;
        now = next;
        next = swap;
    }
    return n ? now[0].step : NULL;
}

/* A constant mixing of bits: the same on every machine. */
static uint64_t token_of(uint64_t i)
{
    uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

uint32_t *reorder_find(Memory *m, const PartSet *parts)
{
    const AirGraph *g = m->graph;
    const uint32_t n = g->nodes.len, n_tensors = g->tensors.len;
    if (n < 3 || n > MAX_NODES)
        return NULL;
    HeliaArena *work = helia_arena_child(m->arena);
    Reorder r = {.arena = work, .graph = g, .n = n, .n_words = (n + 63) / 64};
    r.buffers = HELIA_NEW_N(work, Buffer, n_tensors);
    r.touched = HELIA_NEW_N(work, Indices, n);
    r.needs = HELIA_NEW_N(work, Indices, n);
    r.output = HELIA_NEW_N(work, int32_t, n);
    r.scratch = HELIA_NEW_N(work, size_t, n);
    r.token = HELIA_NEW_N(work, uint64_t, n);
    for (uint32_t i = 0; i < n; i++)
        r.token[i] = token_of(i);
    const LiveOptions options = {m->wishes.tensors, m->config->memory.keep_inputs, false, parts};
    const Lifetimes l = live_ranges(work, g, &options);
    find_needs(&r);
    find_buffers(&r, m, &l);
    size_t least, given = given_peak(&r, &least);
    const Step *step = given > least ? search(&r, given) : NULL;
    uint32_t *order = step ? HELIA_NEW_N(m->arena, uint32_t, n) : NULL;
    for (uint32_t i = n; step; step = step->before)
        order[--i] = step->node;
    helia_arena_free(work);
    return order;
}
