/* State and constants: what has its place for the life of the program. */
#include "plan/memory_int.h"

#include <string.h>

/* Where a constant is: `memory` is the one that kernels read. Another source: init copies it from there. */
typedef struct Home {
    MemoryType memory, source;
} Home;

static void put(Memory *m, uint32_t id, MemoryRole role, Home home, size_t size)
{
    uint32_t region = memory_region(m, role, home.memory);
    MemoryRegion *r = &m->plan->regions.at[region];
    MemorySlot *slot = &m->plan->tensors[id];
    size_t before = r->size ? memory_round(m, r->size) : 0;
    slot->region = (int32_t)region;
    slot->offset = before;
    slot->size = size;
    slot->root = id;
    r->size = before + size;
    r->source = home.source;
    r->staged = home.source != home.memory;
    r->sidecar = role == ROLE_CONSTANT && m->config->memory.constants.in[home.source] == CONSTANTS_SIDECAR;
    m->left[home.memory] -= memory_round(m, size);
    if (r->staged)
        m->left[home.source] -= memory_round(m, size);
}

static bool has_room(const Memory *m, Home home, size_t size)
{
    return m->left[home.memory] >= memory_round(m, size) && m->left[home.source] >= memory_round(m, size);
}

static void miss(const Memory *m, Missing *missing, const Storage *s, Home home, size_t size)
{
    const MemoryType full = m->left[home.memory] < memory_round(m, size) ? home.memory : home.source;
    missing->bytes += memory_round(m, size);
    if (s->wish.memory == NO_MEMORY && s->wish.destination == NO_MEMORY)
        return;
    if (!missing->ruled[full])
        missing->rule[full] = s->wish.destination != NO_MEMORY ? s->wish.destination_at : s->wish.memory_at;
    missing->ruled[full] += memory_round(m, size);
}

/* Everything in one memory has one source: what would be cold beside staged constants is staged, too. */
static Home home_in(const Memory *m, MemoryType memory)
{
    int8_t from = m->staged_from[memory];
    return (Home){memory, from == NO_MEMORY ? memory : (MemoryType)from};
}

bool place_persistent(Memory *m, const Lifetimes *l)
{
    Missing missing = {0};
    for (int ruled = 1; ruled >= 0; ruled--)
        for (uint32_t i = 0; i < m->graph->tensors.len; i++) {
            const Storage *s = &l->storage[i];
            const bool has_rule = s->wish.memory != NO_MEMORY;
            if (l->root[i] != i || !s->used || s->role != ROLE_PERSISTENT || has_rule != (ruled == 1))
                continue;
            MemoryType one = has_rule ? (MemoryType)s->wish.memory : MEMORY_MRAM;
            const MemoryType *memories = has_rule ? &one : m->writable;
            uint32_t n = has_rule ? 1 : m->n_writable, k = 0;
            while (k < n && !has_room(m, (Home){memories[k], memories[k]}, s->size))
                k++;
            if (k < n)
                put(m, i, ROLE_PERSISTENT, (Home){memories[k], memories[k]}, s->size);
            else
                miss(m, &missing, s, (Home){one, one}, s->size);
        }
    return missing.bytes == 0 || misfit_fixed(m, l, ROLE_PERSISTENT, &missing);
}

/* ---- constants -------------------------------------------------------------------------------- */
/* Where the image of a staged constant is when no rule says so; the destination itself where there is nothing else. */
static MemoryType default_source(const Memory *m, MemoryType destination)
{
    if (m->plan->budget[MEMORY_MRAM])
        return MEMORY_MRAM;
    for (uint32_t i = 0; i < m->n_writable; i++)
        if (m->writable[i] != destination)
            return m->writable[i];
    return destination;
}

bool choose_sources(Memory *m, const Lifetimes *l)
{
    bool ok = true;
    memset(m->staged_from, NO_MEMORY, sizeof(m->staged_from));
    for (uint32_t i = 0; i < m->graph->tensors.len; i++) {
        const Storage *s = &l->storage[i];
        if (l->root[i] != i || !s->used || s->role != ROLE_CONSTANT || s->wish.destination == NO_MEMORY)
            continue;
        const MemoryType to = (MemoryType)s->wish.destination;
        const MemoryType from = s->wish.memory != NO_MEMORY ? (MemoryType)s->wish.memory : default_source(m, to);
        const char *name = helia_printable(m->arena, m->graph->tensors.at[i]->name);
        if (from == to)
            continue;
        if (!memory_is_writable(to))
            ok = helia_error(m->graph->model->diag, s->wish.destination_at,
                             "the rule copies constant \"%s\" to %s, which cannot be written", name, memory_name(to));
        else if (m->staged_from[to] != NO_MEMORY && m->staged_from[to] != (int8_t)from)
            ok = helia_error(m->graph->model->diag, s->wish.destination_at,
                             "constant \"%s\" is staged from %s to %s, others from %s; all constants of one "
                             "destination need one source",
                             name, memory_name(from), memory_name(to), memory_name((MemoryType)m->staged_from[to]));
        else
            m->staged_from[to] = (int8_t)from;
    }
    return ok;
}

/* By rules, or in MRAM, because the image of a constant elsewhere would be there anyway; a platform without MRAM has
 * them in its preferred order. False: no room. */
static bool choose_home(const Memory *m, const Storage *s, Home *home)
{
    if (s->wish.destination != NO_MEMORY || s->wish.memory != NO_MEMORY) {
        int8_t memory = s->wish.destination != NO_MEMORY ? s->wish.destination : s->wish.memory;
        *home = home_in(m, (MemoryType)memory);
        return has_room(m, *home, s->size);
    }
    if (m->plan->budget[MEMORY_MRAM]) {
        *home = home_in(m, MEMORY_MRAM);
        return has_room(m, *home, s->size);
    }
    for (uint32_t i = 0; i < m->n_writable; i++) {
        *home = home_in(m, m->writable[i]);
        if (has_room(m, *home, s->size))
            return true;
    }
    return false;
}

static bool same_wish(const TensorWish *a, const TensorWish *b)
{
    return a->memory == b->memory && a->destination == b->destination;
}

/* A constant with the same bytes and the same rules, neither of them an operator's own table, that has its place already; NULL: none. */
static const AirTensor *twin(const Memory *m, const Lifetimes *l, const AirTensor *t, const uint32_t *placed,
                             uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const AirTensor *u = m->graph->tensors.at[placed[i]];
        if (!m->wishes.own_table[t->id] && !m->wishes.own_table[u->id] && u->data_size == t->data_size &&
            same_wish(&l->storage[u->id].wish, &l->storage[t->id].wish) &&
            (u->data == t->data || memcmp(u->data, t->data, t->data_size) == 0))
            return u;
    }
    return NULL;
}

/* Rules may claim writable memory before the activations get theirs. */
static bool is_ruled(const Storage *s)
{
    return s->wish.destination != NO_MEMORY ||
           (s->wish.memory != NO_MEMORY && memory_is_writable((MemoryType)s->wish.memory));
}

/* In order of first use, from operands and then graph outputs. */
bool place_constants(Memory *m, const Lifetimes *l, bool ruled)
{
    const AirGraph *g = m->graph;
    uint32_t *placed = HELIA_NEW_N(m->arena, uint32_t, g->tensors.len), n = 0;
    bool *seen = HELIA_NEW_N(m->arena, bool, g->tensors.len);
    Missing missing = {0};
    for (uint32_t position = 0; position <= g->nodes.len; position++) {
        const AirNode *node = position < g->nodes.len ? g->nodes.at[position] : NULL;
        uint32_t count = node ? node_operand_count(node) : g->outputs.len;
        for (uint32_t k = 0; k < count; k++) {
            const AirTensor *t = node ? node_operand(node, k) : g->outputs.at[k];
            const AirTensor *root = t ? g->tensors.at[l->root[t->id]] : NULL;
            if (!root || !air_is_constant(root) || !l->storage[root->id].used || seen[root->id] ||
                is_ruled(&l->storage[root->id]) != ruled)
                continue;
            seen[root->id] = true;
            const AirTensor *same = twin(m, l, root, placed, n);
            if (same) {
                m->plan->tensors[root->id] = m->plan->tensors[same->id];
                continue;
            }
            Home home = {MEMORY_MRAM, MEMORY_MRAM};
            if (choose_home(m, &l->storage[root->id], &home))
                put(m, root->id, ROLE_CONSTANT, home, root->data_size);
            else
                miss(m, &missing, &l->storage[root->id], home, root->data_size);
            placed[n++] = root->id;
        }
    }
    return missing.bytes == 0 || misfit_fixed(m, l, ROLE_CONSTANT, &missing);
}
