/* Activations: everything goes to the first memory; what is too much there moves on to the next one. */
#include "plan/memory_int.h"

#include <stdlib.h>
#include <string.h>

/* Working memory is read and written many times while its operator runs. */
enum { WORK_ACCESSES = 8 };
/* While it is tried which buffers fit together, the thorough planners stop early. */
enum { TRIAL_ITERATIONS = 1000, TRIAL_STEPS = 5000000 };

static void add_item(Memory *m, Placement *p, Item item, uint32_t first, uint32_t last, size_t size, int8_t wanted)
{
    item.buf = (PlanBuf){p->items.len, first, last, memory_round(m, size), m->align, 0};
    item.pinned = wanted != NO_MEMORY;
    item.memory = item.pinned ? (MemoryType)wanted : m->writable[0];
    HELIA_PUSH(m->arena, &p->items, item);
}

static void collect(Memory *m, Placement *p)
{
    const AirGraph *g = m->graph;
    for (uint32_t i = 0; i < g->tensors.len; i++) {
        const Storage *s = &p->lifetimes.storage[i];
        if (p->lifetimes.root[i] == i && s->used && s->role == ROLE_SCRATCH)
            add_item(m, p, (Item){.tensor = (int32_t)i, .accesses = s->accesses + 1}, s->first, s->last, s->size,
                     s->wish.memory);
    }
    for (uint32_t i = 0; i < g->nodes.len; i++)
        if (g->nodes.at[i]->scratch)
            add_item(m, p, (Item){.tensor = -1, .node = i, .accesses = WORK_ACCESSES}, i, i, g->nodes.at[i]->scratch,
                     m->wishes.operators[i].scratch);
}

/* Plans what is in one memory. */
static bool run_planner(Memory *m, Placement *p, MemoryType memory, const PlanOptions *options)
{
    PlanBuf *bufs = HELIA_NEW_N(m->arena, PlanBuf, p->items.len);
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->items.len; i++)
        if (p->items.at[i].memory == memory)
            bufs[n++] = p->items.at[i].buf;
    PlanResult *result = &p->result[memory];
    m->planner->plan(m->arena, bufs, n, options, result);
    if (!plan_check(m->arena, m->graph->model->diag, bufs, n, result))
        return false;
    for (uint32_t i = 0; i < n; i++)
        p->items.at[bufs[i].id].buf.offset = bufs[i].offset;
    return true;
}

/* Is there a plan of this memory within its size? */
static bool fits(Memory *m, Placement *p, MemoryType memory, bool *fit)
{
    PlanOptions trial = m->options;
    trial.iterations = trial.iterations && trial.iterations < TRIAL_ITERATIONS ? trial.iterations : TRIAL_ITERATIONS;
    trial.step_limit = trial.step_limit && trial.step_limit < TRIAL_STEPS ? trial.step_limit : TRIAL_STEPS;
    if (!run_planner(m, p, memory, &trial))
        return false;
    *fit = p->result[memory].peak <= m->left[memory];
    return true;
}

/* Bytes of one memory that live at each position. */
static void live_bytes(const Memory *m, const Placement *p, MemoryType memory, uint64_t *live)
{
    memset(live, 0, m->graph->nodes.len * sizeof(*live));
    for (uint32_t i = 0; i < p->items.len; i++) {
        const Item *item = &p->items.at[i];
        for (uint32_t t = item->buf.first; item->memory == memory && t <= item->buf.last; t++)
            live[t] += item->buf.size;
    }
}

static double traffic(const Item *item)
{
    return (double)item->buf.size * item->accesses;
}

/* The buffer whose move takes the most excess away for the traffic it costs; NULL: nothing is too much. */
static Item *excess_victim(const Memory *m, Placement *p, MemoryType memory, uint64_t *live)
{
    live_bytes(m, p, memory, live);
    Item *best = NULL;
    double best_gain = 0;
    for (uint32_t i = 0; i < p->items.len; i++) {
        Item *item = &p->items.at[i];
        double relief = 0;
        for (uint32_t t = item->buf.first; item->memory == memory && t <= item->buf.last; t++) {
            uint64_t excess = live[t] > m->left[memory] ? live[t] - m->left[memory] : 0;
            relief += (double)(excess < item->buf.size ? excess : item->buf.size);
        }
        double gain = item->pinned ? 0 : relief / traffic(item);
        if (gain > best_gain || (best && gain == best_gain && gain > 0 && item->buf.size > best->buf.size)) {
            best = item;
            best_gain = gain;
        }
    }
    return best;
}

/* Where the sums would fit but the plan does not: the buffer of the least traffic that reaches behind the end. */
static Item *overhang_victim(const Memory *m, Placement *p, MemoryType memory)
{
    Item *best = NULL;
    for (uint32_t i = 0; i < p->items.len; i++) {
        Item *item = &p->items.at[i];
        if (item->memory == memory && !item->pinned && item->buf.offset + item->buf.size > m->left[memory] &&
            (!best || traffic(item) < traffic(best)))
            best = item;
    }
    return best;
}

static int most_traffic_first(const void *x, const void *y)
{
    const Item *a = *(Item *const *)x, *b = *(Item *const *)y;
    double p = traffic(a), q = traffic(b);
    return p != q ? (p < q) - (p > q) : (a > b) - (a < b);
}

/* Moves had single steps in view; what now fits again comes back, that with the most traffic first. */
static bool bring_back(Memory *m, Placement *p, MemoryType memory, MemoryType next, uint64_t *live)
{
    Item **moved = HELIA_NEW_N(m->arena, Item *, p->items.len);
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->items.len; i++)
        if (p->items.at[i].memory == next && !p->items.at[i].pinned)
            moved[n++] = &p->items.at[i];
    qsort(moved, n, sizeof(*moved), most_traffic_first);
    for (uint32_t i = 0; i < n; i++) {
        Item *item = moved[i];
        bool fit = true;
        live_bytes(m, p, memory, live);
        for (uint32_t t = item->buf.first; fit && t <= item->buf.last; t++)
            fit = live[t] + item->buf.size <= m->left[memory];
        item->memory = memory;
        if (fit && !fits(m, p, memory, &fit))
            return false;
        item->memory = fit ? memory : next;
    }
    return true;
}

/* Moves buffers from a memory to the next one until the rest has a plan that fits, or only what rules put there is left. */
static bool spill(Memory *m, Placement *p, MemoryType memory, MemoryType next)
{
    uint64_t *live = HELIA_NEW_N(m->arena, uint64_t, (size_t)m->graph->nodes.len + 1);
    bool fit = false;
    while (!fit) {
        for (Item *item; (item = excess_victim(m, p, memory, live)) != NULL;)
            item->memory = next;
        if (!fits(m, p, memory, &fit))
            return false;
        Item *victim = fit ? NULL : overhang_victim(m, p, memory);
        if (!fit && !victim)
            return true;
        if (victim)
            victim->memory = next;
    }
    return bring_back(m, p, memory, next, live) && run_planner(m, p, memory, &m->options);
}

static bool holds_items(const Placement *p, MemoryType memory)
{
    for (uint32_t i = 0; i < p->items.len; i++)
        if (p->items.at[i].memory == memory)
            return true;
    return false;
}

/* One memory: what is too much moves on to `next`, where there is one. */
static bool place_in(Memory *m, Placement *p, MemoryType memory, const MemoryType *next)
{
    if (!holds_items(p, memory))
        return true;
    if (!run_planner(m, p, memory, &m->options))
        return false;
    if (p->result[memory].peak > m->left[memory] && next && !spill(m, p, memory, *next))
        return false;
    if (p->result[memory].peak > m->left[memory] && p->fits) {
        p->fits = false;
        p->misfit = memory;
    }
    return true;
}

bool place_scratch(Memory *m, Lifetimes lifetimes, Placement *p)
{
    *p = (Placement){.lifetimes = lifetimes, .fits = true};
    collect(m, p);
    for (uint32_t i = 0; m->n_writable == 0 && i < p->items.len; i++)
        p->fits = p->fits && p->items.at[i].pinned; /* no memory is to be taken: misfit_scratch says so */
    bool preferred[NUM_MEMORIES] = {false};
    for (uint32_t k = 0; k < m->n_writable; k++) {
        preferred[m->writable[k]] = true;
        if (!place_in(m, p, m->writable[k], k + 1 < m->n_writable ? &m->writable[k + 1] : NULL))
            return false;
    }
    for (int memory = 0; memory < NUM_MEMORIES; memory++)
        if (!preferred[memory] && !place_in(m, p, (MemoryType)memory, NULL))
            return false;
    return true;
}

bool placement_better(const Memory *m, const Placement *p, const Placement *than)
{
    if (p->fits != than->fits)
        return p->fits;
    const Placement *const both[] = {p, than};
    double slow[2] = {0, 0};
    size_t bytes[2] = {0, 0};
    for (int i = 0; i < 2; i++)
        for (uint32_t k = 0; k < m->n_writable; k++) {
            bytes[i] += both[i]->result[m->writable[k]].peak;
            for (uint32_t j = 0; j < both[i]->items.len; j++)
                slow[i] += both[i]->items.at[j].memory == m->writable[k] ? k * traffic(&both[i]->items.at[j]) : 0;
        }
    return slow[0] != slow[1] ? slow[0] < slow[1] : bytes[0] < bytes[1];
}
