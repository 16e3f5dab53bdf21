/* The graph's memory: lifetimes, then a place for state, activations and constants, then the result. */
#include "plan/memory_int.h"

#include <stdlib.h>
#include <string.h>

const char *memory_role_name(MemoryRole role)
{
    static const char *const names[] = {"SCRATCH", "PERSISTENT", "CONSTANT"};
    return names[role];
}

size_t memory_round(const Memory *m, size_t size)
{
    return ((size ? size : 1) + m->align - 1) / m->align * m->align;
}

uint32_t memory_region(Memory *m, MemoryRole role, MemoryType memory)
{
    for (uint32_t i = 0; i < m->plan->regions.len; i++)
        if (m->plan->regions.at[i].role == role && m->plan->regions.at[i].memory == memory)
            return i;
    HELIA_PUSH(m->arena, &m->plan->regions, ((MemoryRegion){.role = role, .memory = memory, .align = m->align}));
    return m->plan->regions.len - 1;
}

/* ---- result ----------------------------------------------------------------------------------- */
static void take_placement(Memory *m, const Placement *p)
{
    for (uint32_t i = 0; i < p->items.len; i++) {
        const Item *item = &p->items.at[i];
        const PlanResult *result = &p->result[item->memory];
        uint32_t region = memory_region(m, ROLE_SCRATCH, item->memory);
        MemoryRegion *r = &m->plan->regions.at[region];
        r->size = result->peak;
        r->lower_bound = result->lower_bound;
        r->proven = result->proven;
        MemorySlot slot = {(int32_t)region, item->buf.offset, 0, item->buf.first, item->buf.last, 0};
        if (item->tensor < 0) {
            slot.size = m->graph->nodes.at[item->node]->scratch;
            m->plan->scratch[item->node] = slot;
        } else {
            slot.root = (uint32_t)item->tensor;
            m->plan->tensors[item->tensor] = slot;
        }
    }
    for (int memory = 0; memory < NUM_MEMORIES; memory++)
        m->left[memory] -= p->result[memory].peak;
}

/* Members of a storage lie at their offset in its root. */
static void spread(Memory *m, const Lifetimes *l)
{
    for (uint32_t i = 0; i < m->graph->tensors.len; i++) {
        MemorySlot *slot = &m->plan->tensors[i];
        *slot = m->plan->tensors[l->root[i]];
        if (slot->region < 0) {
            slot->root = l->root[i];
            continue;
        }
        slot->offset += l->at[i];
        slot->size = air_bytes(m->graph->tensors.at[i]);
        slot->first = l->storage[l->root[i]].first;
        slot->last = l->storage[l->root[i]].last;
    }
}

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
    const uint32_t n = p->regions.len;
    if (n == 0)
        return;
    const MemoryRegion *before = helia_memdup(m->arena, p->regions.at, n * sizeof(MemoryRegion));
    qsort(p->regions.at, n, sizeof(MemoryRegion), by_role_and_name);
    int32_t *now = HELIA_NEW_N(m->arena, int32_t, n);
    for (uint32_t i = 0; i < n; i++)
        now[i] = (int32_t)memory_region(m, before[i].role, before[i].memory);
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
        const uint64_t words[] = {
            (uint64_t)r->role, (uint64_t)r->memory,        r->size,
            r->align,          (uint64_t)region_source(r), (uint64_t)r->staged | (uint64_t)r->sidecar << 1};
        for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++)
            for (int shift = 0; shift < 64; shift += 8)
                hash = (hash ^ (uint8_t)(words[k] >> shift)) * 16777619u;
    }
    return hash;
}

/* ---- what is asked of it ---------------------------------------------------------------------- */
bool plan_in_place(const MemoryPlan *plan, const HeliaPart *p)
{
    if (!p->whole || air_bytes(p->part) == 0)
        return air_bytes(p->part) == 0;
    const MemorySlot *part = &plan->tensors[p->part->id], *whole = &plan->tensors[p->whole->id];
    return part->region < 0 ||
           (part->region == whole->region && part->root == whole->root && part->offset == whole->offset + p->offset);
}

bool plan_is_free(const MemoryPlan *plan, const AirNode *n)
{
    HeliaPart p;
    uint32_t i = 0;
    while (node_part(n, i, &p) && plan_in_place(plan, &p))
        i++;
    return i > 0 && !node_part(n, i, &p);
}

/* ---- the whole -------------------------------------------------------------------------------- */
/* The platform's sizes and order of preference, where no constraints replace them. A list without a writable memory
 * only limits what it names. */
static bool set_budgets(Memory *m)
{
    bool ok = true;
    const ConfigBudgets *budgets = &m->config->memory.constraints;
    uint64_t *size = m->plan->budget;
    memcpy(size, m->platform->size, sizeof(m->plan->budget));
    for (uint32_t i = 0; i < budgets->len; i++) {
        const ConfigBudget *b = &budgets->at[i];
        if (b->max_size < 0 && !size[b->memory])
            ok = helia_error(m->graph->model->diag, b->at,
                             "memory.constraints names %s, which platform %s does not have; leave it out, or give it a "
                             "max_size or an entry in platform.memories",
                             memory_name(b->memory), m->platform->name);
        if (b->max_size < 0)
            continue;
        if ((uint64_t)b->max_size > size[b->memory])
            helia_warn(m->graph->model->diag, b->at, "memory.constraints: %s gets %d bytes; platform %s has %llu",
                       memory_name(b->memory), b->max_size, m->platform->name, (unsigned long long)size[b->memory]);
        size[b->memory] = (uint64_t)b->max_size;
    }
    for (uint32_t i = 0; i < budgets->len; i++)
        if (memory_is_writable(budgets->at[i].memory) && size[budgets->at[i].memory])
            m->writable[m->n_writable++] = budgets->at[i].memory;
    bool ordered = false; /* by the list */
    for (uint32_t i = 0; i < budgets->len; i++)
        ordered = ordered || memory_is_writable(budgets->at[i].memory);
    for (uint32_t i = 0; !ordered && i < m->platform->n_preferred; i++)
        if (memory_is_writable(m->platform->preferred[i]) && size[m->platform->preferred[i]])
            m->writable[m->n_writable++] = m->platform->preferred[i];
    memcpy(m->left, size, sizeof(m->left));
    return ok;
}

static bool set_up(Memory *m)
{
    m->options = plan_options(&m->config->memory.planner_options);
    m->planner = planner_find(m->config->memory.planner);
    if (!m->planner)
        return helia_error(m->graph->model->diag, config_loc(m->config, "memory.planner"), "unknown planner \"%s\"",
                           helia_printable(m->arena, m->config->memory.planner));
    const ConfigOptions given = config_fields(m->arena, m->config, "memory.planner_options");
    for (uint32_t i = 0; i < given.len; i++)
        planner_check_option(m->arena, m->graph->model->diag, given.at[i].at, m->planner, given.at[i].name);
    m->align = m->platform->min_alignment > 16 ? m->platform->min_alignment : 16;
    m->plan = HELIA_NEW(m->arena, MemoryPlan);
    bool ok = set_budgets(m);
    if (!wishes_read(m->arena, m->graph, m->platform, m->config, &m->wishes) || !ok)
        return false;
    m->plan->tensors = HELIA_NEW_N(m->arena, MemorySlot, m->graph->tensors.len);
    m->plan->scratch = HELIA_NEW_N(m->arena, MemorySlot, m->graph->nodes.len);
    for (uint32_t i = 0; i < m->graph->tensors.len; i++)
        m->plan->tensors[i].region = -1;
    for (uint32_t i = 0; i < m->graph->nodes.len; i++)
        m->plan->scratch[i].region = -1;
    return true;
}

/* With copies left out and results in place, and without: a shared storage lives longer, so it may be harder to place. */
static bool choose_placement(Memory *m, const PartSet *parts, Placement *best)
{
    for (int i = parts ? 0 : 2; i < 4; i++) {
        const LiveOptions options = {m->wishes.tensors, m->config->memory.keep_inputs, i % 2 == 0, i < 2 ? parts : NULL,
                                     m->config->module.debug};
        Placement p;
        if (!place_scratch(m, live_ranges(m->arena, m->graph, &options), &p))
            return false;
        if (i == (parts ? 0 : 2) || placement_better(m, &p, best))
            *best = p;
    }
    return true;
}

/* The nodes and what is known of them, by position. */
static void set_order(Memory *m, AirNode *const *nodes, const OperatorWish *wishes, const uint32_t *order)
{
    for (uint32_t i = 0; i < m->graph->nodes.len; i++) {
        m->graph->nodes.at[i] = nodes[order ? order[i] : i];
        m->wishes.operators[i] = wishes[order ? order[i] : i];
    }
}

static bool try_order(Memory *m, const uint32_t *order, Placement *best)
{
    const uint32_t n = m->graph->nodes.len;
    AirNode **nodes = helia_memdup(m->arena, m->graph->nodes.at, n * sizeof(*nodes));
    const OperatorWish *wishes = helia_memdup(m->arena, m->wishes.operators, n * sizeof(*wishes));
    Placement other;
    PartSet parts;
    set_order(m, nodes, wishes, order);
    if (!choose_placement(m, parts_choose(m, &parts) ? &parts : NULL, &other))
        return false;
    if (placement_better(m, &other, best)) {
        *best = other;
        helia_info(m->graph->model->diag, 2, "plan: operators are reordered");
    } else {
        set_order(m, nodes, wishes, NULL);
    }
    return true;
}

/* Another order of operators where its plan is better: what the search promises, the planner may not reach. */
static bool choose_order(Memory *m, Placement *best)
{
    PartSet parts;
    const bool shares = !m->config->module.debug && parts_choose(m, &parts);
    if (!choose_placement(m, shares ? &parts : NULL, best))
        return false;
    if (m->config->module.debug) /* where every tensor lives for good, no order is better */
        return true;
    for (int with = shares ? 1 : 0; m->config->memory.reorder && with >= 0; with--) {
        const uint32_t *order = reorder_find(m, with ? &parts : NULL);
        if (order && !try_order(m, order, best))
            return false;
    }
    return true;
}

static void set_code(Memory *m)
{
    int8_t *code = HELIA_NEW_N(m->arena, int8_t, m->graph->nodes.len);
    for (uint32_t i = 0; i < m->graph->nodes.len; i++)
        code[i] = m->wishes.operators[i].code;
    m->plan->code = code;
}

MemoryPlan *plan_memory(HeliaArena *arena, AirGraph *graph, const Platform *platform, const Config *config)
{
    Memory m = {.arena = arena, .graph = graph, .platform = platform, .config = config};
    Placement p;
    if (!set_up(&m))
        return NULL;
    const LiveOptions options = {m.wishes.tensors, config->memory.keep_inputs, false, NULL, config->module.debug};
    const Lifetimes plain = live_ranges(arena, graph, &options);
    if (!choose_sources(&m, &plain))
        return NULL;
    bool ok = place_persistent(&m, &plain);
    ok = place_constants(&m, &plain, true) && ok;
    if (!choose_order(&m, &p))
        return NULL;
    set_code(&m);
    if (p.fits)
        take_placement(&m, &p);
    else
        ok = misfit_scratch(&m, &p);
    ok = place_constants(&m, &p.lifetimes, false) && ok;
    if (!ok)
        return NULL;
    spread(&m, &p.lifetimes);
    sort_regions(&m);
    m.plan->hash = layout_hash(m.plan);
    return plan_verify(arena, graph, m.plan, config->memory.keep_inputs) ? m.plan : NULL;
}
