/* The check of a plan. It shares no code with the planners, so that a mistake in theirs is not repeated here. */
#include "plan/plan.h"

#include <stdlib.h>

static int by_first(const void *x, const void *y)
{
    const PlanBuf *a = *(const PlanBuf *const *)x, *b = *(const PlanBuf *const *)y;
    return (a->first > b->first) - (a->first < b->first);
}

static bool check_buffer(HeliaDiag *diag, const PlanBuf *b)
{
    bool ok = true;
    if (b->first > b->last)
        ok = helia_error(diag, HELIA_NOWHERE, "plan: buffer %u lives from %u to %u", b->id, b->first, b->last);
    if (b->align && b->offset % b->align)
        ok = helia_error(diag, HELIA_NOWHERE, "plan: buffer %u is at %zu, which its alignment %zu does not divide",
                         b->id, b->offset, b->align);
    if (b->size > SIZE_MAX - b->offset)
        ok = helia_error(diag, HELIA_NOWHERE, "plan: buffer %u of %zu bytes is at %zu", b->id, b->size, b->offset);
    return ok;
}

/* Over time: each buffer against those that live when it begins. The first overlap is enough to tell. */
static bool check_overlaps(HeliaArena *arena, HeliaDiag *diag, const PlanBuf *bufs, uint32_t n)
{
    const PlanBuf **order = HELIA_NEW_N(arena, const PlanBuf *, n), **live = HELIA_NEW_N(arena, const PlanBuf *, n);
    for (uint32_t i = 0; i < n; i++)
        order[i] = &bufs[i];
    qsort(order, n, sizeof(*order), by_first);
    for (uint32_t i = 0, n_live = 0; i < n; i++) {
        const PlanBuf *b = order[i];
        uint32_t kept = 0;
        for (uint32_t k = 0; k < n_live; k++) {
            const PlanBuf *a = live[k];
            if (a->last < b->first)
                continue;
            live[kept++] = a;
            if (a->offset < b->offset + b->size && b->offset < a->offset + a->size && a->size && b->size)
                return helia_error(diag, HELIA_NOWHERE,
                                   "plan: buffers %u (%zu bytes at %zu) and %u (%zu bytes at %zu) overlap", a->id,
                                   a->size, a->offset, b->id, b->size, b->offset);
        }
        live[kept++] = b;
        n_live = kept;
    }
    return true;
}

bool plan_check(HeliaArena *arena, HeliaDiag *diag, const PlanBuf *bufs, uint32_t n, const PlanResult *result)
{
    bool ok = true;
    size_t peak = 0;
    for (uint32_t i = 0; i < n; i++) {
        ok = check_buffer(diag, &bufs[i]) && ok;
        peak = bufs[i].offset + bufs[i].size > peak ? bufs[i].offset + bufs[i].size : peak;
    }
    if (!ok)
        return false;
    if (peak != result->peak)
        ok = helia_error(diag, HELIA_NOWHERE, "plan: the peak is %zu, not %zu", peak, result->peak);
    if (result->lower_bound > peak || result->proven != (result->lower_bound == peak))
        ok = helia_error(diag, HELIA_NOWHERE, "plan: the bound %zu and the peak %zu contradict", result->lower_bound,
                         peak);
    HeliaArena *work = helia_arena_child(arena);
    ok = check_overlaps(work, diag, bufs, n) && ok;
    helia_arena_free(work);
    return ok;
}
