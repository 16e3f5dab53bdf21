/* Lifetimes with aliases: views and in-place results join the storage of their input. */
#include <helia_aot/op.h>

#include "plan/live.h"

uint32_t node_operand_count(const AirNode *n)
{
    return n->args.len ? n->args.len : n->n_in + n->n_out;
}

AirTensor *node_operand(const AirNode *n, uint32_t i)
{
    if (n->args.len)
        return n->args.at[i].tensor;
    return i < n->n_in ? n->in[i] : n->out[i - n->n_in];
}

static uint32_t find(const Lifetimes *l, uint32_t id)
{
    while (l->root[id] != id)
        id = l->root[id];
    return id;
}

static void touch(Lifetimes *l, const AirTensor *t, uint32_t position)
{
    Storage *s = &l->storage[find(l, t->id)];
    s->first = !s->used || position < s->first ? position : s->first;
    s->last = !s->used || position > s->last ? position : s->last;
    s->used = true;
}

static void join(Lifetimes *l, uint32_t into, uint32_t id)
{
    Storage *a = &l->storage[into], *b = &l->storage[id];
    if (b->used) {
        a->first = !a->used || b->first < a->first ? b->first : a->first;
        a->last = !a->used || b->last > a->last ? b->last : a->last;
        a->used = true;
    }
    a->size = b->size > a->size ? b->size : a->size;
    l->root[id] = into;
}

static bool is_graph_output(const AirGraph *g, const AirTensor *t)
{
    for (uint32_t i = 0; i < g->outputs.len; i++)
        if (g->outputs.at[i] == t)
            return true;
    return false;
}

/* A view of a constant or a variable that leaves the graph is a copy: the application may not see those change. */
static bool shares(const AirGraph *g, const AirNode *n)
{
    if (!(n->op->traits & HELIA_OP_VIEW))
        return false;
    bool fixed = air_is_constant(n->in[0]) || n->in[0]->is_variable;
    return !(fixed && is_graph_output(g, n->out[0]));
}

static void join_views(const AirGraph *g, Lifetimes *l)
{
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        const AirNode *n = g->nodes.at[i];
        if (!shares(g, n))
            continue;
        uint32_t in = find(l, n->in[0]->id), out = find(l, n->out[0]->id);
        if (in != out)
            join(l, in, out);
    }
}

/* The output may overwrite an input of its size whose storage nobody needs after this operator. */
static void join_in_place(const AirGraph *g, Lifetimes *l)
{
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        const AirNode *n = g->nodes.at[i];
        if (!(n->op->traits & HELIA_OP_INPLACE) || n->n_out != 1 || !n->out[0])
            continue;
        uint32_t out = find(l, n->out[0]->id);
        if (l->storage[out].role != ROLE_SCRATCH || l->storage[out].first != i)
            continue;
        for (uint32_t k = 0; k < n->n_in; k++) {
            if (!n->in[k])
                continue;
            uint32_t in = find(l, n->in[k]->id);
            const Storage *s = &l->storage[in];
            if (in == out || s->role != ROLE_SCRATCH || !s->used || s->last != i ||
                air_bytes(n->in[k]) != air_bytes(n->out[0]) || s->size != l->storage[out].size)
                continue;
            join(l, in, out);
            break;
        }
    }
}

Lifetimes live_ranges(HeliaArena *arena, const AirGraph *g, bool keep_inputs, bool in_place)
{
    Lifetimes l = {HELIA_NEW_N(arena, uint32_t, g->tensors.len), HELIA_NEW_N(arena, Storage, g->tensors.len)};
    for (uint32_t i = 0; i < g->tensors.len; i++) {
        const AirTensor *t = g->tensors.at[i];
        MemoryRole role = air_is_constant(t) ? ROLE_CONSTANT : t->is_variable ? ROLE_PERSISTENT : ROLE_SCRATCH;
        l.root[i] = i;
        l.storage[i] = (Storage){t, false, role, 0, 0, air_bytes(t)};
    }
    join_views(g, &l);
    uint32_t end = g->nodes.len ? g->nodes.len - 1 : 0;
    for (uint32_t i = 0; i < g->inputs.len; i++) {
        touch(&l, g->inputs.at[i], 0);
        if (keep_inputs)
            touch(&l, g->inputs.at[i], end);
    }
    for (uint32_t i = 0; i < g->outputs.len; i++)
        touch(&l, g->outputs.at[i], end);
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        const AirNode *n = g->nodes.at[i]; /* a view touches nothing itself */
        for (uint32_t k = 0; !shares(g, n) && k < node_operand_count(n); k++)
            if (node_operand(n, k))
                touch(&l, node_operand(n, k), i);
    }
    if (in_place)
        join_in_place(g, &l);
    for (uint32_t i = 0; i < g->tensors.len; i++)
        l.root[i] = find(&l, i);
    return l;
}
