/* Lifetimes with aliases: views and in-place results join the storage of their input. */
#include "plan/live.h"

#include <helia_aot/op.h>

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
    Storage *a = &l->storage[into];
    const Storage *b = &l->storage[id];
    if (b->used) {
        a->first = !a->used || b->first < a->first ? b->first : a->first;
        a->last = !a->used || b->last > a->last ? b->last : a->last;
        a->used = true;
    }
    a->kept = a->kept || b->kept;
    a->accesses += b->accesses;
    a->size = b->size > a->size ? b->size : a->size;
    if (a->wish.memory == NO_MEMORY && a->wish.destination == NO_MEMORY)
        a->wish = b->wish;
    l->root[id] = into;
}

static bool is_graph_output(const AirGraph *g, const AirTensor *t)
{
    for (uint32_t i = 0; i < g->outputs.len; i++)
        if (g->outputs.at[i] == t)
            return true;
    return false;
}

/* Where operands are not listed, an operator may write to everything it touches. */
static bool writes(const Lifetimes *l, const AirNode *n, uint32_t storage)
{
    for (uint32_t k = 0; k < node_operand_count(n); k++) {
        const AirTensor *t = node_operand(n, k);
        if (t && find(l, t->id) == storage && (!n->args.len || n->args.at[k].written))
            return true;
    }
    return false;
}

static bool touches_any(const AirNode *n, const bool *tensors)
{
    for (uint32_t k = 0; k < node_operand_count(n); k++)
        if (node_operand(n, k) && tensors[node_operand(n, k)->id])
            return true;
    return false;
}

/* Does a variable stay as it is while the view that operator `position` makes of it, or a view of that, is needed? */
static bool variable_stays(HeliaArena *arena, const AirGraph *g, const Lifetimes *l, uint32_t position)
{
    HeliaArena *work = helia_arena_child(arena);
    bool *views = HELIA_NEW_N(work, bool, g->tensors.len), written = false, stays = true;
    const uint32_t variable = find(l, g->nodes.at[position]->in[0]->id);
    views[g->nodes.at[position]->out[0]->id] = true;
    for (uint32_t i = position + 1; i < g->nodes.len && stays; i++) {
        const AirNode *n = g->nodes.at[i];
        bool touched = touches_any(n, views);
        if (n->op->traits & HELIA_OP_VIEW) {
            if (touched && n->out[0])
                views[n->out[0]->id] = true;
            continue;
        }
        written = written || writes(l, n, variable);
        stays = !(written && touched);
    }
    for (uint32_t i = 0; i < g->outputs.len; i++)
        stays = stays && !views[g->outputs.at[i]->id];
    helia_arena_free(work);
    return stays;
}

/* Some views are copies: of a variable that changes while the view is needed, and of a variable or constant that leaves
 * the graph under another shape, because what an application finds in its outputs is its own. */
static bool shares(HeliaArena *arena, const AirGraph *g, const Lifetimes *l, uint32_t position)
{
    const AirNode *n = g->nodes.at[position];
    if (!(n->op->traits & HELIA_OP_VIEW) || !n->in[0] || !n->out[0])
        return false;
    MemoryRole role = l->storage[find(l, n->in[0]->id)].role;
    if (role == ROLE_CONSTANT)
        return !is_graph_output(g, n->out[0]);
    return role == ROLE_SCRATCH || variable_stays(arena, g, l, position);
}

/* In execution order an input has joined its own storage before its view does, so one pass reaches the fixed point. */
static void join_views(HeliaArena *arena, const AirGraph *g, Lifetimes *l, bool *shared)
{
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        const AirNode *n = g->nodes.at[i];
        shared[i] = shares(arena, g, l, i);
        if (!shared[i])
            continue;
        uint32_t in = find(l, n->in[0]->id), out = find(l, n->out[0]->id);
        if (in != out)
            join(l, in, out);
    }
}

/* Every operand in the storage must be read at the places that the result is written to. */
static bool element_wise(const Lifetimes *l, const AirNode *n, uint32_t storage)
{
    for (uint32_t k = 0; k < node_operand_count(n); k++) {
        const AirTensor *t = node_operand(n, k);
        if (t && find(l, t->id) == storage && air_bytes(t) != air_bytes(n->out[0]))
            return false;
    }
    return true;
}

/* The output may overwrite an input of its size whose storage nobody needs after this operator. */
static void join_in_place(const AirGraph *g, Lifetimes *l)
{
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        const AirNode *n = g->nodes.at[i];
        if (!(n->op->traits & HELIA_OP_INPLACE) || n->n_out == 0 || !n->out[0])
            continue;
        uint32_t out = find(l, n->out[0]->id);
        const Storage *result = &l->storage[out];
        if (result->role != ROLE_SCRATCH || !result->used || result->first != i)
            continue;
        for (uint32_t k = 0; k < n->n_in; k++) {
            if (!n->in[k])
                continue;
            uint32_t in = find(l, n->in[k]->id);
            const Storage *s = &l->storage[in];
            if (in == out || s->role != ROLE_SCRATCH || !s->used || s->kept || s->last != i ||
                s->wish.memory != result->wish.memory || s->size != result->size ||
                air_bytes(n->in[k]) != air_bytes(n->out[0]) || !element_wise(l, n, in))
                continue;
            join(l, in, out);
            break;
        }
    }
}

Lifetimes live_ranges(HeliaArena *arena, const AirGraph *g, const TensorWish *wishes, bool keep_inputs, bool in_place)
{
    Lifetimes l = {HELIA_NEW_N(arena, uint32_t, g->tensors.len), HELIA_NEW_N(arena, Storage, g->tensors.len)};
    bool *shared = HELIA_NEW_N(arena, bool,
                               g->nodes.len); /* by node: a view without code, which touches nothing itself */
    for (uint32_t i = 0; i < g->tensors.len; i++) {
        const AirTensor *t = g->tensors.at[i];
        l.root[i] = i;
        l.storage[i].role = tensor_role(t);
        l.storage[i].size = air_bytes(t);
        l.storage[i].wish = wishes ? wishes[i] : (TensorWish){.memory = NO_MEMORY, .destination = NO_MEMORY};
    }
    join_views(arena, g, &l, shared);
    uint32_t end = g->nodes.len ? g->nodes.len - 1 : 0;
    for (uint32_t i = 0; i < g->inputs.len; i++) {
        touch(&l, g->inputs.at[i], 0);
        if (!keep_inputs)
            continue;
        touch(&l, g->inputs.at[i], end);
        l.storage[find(&l, g->inputs.at[i]->id)].kept = true;
    }
    for (uint32_t i = 0; i < g->outputs.len; i++) {
        touch(&l, g->outputs.at[i], end);
        l.storage[find(&l, g->outputs.at[i]->id)].kept = true;
    }
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        const AirNode *n = g->nodes.at[i];
        for (uint32_t k = 0; !shared[i] && k < node_operand_count(n); k++) {
            if (!node_operand(n, k))
                continue;
            touch(&l, node_operand(n, k), i);
            l.storage[find(&l, node_operand(n, k)->id)].accesses++;
        }
    }
    if (in_place)
        join_in_place(g, &l);
    for (uint32_t i = 0; i < g->tensors.len; i++)
        l.root[i] = find(&l, i);
    return l;
}
