/* The planners by name, and what they share: first fit in a given order, the bound, the independent check. */
#include <stdlib.h>
#include <string.h>

#include "plan/planner_int.h"

static const Planner planners[] = {
    {"greedy", "the smallest of three first-fit plans: by first use, by size, by size times lifetime", plan_greedy},
    {"greedy_by_size", "first fit, largest first", plan_greedy_by_size},
};

const Planner *planner_at(uint32_t index)
{
    return index < sizeof(planners) / sizeof(planners[0]) ? &planners[index] : NULL;
}

const Planner *planner_find(const char *name)
{
    for (uint32_t i = 0; planner_at(i); i++)
        if (strcmp(planner_at(i)->name, name) == 0)
            return planner_at(i);
    return NULL;
}

static bool live_together(const PlanBuf *a, const PlanBuf *b)
{
    return a->first <= b->last && b->first <= a->last;
}

static int by_offset(const void *a, const void *b)
{
    const PlanBuf *p = *(const PlanBuf *const *)a, *q = *(const PlanBuf *const *)b;
    return (p->offset > q->offset) - (p->offset < q->offset);
}

size_t plan_first_fit(HeliaArena *arena, PlanBuf *const *order, uint32_t n)
{
    const PlanBuf **placed = HELIA_NEW_N(arena, const PlanBuf *, n);
    size_t peak = 0;
    for (uint32_t i = 0; i < n; i++) {
        PlanBuf *b = order[i];
        uint32_t conflicts = 0;
        for (uint32_t k = 0; k < i; k++)
            if (live_together(order[k], b))
                placed[conflicts++] = order[k];
        qsort(placed, conflicts, sizeof(*placed), by_offset);
        size_t at = 0;
        for (uint32_t k = 0; k < conflicts; k++) {
            if (at + b->size <= placed[k]->offset)
                break;
            size_t end = placed[k]->offset + placed[k]->size;
            at = end > at ? (end + b->align - 1) / b->align * b->align : at;
        }
        b->offset = at;
        peak = at + b->size > peak ? at + b->size : peak;
    }
    return peak;
}

size_t plan_lower_bound(HeliaArena *arena, const PlanBuf *bufs, uint32_t n)
{
    (void)arena;
    size_t bound = 0;
    for (uint32_t i = 0; i < n; i++) { /* the live sum changes upwards at first uses only */
        size_t sum = 0;
        for (uint32_t k = 0; k < n; k++)
            if (bufs[k].first <= bufs[i].first && bufs[i].first <= bufs[k].last)
                sum += bufs[k].size;
        bound = sum > bound ? sum : bound;
    }
    return bound;
}

bool plan_check(HeliaDiag *diag, const PlanBuf *bufs, uint32_t n, const PlanResult *result)
{
    bool ok = true;
    size_t peak = 0;
    for (uint32_t i = 0; i < n; i++) {
        const PlanBuf *b = &bufs[i];
        peak = b->offset + b->size > peak ? b->offset + b->size : peak;
        if (b->align && b->offset % b->align)
            ok = helia_error(diag, HELIA_NOWHERE, "internal: plan: buffer %u at %zu is not aligned to %zu", b->id, b->offset,
                             b->align);
        for (uint32_t k = 0; k < i; k++)
            if (live_together(b, &bufs[k]) && b->offset < bufs[k].offset + bufs[k].size &&
                bufs[k].offset < b->offset + b->size)
                ok = helia_error(diag, HELIA_NOWHERE, "internal: plan: buffers %u and %u overlap", b->id, bufs[k].id);
    }
    if (peak != result->peak)
        ok = helia_error(diag, HELIA_NOWHERE, "internal: plan: the peak is %zu, not %zu", peak, result->peak);
    return ok;
}
