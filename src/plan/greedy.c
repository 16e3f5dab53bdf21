/* First fit in cheap orders. */
#include "plan/planner_int.h"

#include <stdlib.h>
#include <string.h>

typedef int Compare(const void *, const void *);

/* Buffers stand in an array in the caller's order, so their addresses decide the last tie. */
static int by_place(const PlanBuf *a, const PlanBuf *b)
{
    return (a > b) - (a < b);
}

static int by_first(const PlanBuf *a, const PlanBuf *b)
{
    return a->first != b->first ? (a->first > b->first) - (a->first < b->first) : by_place(a, b);
}

/* In execution order of first use, larger first. */
static int order_of_use(const void *x, const void *y)
{
    const PlanBuf *a = *(PlanBuf *const *)x, *b = *(PlanBuf *const *)y;
    if (a->first != b->first)
        return (a->first > b->first) - (a->first < b->first);
    return a->size != b->size ? (a->size < b->size) - (a->size > b->size) : by_place(a, b);
}

static int order_of_size(const void *x, const void *y)
{
    const PlanBuf *a = *(PlanBuf *const *)x, *b = *(PlanBuf *const *)y;
    return a->size != b->size ? (a->size < b->size) - (a->size > b->size) : by_first(a, b);
}

/* Size times lifetime, as far as 64 bits reach. */
static uint64_t area(const PlanBuf *b)
{
    uint64_t life = (uint64_t)b->last - b->first + 1;
    return b->size > UINT64_MAX / life ? UINT64_MAX : b->size * life;
}

static int order_of_area(const void *x, const void *y)
{
    const PlanBuf *a = *(PlanBuf *const *)x, *b = *(PlanBuf *const *)y;
    uint64_t p = area(a), q = area(b);
    return p != q ? (p < q) - (p > q) : by_first(a, b);
}

static size_t fit(PlanBuf *bufs, uint32_t n, Compare *compare, PlanBuf **order, PlanBuf **work)
{
    for (uint32_t i = 0; i < n; i++)
        order[i] = &bufs[i];
    qsort(order, n, sizeof(*order), compare);
    return plan_first_fit(order, n, work);
}

size_t plan_best_order(HeliaArena *arena, PlanBuf *bufs, uint32_t n, PlanBuf **order)
{
    static Compare *const orders[] = {order_of_use, order_of_size, order_of_area};
    enum { N_ORDERS = sizeof(orders) / sizeof(orders[0]) };
    HeliaArena *scratch = helia_arena_child(arena);
    PlanBuf **work = HELIA_NEW_N(scratch, PlanBuf *, n);
    size_t best = SIZE_MAX;
    uint32_t at = 0;
    for (uint32_t k = 0; k < N_ORDERS; k++) {
        size_t peak = fit(bufs, n, orders[k], order, work);
        if (peak < best) {
            best = peak;
            at = k;
        }
    }
    if (at != N_ORDERS - 1)
        fit(bufs, n, orders[at], order, work);
    helia_arena_free(scratch);
    return best;
}

void plan_greedy(HeliaArena *arena, PlanBuf *bufs, uint32_t n, const PlanOptions *options, PlanResult *result)
{
    (void)options;
    HeliaArena *scratch = helia_arena_child(arena);
    size_t peak = plan_best_order(scratch, bufs, n, HELIA_NEW_N(scratch, PlanBuf *, n));
    plan_finish(result, peak, plan_lower_bound(scratch, bufs, n));
    helia_arena_free(scratch);
}

void plan_greedy_by_size(HeliaArena *arena, PlanBuf *bufs, uint32_t n, const PlanOptions *options, PlanResult *result)
{
    (void)options;
    HeliaArena *scratch = helia_arena_child(arena);
    size_t peak = fit(bufs, n, order_of_size, HELIA_NEW_N(scratch, PlanBuf *, n), HELIA_NEW_N(scratch, PlanBuf *, n));
    plan_finish(result, peak, plan_lower_bound(scratch, bufs, n));
    helia_arena_free(scratch);
}
