/* What the planners share. */
#ifndef PLAN_PLANNER_INT_H
#define PLAN_PLANNER_INT_H

#include "plan/plan.h"

/* The smallest multiple of align, a power of two, that is not below n; align 0 counts as 1. */
static inline size_t plan_align(size_t n, size_t align)
{
    return align > 1 ? (n + align - 1) & ~(align - 1) : n;
}

static inline bool plan_live_together(const PlanBuf *a, const PlanBuf *b)
{
    return a->first <= b->last && b->first <= a->last;
}

/* Places the buffers one after the other, each at the lowest offset where it fits; the peak. work: room for n. */
size_t plan_first_fit(PlanBuf *const *order, uint32_t n, PlanBuf **work);
/* Sorts into the order, of the three that greedy takes, whose first fit is the smallest; runs it. */
size_t plan_best_order(HeliaArena *arena, PlanBuf *bufs, uint32_t n, PlanBuf **order);
/* Completes a result whose bound is known. */
void plan_finish(PlanResult *result, size_t peak, size_t lower_bound);

void plan_greedy(HeliaArena *arena, PlanBuf *bufs, uint32_t n, const PlanOptions *options, PlanResult *result);
void plan_greedy_by_size(HeliaArena *arena, PlanBuf *bufs, uint32_t n, const PlanOptions *options, PlanResult *result);
void plan_hill_climb(HeliaArena *arena, PlanBuf *bufs, uint32_t n, const PlanOptions *options, PlanResult *result);
void plan_optimal(HeliaArena *arena, PlanBuf *bufs, uint32_t n, const PlanOptions *options, PlanResult *result);

#endif
