/* What does not fit: each memory with its budget and what is in it, the largest pieces, and what would help. */
#include "plan/memory_int.h"

#include <stdlib.h>

enum { N_SHOWN = 5 };

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
        helia_note(diag, HELIA_NOWHERE, "%s", text);
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
    if (m->plan->budget[last] < m->platform->size[last])
        helia_note(diag, config_loc(m->config, "memory.constraints"),
                   "memory.constraints allows %llu bytes of %s; platform %s has %llu",
                   (unsigned long long)m->plan->budget[last], memory_name(last), m->platform->name,
                   (unsigned long long)m->platform->size[last]);
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

bool misfit_fixed(const Memory *m, const Lifetimes *l, MemoryRole role, size_t missing)
{
    HeliaDiag *diag = m->graph->model->diag;
    const AirGraph *g = m->graph;
    bool constants = role == ROLE_CONSTANT;
    helia_error(diag, config_loc(m->config, "platform.name"),
                "the %s not fit into platform %s: there is no place for %zu bytes",
                constants ? "constants do" : "state does", m->platform->name, missing);
    note_memories(m, NULL);
    const AirTensor **all = HELIA_NEW_N(m->arena, const AirTensor *, g->tensors.len);
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->tensors.len; i++)
        if (l->root[i] == i && l->storage[i].used && l->storage[i].role == role)
            all[n++] = g->tensors.at[i];
    qsort(all, n, sizeof(*all), largest_tensor_first);
    for (uint32_t i = 0; i < n && i < N_SHOWN; i++)
        helia_note(diag, HELIA_NOWHERE, "  \"%s\", %zu bytes", helia_printable(m->arena, all[i]->name),
                   air_bytes(all[i]));
    helia_note(diag, HELIA_NOWHERE, "what would help: a platform with more %s",
               constants && m->platform->size[MEMORY_MRAM] ? "MRAM, or weights of fewer bits" : "memory");
    return false;
}
