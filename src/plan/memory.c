/* The graph's memory: roles and memories chosen, the planner run for each, the result checked. */
#include "plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "plan/live.h"

typedef struct Memory {
    HeliaArena *arena; /* of the result */
    AirGraph *graph;
    const Platform *platform;
    const Config *config;
    const Planner *planner;
    size_t align;
    MemoryPlan *plan;
    uint64_t left[NUM_MEMORIES]; /* bytes of each memory not taken yet */
} Memory;

/* What the planner is given: a storage or the scratch of an operator. */
typedef struct Item {
    int32_t tensor; /* root id; -1: scratch */
    uint32_t node;  /* of scratch: position */
    PlanBuf buf;
    MemoryType memory;
} Item;
typedef struct Items {
    HELIA_VEC(Item) list;
    PlanResult result[NUM_MEMORIES];
} Items;

const char *memory_role_name(MemoryRole role)
{
    static const char *const names[] = {"SCRATCH", "PERSISTENT", "CONSTANT"};
    return names[role];
}

static size_t round_up(size_t n, size_t align)
{
    return (n + align - 1) / align * align;
}

static uint32_t region_of(Memory *m, MemoryRole role, MemoryType memory)
{
    for (uint32_t i = 0; i < m->plan->regions.len; i++)
        if (m->plan->regions.at[i].role == role && m->plan->regions.at[i].memory == memory)
            return i;
    MemoryRegion fresh = {.role = role, .memory = memory, .align = m->align};
    HELIA_PUSH(m->arena, &m->plan->regions, fresh);
    return m->plan->regions.len - 1;
}

/* ---- scratch ---------------------------------------------------------------------------------- */
static void collect(Memory *m, const Lifetimes *l, Items *items)
{
    const AirGraph *g = m->graph;
    for (uint32_t i = 0; i < g->tensors.len; i++) {
        const Storage *s = &l->storage[i];
        if (l->root[i] != i || !s->used || s->role != ROLE_SCRATCH)
            continue;
        Item item = {.tensor = (int32_t)i,
                     .buf = {i, s->first, s->last, round_up(s->size ? s->size : 1, m->align), m->align, 0}};
        HELIA_PUSH(m->arena, &items->list, item);
    }
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        if (!g->nodes.at[i]->scratch)
            continue;
        Item item = {.tensor = -1,
                     .node = i,
                     .buf = {g->tensors.len + i, i, i, round_up(g->nodes.at[i]->scratch, m->align), m->align, 0}};
        HELIA_PUSH(m->arena, &items->list, item);
    }
}

static bool run_planner(Memory *m, Items *items, MemoryType memory)
{
    PlanBuf *bufs = HELIA_NEW_N(m->arena, PlanBuf, items->list.len);
    uint32_t n = 0;
    for (uint32_t i = 0; i < items->list.len; i++)
        if (items->list.at[i].memory == memory)
            bufs[n++] = items->list.at[i].buf;
    items->result[memory] = (PlanResult){0};
    if (n == 0)
        return true;
    const ConfigPlannerOptions *o = &m->config->memory.planner_options;
    const PlanOptions options = {(uint64_t)o->iterations, (uint64_t)o->max_stall_iterations, (uint64_t)o->seed,
                                 (uint64_t)o->step_limit};
    m->planner->plan(m->arena, bufs, n, &options, &items->result[memory]);
    if (!plan_check(m->arena, m->graph->model->diag, bufs, n, &items->result[memory]))
        return false;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < items->list.len; i++)
            if (items->list.at[i].buf.id == bufs[k].id)
                items->list.at[i].buf.offset = bufs[k].offset;
    return true;
}

/* The buffer to send away from `memory`: of those live where most is live, the largest, then the longest. */
static Item *victim(Items *items, MemoryType memory)
{
    uint32_t at = 0;
    size_t most = 0;
    for (uint32_t i = 0; i < items->list.len; i++) {
        if (items->list.at[i].memory != memory)
            continue;
        size_t sum = 0;
        uint32_t position = items->list.at[i].buf.first;
        for (uint32_t k = 0; k < items->list.len; k++) {
            const Item *b = &items->list.at[k];
            if (b->memory == memory && b->buf.first <= position && position <= b->buf.last)
                sum += b->buf.size;
        }
        if (sum > most) {
            most = sum;
            at = position;
        }
    }
    Item *best = NULL;
    for (uint32_t i = 0; i < items->list.len; i++) {
        Item *b = &items->list.at[i];
        if (b->memory != memory || b->buf.first > at || at > b->buf.last)
            continue;
        if (!best || b->buf.size > best->buf.size ||
            (b->buf.size == best->buf.size && b->buf.last - b->buf.first > best->buf.last - best->buf.first))
            best = b;
    }
    return best;
}

static uint32_t writable_memories(const Memory *m, MemoryType *order)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->platform->n_preferred; i++)
        if (memory_is_writable(m->platform->preferred[i]) && m->platform->size[m->platform->preferred[i]])
            order[n++] = m->platform->preferred[i];
    return n;
}

/* Everything in the first memory; what does not fit moves on, one buffer at a time. False when the last one overflows. */
static bool place_scratch(Memory *m, Items *items, bool *fits)
{
    MemoryType order[NUM_MEMORIES];
    uint32_t n = writable_memories(m, order);
    *fits = n > 0 || items->list.len == 0;
    for (uint32_t i = 0; i < items->list.len && n; i++)
        items->list.at[i].memory = order[0];
    for (uint32_t k = 0; k < n; k++) {
        for (;;) {
            if (!run_planner(m, items, order[k]))
                return false;
            if (items->result[order[k]].peak <= m->left[order[k]])
                break;
            if (k + 1 == n) {
                *fits = false;
                return true;
            }
            victim(items, order[k])->memory = order[k + 1];
        }
    }
    return true;
}

static size_t total_peak(const Items *items)
{
    size_t sum = 0;
    for (int i = 0; i < NUM_MEMORIES; i++)
        sum += items->result[i].peak;
    return sum;
}

/* ---- constants and persistent storage --------------------------------------------------------- */
static bool constant_memory(const Memory *m, MemoryType *memory)
{
    if (m->platform->size[MEMORY_MRAM]) {
        *memory = MEMORY_MRAM;
        return true;
    }
    MemoryType order[NUM_MEMORIES];
    if (writable_memories(m, order) == 0)
        return false;
    *memory = order[0];
    return true;
}

static void put(Memory *m, uint32_t id, uint32_t region, size_t size)
{
    MemoryRegion *r = &m->plan->regions.at[region];
    MemorySlot *slot = &m->plan->tensors[id];
    slot->region = (int32_t)region;
    slot->offset = round_up(r->size, m->align);
    slot->size = size;
    r->size = slot->offset + size;
}

static const AirTensor *twin(const Memory *m, const AirTensor *t, const uint32_t *done, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const AirTensor *u = m->graph->tensors.at[done[i]];
        if (u->data_size == t->data_size && (u->data == t->data || memcmp(u->data, t->data, t->data_size) == 0))
            return u;
    }
    return NULL;
}

/* In order of first use; identical ones share. */
static bool place_constants(Memory *m, const Lifetimes *l)
{
    const AirGraph *g = m->graph;
    uint32_t *done = HELIA_NEW_N(m->arena, uint32_t, g->tensors.len), n = 0;
    MemoryType memory = MEMORY_MRAM;
    for (uint32_t position = 0; position < g->nodes.len + 1; position++) {
        uint32_t count = position < g->nodes.len ? node_operand_count(g->nodes.at[position]) : g->outputs.len;
        for (uint32_t k = 0; k < count; k++) {
            const AirTensor *t = position < g->nodes.len ? node_operand(g->nodes.at[position], k) : g->outputs.at[k];
            if (!t || !air_is_constant(g->tensors.at[l->root[t->id]]))
                continue;
            const AirTensor *root = g->tensors.at[l->root[t->id]];
            if (!l->storage[root->id].used || m->plan->tensors[root->id].region >= 0)
                continue;
            if (!constant_memory(m, &memory))
                return helia_error(g->model->diag, HELIA_NOWHERE, "platform %s has no memory for constants", m->platform->name);
            const AirTensor *same = twin(m, root, done, n);
            if (same) {
                uint32_t first = m->plan->tensors[root->id].first, last = m->plan->tensors[root->id].last;
                m->plan->tensors[root->id] = m->plan->tensors[same->id];
                m->plan->tensors[root->id].first = first;
                m->plan->tensors[root->id].last = last;
            } else {
                put(m, root->id, region_of(m, ROLE_CONSTANT, memory), root->data_size);
                done[n++] = root->id;
            }
        }
    }
    return true;
}

/* Whole-program storage is taken from the first writable memory that has room, before scratch. */
static bool place_persistent(Memory *m, const Lifetimes *l)
{
    MemoryType order[NUM_MEMORIES];
    uint32_t n = writable_memories(m, order);
    bool ok = true;
    for (uint32_t i = 0; i < m->graph->tensors.len; i++) {
        const Storage *s = &l->storage[i];
        if (l->root[i] != i || !s->used || s->role != ROLE_PERSISTENT)
            continue;
        size_t size = round_up(s->size, m->align);
        uint32_t k = 0;
        while (k < n && m->left[order[k]] < size)
            k++;
        if (k == n) {
            ok = helia_error(m->graph->model->diag, air_tensor_loc(m->graph, m->graph->tensors.at[i]),
                             "the variable's %zu bytes fit into no writable memory", size);
            continue;
        }
        put(m, i, region_of(m, ROLE_PERSISTENT, order[k]), s->size);
        m->left[order[k]] -= size;
    }
    return ok;
}

/* ---- result ----------------------------------------------------------------------------------- */
static int by_role_and_name(const void *x, const void *y)
{
    const MemoryRegion *a = x, *b = y;
    if (a->role != b->role)
        return (a->role > b->role) - (a->role < b->role);
    return strcmp(memory_name(a->memory), memory_name(b->memory));
}

static void sort_regions(Memory *m)
{
    MemoryPlan *p = m->plan;
    MemoryRegion *before = helia_memdup(m->arena, p->regions.at, p->regions.len * sizeof(MemoryRegion));
    qsort(p->regions.at, p->regions.len, sizeof(MemoryRegion), by_role_and_name);
    int32_t *now = HELIA_NEW_N(m->arena, int32_t, p->regions.len);
    for (uint32_t i = 0; i < p->regions.len; i++)
        for (uint32_t k = 0; k < p->regions.len; k++)
            if (before[i].role == p->regions.at[k].role && before[i].memory == p->regions.at[k].memory)
                now[i] = (int32_t)k;
    for (uint32_t i = 0; i < m->graph->tensors.len; i++)
        if (p->tensors[i].region >= 0)
            p->tensors[i].region = now[p->tensors[i].region];
    for (uint32_t i = 0; i < m->graph->nodes.len; i++)
        if (p->scratch[i].region >= 0)
            p->scratch[i].region = now[p->scratch[i].region];
}

/* FNV-1a over what a binding depends on. */
static uint32_t layout_hash(const MemoryPlan *p)
{
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < p->regions.len; i++) {
        const MemoryRegion *r = &p->regions.at[i];
        const uint64_t words[] = {(uint64_t)r->role, (uint64_t)r->memory, r->size, r->align};
        for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++)
            for (int shift = 0; shift < 64; shift += 8)
                hash = (hash ^ (uint8_t)(words[k] >> shift)) * 16777619u;
    }
    return hash;
}

static void apply_scratch(Memory *m, const Items *items)
{
    for (uint32_t i = 0; i < items->list.len; i++) {
        const Item *item = &items->list.at[i];
        uint32_t region = region_of(m, ROLE_SCRATCH, item->memory);
        MemoryRegion *r = &m->plan->regions.at[region];
        const PlanResult *result = &items->result[item->memory];
        r->size = result->peak;
        r->lower_bound = result->lower_bound;
        r->proven = result->proven;
        MemorySlot slot = {(int32_t)region, item->buf.offset, item->buf.size, item->buf.first, item->buf.last, 0};
        if (item->tensor < 0) {
            slot.size = m->graph->nodes.at[item->node]->scratch;
            m->plan->scratch[item->node] = slot;
        } else {
            slot.root = (uint32_t)item->tensor;
            m->plan->tensors[item->tensor] = slot;
        }
    }
}

/* Members of a storage lie where its root lies. */
static void spread(Memory *m, const Lifetimes *l)
{
    for (uint32_t i = 0; i < m->graph->tensors.len; i++) {
        MemorySlot *slot = &m->plan->tensors[i];
        if (l->root[i] != i)
            *slot = m->plan->tensors[l->root[i]];
        slot->root = l->root[i];
        if (slot->region >= 0)
            slot->size = air_bytes(m->graph->tensors.at[i]);
    }
}

static void report_misfit(const Memory *m, Items *items)
{
    HeliaDiag *diag = m->graph->model->diag;
    MemoryType order[NUM_MEMORIES];
    uint32_t n = writable_memories(m, order);
    if (n == 0) {
        helia_error(diag, HELIA_NOWHERE, "platform %s has no writable memory", m->platform->name);
        return;
    }
    MemoryType last = order[n - 1];
    helia_error(diag, HELIA_NOWHERE, "the activations do not fit: %s needs %zu bytes and has %llu", memory_name(last),
                items->result[last].peak, (unsigned long long)m->left[last]);
    for (uint32_t k = 0; k < n; k++)
        helia_note(diag, HELIA_NOWHERE, "%s: budget %llu bytes, %zu planned", memory_name(order[k]),
                   (unsigned long long)m->platform->size[order[k]], items->result[order[k]].peak);
    const Item *big = victim(items, last);
    for (uint32_t shown = 0, i = 0; i < items->list.len && shown < 5; i++) {
        const Item *b = &items->list.at[i];
        if (b->memory != last || !big || b->buf.first > big->buf.last || big->buf.first > b->buf.last)
            continue;
        shown++;
        helia_note(diag, HELIA_NOWHERE, "at the peak: %s, %zu bytes, operators %u to %u",
                   b->tensor < 0 ? helia_format(m->arena, "scratch of %s", m->graph->nodes.at[b->node]->cname)
                                 : helia_format(m->arena, "\"%s\"", helia_printable(m->arena, m->graph->tensors.at[b->tensor]->name)),
                   b->buf.size, b->buf.first, b->buf.last);
    }
    helia_note(diag, HELIA_NOWHERE, "a platform with more memory, memory.planner: optimal, or a smaller model would help");
}

static bool plan_scratch(Memory *m, Lifetimes *best)
{
    bool keep = m->config->memory.keep_inputs, fits[2];
    Lifetimes l[2] = {live_ranges(m->arena, m->graph, keep, false), live_ranges(m->arena, m->graph, keep, true)};
    Items items[2] = {{{0}, {{0}}}, {{0}, {{0}}}};
    for (int i = 0; i < 2; i++) {
        collect(m, &l[i], &items[i]);
        if (!place_scratch(m, &items[i], &fits[i]))
            return false;
    }
    /* Sharing an input's storage lengthens its life, so it may lose. */
    int use = fits[1] && (!fits[0] || total_peak(&items[1]) <= total_peak(&items[0]));
    if (!fits[use]) {
        report_misfit(m, &items[use]);
        return false;
    }
    apply_scratch(m, &items[use]);
    *best = l[use];
    return true;
}

static bool constants_fit(const Memory *m)
{
    bool ok = true;
    for (uint32_t i = 0; i < m->plan->regions.len; i++) {
        const MemoryRegion *r = &m->plan->regions.at[i];
        if (r->role == ROLE_CONSTANT && r->size > m->left[r->memory])
            ok = helia_error(m->graph->model->diag, HELIA_NOWHERE, "the constants do not fit: %s needs %zu bytes and has %llu",
                             memory_name(r->memory), r->size, (unsigned long long)m->left[r->memory]);
    }
    return ok;
}

MemoryPlan *plan_memory(HeliaArena *arena, AirGraph *graph, const Platform *platform, const Config *config)
{
    Memory m = {.arena = arena, .graph = graph, .platform = platform, .config = config};
    m.planner = planner_find(config->memory.planner);
    m.align = platform->min_alignment > 16 ? platform->min_alignment : 16;
    m.plan = HELIA_NEW(arena, MemoryPlan);
    m.plan->tensors = HELIA_NEW_N(arena, MemorySlot, graph->tensors.len);
    m.plan->scratch = HELIA_NEW_N(arena, MemorySlot, graph->nodes.len);
    for (uint32_t i = 0; i < graph->tensors.len; i++)
        m.plan->tensors[i].region = -1;
    for (uint32_t i = 0; i < graph->nodes.len; i++)
        m.plan->scratch[i].region = -1;
    memcpy(m.left, platform->size, sizeof(m.left));

    Lifetimes plain = live_ranges(arena, graph, config->memory.keep_inputs, false), l;
    if (!place_persistent(&m, &plain) || !plan_scratch(&m, &l) || !place_constants(&m, &l) || !constants_fit(&m))
        return NULL;
    spread(&m, &l);
    sort_regions(&m);
    m.plan->hash = layout_hash(m.plan);
    return m.plan;
}
