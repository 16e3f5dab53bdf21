/* Lifetimes with aliases: views, parts and in-place results join the storage of another tensor, at an offset of it. */
#include "plan/live.h"

#include <helia_aot/op.h>

#include "plan/plan.h"

/* Kernels read several elements at a time; a part is aligned to so many bytes, or to its elements. */
enum { PART_ALIGN = 4 };

typedef struct Live {
    HeliaArena *arena;
    const AirGraph *graph;
    const LiveOptions *options;
    Lifetimes l;
    uint32_t *next, *tail; /* the members of a storage from its root on; next of the last one: itself. tail by root */
    uint32_t *until;       /* by tensor: the last operator that touches it itself; AFTER_ALL: wanted after that */
} Live;

#define AFTER_ALL UINT32_MAX

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

bool node_part(const AirNode *n, uint32_t i, HeliaPart *part)
{
    if (!(n->op->traits & HELIA_OP_VIEW))
        return n->op->part && n->op->part(n, i, part);
    *part = (HeliaPart){n->out[0], n->in[0], 0};
    return i == 0 && n->in[0] && n->out[0];
}

/* ---- storages --------------------------------------------------------------------------------- */
static uint32_t find(const Lifetimes *l, uint32_t id)
{
    while (l->root[id] != id)
        id = l->root[id];
    return id;
}

static size_t offset_of(const Lifetimes *l, uint32_t id)
{
    size_t at = l->at[id];
    while (l->root[id] != id) {
        id = l->root[id];
        at += l->at[id];
    }
    return at;
}

static Storage *storage_of(const Lifetimes *l, const AirTensor *t)
{
    return &l->storage[find(l, t->id)];
}

static void touch(Live *v, const AirTensor *t, uint32_t position)
{
    Storage *s = storage_of(&v->l, t);
    v->until[t->id] = position > v->until[t->id] ? position : v->until[t->id];
    s->first = !s->used || position < s->first ? position : s->first;
    s->last = !s->used || position > s->last ? position : s->last;
    s->used = true;
}

/* The storage of root `id` goes to offset `at` of that of root `into`. */
static void join(Live *v, uint32_t into, uint32_t id, size_t at)
{
    Storage *a = &v->l.storage[into];
    const Storage *b = &v->l.storage[id];
    if (b->used) {
        a->first = !a->used || b->first < a->first ? b->first : a->first;
        a->last = !a->used || b->last > a->last ? b->last : a->last;
        a->used = true;
    }
    a->kept = a->kept || b->kept;
    a->port = a->port || b->port;
    a->accesses += b->accesses;
    a->size = b->size > a->size ? b->size : a->size;
    if (a->wish.memory == NO_MEMORY && a->wish.destination == NO_MEMORY)
        a->wish = b->wish;
    v->l.root[id] = into;
    v->l.at[id] = at;
    v->next[v->tail[into]] = id;
    v->tail[into] = v->tail[id];
}

/* ---- views ------------------------------------------------------------------------------------ */
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

/* The outputs that may lie in one of the tensors. */
static void spread_views(const AirNode *n, bool *tensors)
{
    HeliaPart p;
    for (uint32_t i = 0; node_part(n, i, &p); i++)
        if (p.whole && tensors[p.whole->id])
            tensors[p.part->id] = true;
}

/* Does a variable stay as it is while what operator `position` takes of it as a view, or a view of that, is needed? */
static bool variable_stays(const Live *v, uint32_t position, uint32_t variable, const AirTensor *part)
{
    const AirGraph *g = v->graph;
    HeliaArena *work = helia_arena_child(v->arena);
    bool *views = HELIA_NEW_N(work, bool, g->tensors.len), written = false, stays = true;
    views[part->id] = true;
    for (uint32_t i = position + 1; i < g->nodes.len && stays; i++) {
        const AirNode *n = g->nodes.at[i];
        const bool touched = touches_any(n, views);
        spread_views(n, views);
        if (n->op->traits & HELIA_OP_VIEW)
            continue;
        written = written || writes(&v->l, n, variable);
        stays = !(written && touched);
    }
    for (uint32_t i = 0; i < g->outputs.len; i++)
        stays = stays && !views[g->outputs.at[i]->id];
    helia_arena_free(work);
    return stays;
}

/* Some views are copies: of a variable that changes while the view is needed, and of a variable or constant that leaves
 * the graph under another shape, because what an application finds in its outputs is its own. */
static bool can_view(const Live *v, uint32_t position, const HeliaPart *p)
{
    const uint32_t whole = find(&v->l, p->whole->id);
    MemoryRole role = v->l.storage[whole].role;
    if (role == ROLE_CONSTANT)
        return !is_graph_output(v->graph, p->part);
    return role == ROLE_SCRATCH || variable_stays(v, position, whole, p->part);
}

/* ---- parts ------------------------------------------------------------------------------------ */
static bool is_chosen(const Live *v, const AirNode *n, uint32_t i)
{
    const PartSet *parts = v->options->parts;
    return parts && parts->on[parts->first[n->id] + i];
}

/* The part has a storage of its own, which is nobody else's business, and lies where kernels can work on it. */
static bool can_join(const Live *v, const HeliaPart *p)
{
    const Storage *part = storage_of(&v->l, p->part), *whole = storage_of(&v->l, p->whole);
    const size_t bytes = air_bytes(p->part), element = air_type_bits(p->part->type) / 8;
    const size_t align = element > PART_ALIGN ? element : PART_ALIGN;
    return part != whole && part->role == ROLE_SCRATCH && !part->port && bytes > 0 && part->size == bytes &&
           part->wish.memory == whole->wish.memory && (offset_of(&v->l, p->whole->id) + p->offset) % align == 0;
}

/* Of a concatenation: the operators that make the part write into the whole. */
static bool can_gather(const Live *v, const HeliaPart *p)
{
    return storage_of(&v->l, p->whole)->role == ROLE_SCRATCH && can_join(v, p);
}

static bool can_share(const Live *v, uint32_t position, uint32_t i, const HeliaPart *p)
{
    const AirNode *n = v->graph->nodes.at[position];
    if (v->options->apart)
        return false;
    if (n->op->traits & HELIA_OP_VIEW)
        return can_view(v, position, p);
    if (!p->whole || !is_chosen(v, n, i))
        return false;
    for (uint32_t k = 0; k < n->n_out; k++)
        if (n->out[k] == p->whole)
            return can_gather(v, p);
    return can_join(v, p) && can_view(v, position, p);
}

/* In execution order an input has joined its own storage before its view does, so one pass reaches the fixed point. */
static void join_parts(Live *v)
{
    Lifetimes *l = &v->l;
    for (uint32_t i = 0; i < v->graph->nodes.len; i++) {
        const AirNode *n = v->graph->nodes.at[i];
        HeliaPart p;
        uint32_t k = 0;
        bool all = true;
        for (; node_part(n, k, &p); k++) {
            const bool nothing = air_bytes(p.part) == 0;
            if (can_share(v, i, k, &p)) {
                const uint32_t whole = find(l, p.whole->id), part = find(l, p.part->id);
                if (whole != part)
                    join(v, whole, part, offset_of(l, p.whole->id) + p.offset);
            } else if (!nothing) {
                all = false;
                l->copied += n->op->traits & HELIA_OP_VIEW ? 0 : air_bytes(p.part);
            }
        }
        l->free[i] = all && k > 0;
    }
}

/* ---- in place --------------------------------------------------------------------------------- */
static bool overlap(const Live *v, const AirTensor *a, const AirTensor *b)
{
    const size_t x = offset_of(&v->l, a->id), y = offset_of(&v->l, b->id);
    return find(&v->l, a->id) == find(&v->l, b->id) && x < y + air_bytes(b) && y < x + air_bytes(a);
}

/* Every operand in these bytes must be read at the places that the result is written to. */
static bool element_wise(const Live *v, const AirNode *n, const AirTensor *t)
{
    for (uint32_t k = 0; k < node_operand_count(n); k++) {
        const AirTensor *o = node_operand(n, k);
        if (o && overlap(v, o, t) &&
            (air_bytes(o) != air_bytes(t) || offset_of(&v->l, o->id) != offset_of(&v->l, t->id)))
            return false;
    }
    return true;
}

/* After the operator nobody needs what is in the tensor's bytes. */
static bool dies(const Live *v, uint32_t position, const AirTensor *t)
{
    for (uint32_t m = find(&v->l, t->id), before = AFTER_ALL; m != before; before = m, m = v->next[m])
        if (v->until[m] > position && overlap(v, v->graph->tensors.at[m], t))
            return false;
    return true;
}

/* The result goes over an input of its size. Where it is a part of something, the input goes there, too; where the input is
 * a part, `over` allows it. */
static bool can_overwrite(const Live *v, uint32_t position, const AirTensor *t)
{
    const AirNode *n = v->graph->nodes.at[position];
    const AirTensor *out = n->out[0];
    const Storage *s = storage_of(&v->l, t), *result = storage_of(&v->l, out);
    const size_t bytes = air_bytes(out);
    if (s == result || s->role != ROLE_SCRATCH || !s->used || s->wish.memory != result->wish.memory ||
        air_bytes(t) != bytes || !element_wise(v, n, t))
        return false;
    if (s->size == bytes)
        return s->last == position && !s->kept && (result->size == bytes || !s->port);
    return v->options->parts && v->options->parts->over && result->size == bytes && !result->port &&
           dies(v, position, t);
}

static void join_in_place(Live *v)
{
    const Lifetimes *l = &v->l;
    for (uint32_t i = 0; i < v->graph->nodes.len; i++) {
        const AirNode *n = v->graph->nodes.at[i];
        if (!(n->op->traits & HELIA_OP_INPLACE) || n->n_out == 0 || !n->out[0])
            continue;
        const uint32_t out = find(l, n->out[0]->id);
        const Storage *result = &l->storage[out];
        const bool is_part = result->size != air_bytes(n->out[0]);
        if (result->role != ROLE_SCRATCH || !result->used || (result->first != i && !is_part))
            continue;
        for (uint32_t k = 0; k < n->n_in; k++) {
            if (!n->in[k] || !can_overwrite(v, i, n->in[k]))
                continue;
            const uint32_t in = find(l, n->in[k]->id);
            if (is_part)
                join(v, out, in, offset_of(l, n->out[0]->id));
            else
                join(v, in, out, offset_of(l, n->in[k]->id));
            break;
        }
    }
}

/* ---- the whole -------------------------------------------------------------------------------- */
/* From the first operator to behind the last one: nothing takes its place. */
static void keep_all(Live *v)
{
    const AirGraph *g = v->graph;
    for (uint32_t i = 0; i < g->tensors.len; i++) {
        if (!v->l.storage[i].used)
            continue;
        touch(v, g->tensors.at[i], 0);
        touch(v, g->tensors.at[i], g->nodes.len ? g->nodes.len - 1 : 0);
        v->l.storage[i].kept = true;
    }
}

static void set_up(Live *v)
{
    const AirGraph *g = v->graph;
    Lifetimes *l = &v->l;
    l->root = HELIA_NEW_N(v->arena, uint32_t, g->tensors.len);
    l->at = HELIA_NEW_N(v->arena, size_t, g->tensors.len);
    l->storage = HELIA_NEW_N(v->arena, Storage, g->tensors.len);
    l->free = HELIA_NEW_N(v->arena, bool, g->nodes.len);
    v->next = HELIA_NEW_N(v->arena, uint32_t, g->tensors.len);
    v->tail = HELIA_NEW_N(v->arena, uint32_t, g->tensors.len);
    v->until = HELIA_NEW_N(v->arena, uint32_t, g->tensors.len);
    for (uint32_t i = 0; i < g->tensors.len; i++) {
        const AirTensor *t = g->tensors.at[i];
        l->root[i] = v->next[i] = v->tail[i] = i;
        l->storage[i].role = tensor_role(t);
        l->storage[i].size = air_bytes(t);
        l->storage[i].wish = v->options->wishes ? v->options->wishes[i]
                                                : (TensorWish){.memory = NO_MEMORY, .destination = NO_MEMORY};
    }
    for (uint32_t i = 0; i < g->inputs.len; i++)
        l->storage[g->inputs.at[i]->id].port = true;
    for (uint32_t i = 0; i < g->outputs.len; i++)
        l->storage[g->outputs.at[i]->id].port = true;
}

static void keep(Live *v, const AirTensor *t)
{
    storage_of(&v->l, t)->kept = true;
    v->until[t->id] = AFTER_ALL;
}

static void touch_ports(Live *v)
{
    const AirGraph *g = v->graph;
    const uint32_t end = g->nodes.len ? g->nodes.len - 1 : 0;
    for (uint32_t i = 0; i < g->inputs.len; i++) {
        touch(v, g->inputs.at[i], 0);
        if (!v->options->keep_inputs)
            continue;
        touch(v, g->inputs.at[i], end);
        keep(v, g->inputs.at[i]);
    }
    for (uint32_t i = 0; i < g->outputs.len; i++) {
        touch(v, g->outputs.at[i], end);
        keep(v, g->outputs.at[i]);
    }
}

static void touch_operands(Live *v)
{
    for (uint32_t i = 0; i < v->graph->nodes.len; i++) {
        const AirNode *n = v->graph->nodes.at[i];
        for (uint32_t k = 0; !v->l.free[i] && k < node_operand_count(n); k++) {
            const AirTensor *t = node_operand(n, k);
            if (!t)
                continue;
            touch(v, t, i);
            storage_of(&v->l, t)->accesses++;
        }
    }
}

Lifetimes live_ranges(HeliaArena *arena, const AirGraph *g, const LiveOptions *options)
{
    Live v = {.arena = arena, .graph = g, .options = options};
    set_up(&v);
    join_parts(&v);
    touch_ports(&v);
    touch_operands(&v);
    if (options->apart)
        keep_all(&v);
    else if (options->in_place)
        join_in_place(&v);
    for (uint32_t i = 0; i < g->tensors.len; i++) {
        const size_t at = offset_of(&v.l, i);
        const uint32_t root = find(&v.l, i);
        v.l.root[i] = root;
        v.l.at[i] = at;
    }
    return v.l;
}
