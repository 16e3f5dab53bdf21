/* State and constants: what has its place for the life of the program. */
#include "plan/memory_int.h"

#include <string.h>

static void put(Memory *m, uint32_t id, MemoryRole role, MemoryType memory, size_t size)
{
    uint32_t region = memory_region(m, role, memory);
    MemoryRegion *r = &m->plan->regions.at[region];
    MemorySlot *slot = &m->plan->tensors[id];
    size_t before = r->size ? memory_round(m, r->size) : 0;
    slot->region = (int32_t)region;
    slot->offset = before;
    slot->size = size;
    slot->root = id;
    r->size = before + size;
    m->left[memory] -= memory_round(m, size);
}

/* The first of the memories that has room; NULL: none. */
static const MemoryType *room_for(const Memory *m, const MemoryType *memories, uint32_t n, size_t size)
{
    for (uint32_t i = 0; i < n; i++)
        if (m->left[memories[i]] >= memory_round(m, size))
            return &memories[i];
    return NULL;
}

bool place_persistent(Memory *m, const Lifetimes *l)
{
    size_t missing = 0;
    for (uint32_t i = 0; i < m->graph->tensors.len; i++) {
        const Storage *s = &l->storage[i];
        if (l->root[i] != i || !s->used || s->role != ROLE_PERSISTENT)
            continue;
        const MemoryType *memory = room_for(m, m->writable, m->n_writable, s->size);
        if (memory)
            put(m, i, ROLE_PERSISTENT, *memory, s->size);
        else
            missing += memory_round(m, s->size);
    }
    return missing == 0 || misfit_fixed(m, l, ROLE_PERSISTENT, missing);
}

/* A constant with the same bytes that has its place already; NULL: none. */
static const AirTensor *twin(const Memory *m, const AirTensor *t, const uint32_t *placed, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const AirTensor *u = m->graph->tensors.at[placed[i]];
        if (u->data_size == t->data_size && (u->data == t->data || memcmp(u->data, t->data, t->data_size) == 0))
            return u;
    }
    return NULL;
}

/* In order of first use, from operands and then graph outputs. They all go to MRAM, because the image of a constant
 * elsewhere would be there anyway; a platform without MRAM has them in its preferred order. */
bool place_constants(Memory *m, const Lifetimes *l)
{
    const AirGraph *g = m->graph;
    static const MemoryType cold[] = {MEMORY_MRAM};
    bool has_cold = m->platform->size[MEMORY_MRAM] > 0;
    uint32_t *placed = HELIA_NEW_N(m->arena, uint32_t, g->tensors.len), n = 0;
    size_t missing = 0;
    for (uint32_t position = 0; position <= g->nodes.len; position++) {
        const AirNode *node = position < g->nodes.len ? g->nodes.at[position] : NULL;
        uint32_t count = node ? node_operand_count(node) : g->outputs.len;
        for (uint32_t k = 0; k < count; k++) {
            const AirTensor *t = node ? node_operand(node, k) : g->outputs.at[k];
            const AirTensor *root = t ? g->tensors.at[l->root[t->id]] : NULL;
            if (!root || !air_is_constant(root) || !l->storage[root->id].used || m->plan->tensors[root->id].region >= 0)
                continue;
            const AirTensor *same = twin(m, root, placed, n);
            if (same) {
                m->plan->tensors[root->id] = m->plan->tensors[same->id];
                continue;
            }
            const MemoryType *memory = has_cold ? room_for(m, cold, 1, root->data_size)
                                                : room_for(m, m->writable, m->n_writable, root->data_size);
            if (memory)
                put(m, root->id, ROLE_CONSTANT, *memory, root->data_size);
            else
                missing += memory_round(m, root->data_size);
            placed[n++] = root->id;
        }
    }
    return missing == 0 || misfit_fixed(m, l, ROLE_CONSTANT, missing);
}
