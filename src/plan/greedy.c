/* First fit in cheap orders. */
#include <stdlib.h>

#include "plan/planner_int.h"

typedef int Compare(const void *, const void *);

static int by_id(const PlanBuf *a, const PlanBuf *b)
{
    return (a->id > b->id) - (a->id < b->id);
}

static int by_first(const PlanBuf *a, const PlanBuf *b)
{
    return a->first != b->first ? (a->first > b->first) - (a->first < b->first) : by_id(a, b);
}

/* In execution order of first use, larger first. */
static int order_of_use(const void *x, const void *y)
{
    const PlanBuf *a = *(PlanBuf *const *)x, *b = *(PlanBuf *const *)y;
    if (a->first != b->first)
        return (a->first > b->first) - (a->first < b->first);
    return a->size != b->size ? (a->size < b->size) - (a->size > b->size) : by_id(a, b);
}

static int order_of_size(const void *x, const void *y)
{
    const PlanBuf *a = *(PlanBuf *const *)x, *b = *(PlanBuf *const *)y;
    return a->size != b->size ? (a->size < b->size) - (a->size > b->size) : by_first(a, b);
}

static int order_of_area(const void *x, const void *y)
{
    const PlanBuf *a = *(PlanBuf *const *)x, *b = *(PlanBuf *const *)y;
    double p = (double)a->size * ((double)a->last - a->first + 1), q = (double)b->size * ((double)b->last - b->first + 1);
    return p != q ? (p < q) - (p > q) : by_first(a, b);
}

/* The offsets of the best order stay in the buffers. */
static bool best_of(HeliaArena *arena, PlanBuf *bufs, uint32_t n, PlanResult *result, Compare *const *orders,
                    uint32_t n_orders)
{
    HeliaArena *scratch = helia_arena_child(arena);
    PlanBuf **order = HELIA_NEW_N(scratch, PlanBuf *, n);
    size_t *offsets = HELIA_NEW_N(scratch, size_t, n), best = SIZE_MAX;
    for (uint32_t k = 0; k < n_orders; k++) {
        for (uint32_t i = 0; i < n; i++)
            order[i] = &bufs[i];
        qsort(order, n, sizeof(*order), orders[k]);
        size_t peak = plan_first_fit(scratch, order, n);
        if (peak >= best)
            continue;
        best = peak;
        for (uint32_t i = 0; i < n; i++)
            offsets[i] = bufs[i].offset;
    }
    for (uint32_t i = 0; i < n; i++)
        bufs[i].offset = offsets[i];
    helia_arena_free(scratch);
    result->peak = best;
    result->lower_bound = plan_lower_bound(arena, bufs, n);
    result->proven = result->peak == result->lower_bound;
    return true;
}

bool plan_greedy(HeliaArena *arena, PlanBuf *bufs, uint32_t n, PlanResult *result)
{
    static Compare *const orders[] = {order_of_use, order_of_size, order_of_area};
    return best_of(arena, bufs, n, result, orders, 3);
}

bool plan_greedy_by_size(HeliaArena *arena, PlanBuf *bufs, uint32_t n, PlanResult *result)
{
    static Compare *const orders[] = {order_of_size};
    return best_of(arena, bufs, n, result, orders, 1);
}
