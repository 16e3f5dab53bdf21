/* What does not fit: each memory with its budget and what is in it, the largest pieces, and what would help. */
#include "plan/memory_int.h"

#include <stdlib.h>
#include <string.h>

enum { N_SHOWN = 5 };

/* What keeps data out of a memory that could be written; NULL: nothing does. */
static const char *left_out_by(const Memory *m, MemoryType memory)
{
    bool listed = false;
    if (!memory_is_writable(memory) || !m->plan->budget[memory])
        return NULL;
    for (uint32_t i = 0; i < m->n_writable; i++)
        if (m->writable[i] == memory)
            return NULL;
    for (uint32_t i = 0; i < m->config->memory.constraints.len; i++)
        listed = listed || memory_is_writable(m->config->memory.constraints.at[i].memory);
    return listed                                           ? "memory.constraints"
           : m->config->platform.preferred_memory_order.len ? "platform.preferred_memory_order"
                                                            : "the platform's order of preference";
}

static void note_memories(const Memory *m, const Placement *p)
{
    HeliaDiag *diag = m->graph->model->diag;
    for (int memory = 0; memory < NUM_MEMORIES; memory++) {
        if (!m->plan->budget[memory] && !m->platform->size[memory])
            continue;
        size_t used[] = {p ? p->result[memory].peak : 0, 0, 0};
        for (uint32_t i = 0; i < m->plan->regions.len; i++)
            if ((int)m->plan->regions.at[i].memory == memory)
                used[m->plan->regions.at[i].role] += m->plan->regions.at[i].size;
        const char *text = helia_format(m->arena, "%s: %llu bytes", memory_name((MemoryType)memory),
                                        (unsigned long long)m->plan->budget[memory]);
        static const char *const what[] = {"activations", "state", "constants"};
        for (int role = 0; role < 3; role++)
            if (used[role])
                text = helia_format(m->arena, "%s; %s %zu", text, what[role], used[role]);
        const char *by = left_out_by(m, (MemoryType)memory);
        if (by)
            text = helia_format(m->arena, "%s; %s leaves it out, so only rules put data there", text, by);
        helia_note(diag, HELIA_NOWHERE, "%s", text);
    }
}

static void note_budget(const Memory *m, MemoryType memory)
{
    if (m->plan->budget[memory] < m->platform->size[memory])
        helia_note(m->graph->model->diag, config_loc(m->config, "memory.constraints"),
                   "memory.constraints allows %llu bytes of %s; platform %s has %llu",
                   (unsigned long long)m->plan->budget[memory], memory_name(memory), m->platform->name,
                   (unsigned long long)m->platform->size[memory]);
}

/* Memories that a list of the configuration leaves out. */
static void note_left_out(const Memory *m)
{
    static const char *const lists[] = {"memory.constraints", "platform.preferred_memory_order"};
    HeliaDiag *diag = m->graph->model->diag;
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        const char *names = "";
        for (int k = 0; k < NUM_MEMORIES; k++) {
            const char *by = left_out_by(m, (MemoryType)k);
            if (by && strcmp(by, lists[i]) == 0)
                names = helia_format(m->arena, "%s%s%s", names, *names ? ", " : "", memory_name((MemoryType)k));
        }
        if (*names)
            helia_note(diag, config_loc(m->config, lists[i]), "what would help: to name %s in %s, too", names,
                       lists[i]);
    }
}

/* ---- activations ------------------------------------------------------------------------------ */
static int largest_item_first(const void *x, const void *y)
{
    const Item *a = *(const Item *const *)x, *b = *(const Item *const *)y;
    return a->buf.size != b->buf.size ? (a->buf.size < b->buf.size) - (a->buf.size > b->buf.size) : (a > b) - (a < b);
}

/* The position with the most bytes live, over all memories. */
static uint32_t peak_position(const Placement *p, uint32_t n_positions, size_t *bytes)
{
    uint32_t at = 0;
    *bytes = 0;
    for (uint32_t t = 0; t < n_positions; t++) {
        size_t live = 0;
        for (uint32_t i = 0; i < p->items.len; i++)
            live += p->items.at[i].buf.first <= t && t <= p->items.at[i].buf.last ? p->items.at[i].buf.size : 0;
        if (live > *bytes) {
            *bytes = live;
            at = t;
        }
    }
    return at;
}

static void note_peak(const Memory *m, const Placement *p)
{
    HeliaDiag *diag = m->graph->model->diag;
    const AirGraph *g = m->graph;
    const Item **live = HELIA_NEW_N(m->arena, const Item *, p->items.len);
    size_t bytes;
    uint32_t n = 0, at = peak_position(p, g->nodes.len, &bytes);
    for (uint32_t i = 0; i < p->items.len; i++)
        if (p->items.at[i].buf.first <= at && at <= p->items.at[i].buf.last)
            live[n++] = &p->items.at[i];
    qsort(live, n, sizeof(*live), largest_item_first);
    helia_note(diag, HELIA_NOWHERE, "%zu bytes are live at operator %u%s%s%s, the most of all; the largest:", bytes, at,
               at < g->nodes.len ? " (" : "", at < g->nodes.len ? g->nodes.at[at]->cname : "",
               at < g->nodes.len ? ")" : "");
    for (uint32_t i = 0; i < n && i < N_SHOWN; i++) {
        const Item *item = live[i];
        const char *name = item->tensor < 0
                               ? helia_format(m->arena, "working memory of %s", g->nodes.at[item->node]->cname)
                               : helia_format(m->arena, "\"%s\"",
                                              helia_printable(m->arena, g->tensors.at[item->tensor]->name));
        helia_note(diag, HELIA_NOWHERE, "  %s, %zu bytes, live from operator %u to %u", name, item->buf.size,
                   item->buf.first, item->buf.last);
    }
}

/* What rules put into the memory stays there. */
static void note_pinned(const Memory *m, const Placement *p, MemoryType memory)
{
    HeliaLoc at = config_loc(m->config, "operators");
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->items.len; i++) {
        const Item *item = &p->items.at[i];
        if (!item->pinned || item->memory != memory)
            continue;
        if (n++ == 0 && item->tensor >= 0)
            at = p->lifetimes.storage[item->tensor].wish.memory_at;
    }
    if (n)
        helia_note(m->graph->model->diag, at,
                   "what would help: rules that put less into %s; they put %u buffer%s there", memory_name(memory), n,
                   n == 1 ? "" : "s");
}

bool misfit_scratch(const Memory *m, const Placement *p)
{
    HeliaDiag *diag = m->graph->model->diag;
    HeliaLoc at = config_loc(m->config, "platform.name");
    bool pinned = true;
    for (uint32_t i = 0; i < p->items.len; i++)
        pinned = pinned && p->items.at[i].pinned;
    if (m->n_writable == 0 && !pinned) {
        const char *key = m->config->memory.constraints.len ? "memory.constraints" : "platform.preferred_memory_order";
        helia_error(diag, config_loc(m->config, key), "%s leaves platform %s no writable memory for the activations",
                    key, m->platform->name);
        helia_note(diag, HELIA_NOWHERE, "what would help: a preferred memory order with a memory that has bytes");
        return false;
    }
    MemoryType last = p->misfit;
    const PlanResult *r = &p->result[last];
    helia_error(diag, at, "the activations do not fit into platform %s: in %s%s they take %zu bytes and %llu are left",
                m->platform->name,
                m->n_writable > 1 && last == m->writable[m->n_writable - 1] ? "the last memory, " : "",
                memory_name(last), r->peak, (unsigned long long)m->left[last]);
    note_memories(m, p);
    note_peak(m, p);
    if (r->lower_bound <= m->left[last])
        helia_note(diag, HELIA_NOWHERE,
                   "what would help: memory.planner: optimal may reach %zu bytes in %s; a platform with "
                   "more memory",
                   r->lower_bound, memory_name(last));
    else
        helia_note(diag, HELIA_NOWHERE,
                   "what would help: a platform with more memory, or smaller tensors at that operator; "
                   "no planner gets below %zu bytes in %s",
                   r->lower_bound, memory_name(last));
    note_budget(m, last);
    if (m->n_writable && last == m->writable[m->n_writable - 1])
        note_left_out(m);
    note_pinned(m, p, last);
    if (m->config->memory.keep_inputs)
        helia_note(diag, HELIA_NOWHERE, "memory.keep_inputs: false lets results take the place of the inputs");
    return false;
}

/* ---- state and constants ---------------------------------------------------------------------- */
static int largest_tensor_first(const void *x, const void *y)
{
    const AirTensor *a = *(const AirTensor *const *)x, *b = *(const AirTensor *const *)y;
    size_t p = air_bytes(a), q = air_bytes(b);
    return p != q ? (p < q) - (p > q) : (a->id > b->id) - (a->id < b->id);
}

static bool is_ruled(const Storage *s)
{
    return s->wish.memory != NO_MEMORY || s->wish.destination != NO_MEMORY;
}

bool misfit_fixed(const Memory *m, const Lifetimes *l, MemoryRole role, const Missing *missing)
{
    HeliaDiag *diag = m->graph->model->diag;
    const AirGraph *g = m->graph;
    const bool constants = role == ROLE_CONSTANT;
    const char *what = constants ? "constants" : "state";
    size_t others = missing->bytes; /* than those of rules */
    for (int memory = 0; memory < NUM_MEMORIES; memory++)
        others -= missing->ruled[memory];
    helia_error(diag, config_loc(m->config, "platform.name"),
                "the %s %s not fit into platform %s: there is no place for %zu bytes", what, constants ? "do" : "does",
                m->platform->name, missing->bytes);
    note_memories(m, NULL);
    const AirTensor **all = HELIA_NEW_N(m->arena, const AirTensor *, g->tensors.len);
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->tensors.len; i++)
        if (l->root[i] == i && l->storage[i].used && l->storage[i].role == role && (others || is_ruled(&l->storage[i])))
            all[n++] = g->tensors.at[i];
    qsort(all, n, sizeof(*all), largest_tensor_first);
    for (uint32_t i = 0; i < n && i < N_SHOWN; i++)
        helia_note(diag, HELIA_NOWHERE, "  \"%s\", %zu bytes", helia_printable(m->arena, all[i]->name),
                   air_bytes(all[i]));
    for (int memory = 0; memory < NUM_MEMORIES; memory++) {
        const char *name = memory_name((MemoryType)memory);
        if (!missing->ruled[memory])
            continue;
        helia_note(diag, missing->rule[memory], "the rule needs %s, which has no place for %zu bytes of the %s", name,
                   missing->ruled[memory], what);
        helia_note(diag, HELIA_NOWHERE, "what would help: a rule for less of the %s, or a platform with more %s", what,
                   name);
        note_budget(m, (MemoryType)memory);
    }
    if (!others)
        return false;
    const bool in_mram = constants && m->plan->budget[MEMORY_MRAM];
    helia_note(diag, HELIA_NOWHERE, "what would help: a platform with more %s",
               in_mram ? "MRAM, or weights of fewer bits" : "memory");
    note_budget(m, in_mram || !m->n_writable ? MEMORY_MRAM : m->writable[m->n_writable - 1]);
    if (!in_mram)
        note_left_out(m);
    return false;
}
