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
} Live;

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

static void touch(Lifetimes *l, const AirTensor *t, uint32_t position)
{
    Storage *s = storage_of(l, t);
    s->first = !s->used || position < s->first ? position : s->first;
    s->last = !s->used || position > s->last ? position : s->last;
    s->used = true;
}

/* The storage of root `id` goes to offset `at` of that of root `into`. */
static void join(Lifetimes *l, uint32_t into, uint32_t id, size_t at)
{
    Storage *a = &l->storage[into];
    const Storage *b = &l->storage[id];
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
    l->root[id] = into;
    l->at[id] = at;
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
                    join(l, whole, part, offset_of(l, p.whole->id) + p.offset);
            } else if (!nothing) {
                all = false;
                l->copied += n->op->traits & HELIA_OP_VIEW ? 0 : air_bytes(p.part);
            }
        }
        l->free[i] = all && k > 0;
    }
}

/* ---- in place --------------------------------------------------------------------------------- */
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

/* Nobody but this operator needs the tensor any more, nor what else is in its storage. */
static bool dies(const Live *v, const AirNode *n, uint32_t position, const AirTensor *t)
{
    const Lifetimes *l = &v->l;
    const Storage *s = storage_of(l, t);
    const size_t bytes = air_bytes(n->out[0]);
    return s->role == ROLE_SCRATCH && s->used && !s->kept && s->last == position && s->size == bytes &&
           air_bytes(t) == bytes && element_wise(l, n, find(l, t->id));
}

/* The output may overwrite an input of its size whose storage, the whole of it, nobody needs after this operator. Where the
 * output is a part of something, the input goes there, too. */
static void join_in_place(const Live *v, Lifetimes *l)
{
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
            const uint32_t in = n->in[k] ? find(l, n->in[k]->id) : out;
            if (in == out || l->storage[in].wish.memory != result->wish.memory || !dies(v, n, i, n->in[k]) ||
                (is_part && l->storage[in].port))
                continue;
            if (is_part)
                join(l, out, in, offset_of(l, n->out[0]->id));
            else
                join(l, in, out, 0);
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
        touch(&v->l, g->tensors.at[i], 0);
        touch(&v->l, g->tensors.at[i], g->nodes.len ? g->nodes.len - 1 : 0);
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
    for (uint32_t i = 0; i < g->tensors.len; i++) {
        const AirTensor *t = g->tensors.at[i];
        l->root[i] = i;
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

static void touch_ports(Live *v)
{
    const AirGraph *g = v->graph;
    const uint32_t end = g->nodes.len ? g->nodes.len - 1 : 0;
    for (uint32_t i = 0; i < g->inputs.len; i++) {
        touch(&v->l, g->inputs.at[i], 0);
        if (!v->options->keep_inputs)
            continue;
        touch(&v->l, g->inputs.at[i], end);
        storage_of(&v->l, g->inputs.at[i])->kept = true;
    }
    for (uint32_t i = 0; i < g->outputs.len; i++) {
        touch(&v->l, g->outputs.at[i], end);
        storage_of(&v->l, g->outputs.at[i])->kept = true;
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
            touch(&v->l, t, i);
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
        join_in_place(&v, &v.l);
    for (uint32_t i = 0; i < g->tensors.len; i++) {
        const size_t at = offset_of(&v.l, i);
        const uint32_t root = find(&v.l, i);
        v.l.root[i] = root;
        v.l.at[i] = at;
    }
    return v.l;
}
