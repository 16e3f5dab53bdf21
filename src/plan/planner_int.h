/* What the planners share. */
#ifndef PLAN_PLANNER_INT_H
#define PLAN_PLANNER_INT_H

#include "plan/plan.h"

/* Places the buffers one after the other, each at the lowest offset where it fits; the peak. */
size_t plan_first_fit(HeliaArena *arena, PlanBuf *const *order, uint32_t n);

bool plan_greedy(HeliaArena *arena, PlanBuf *bufs, uint32_t n, PlanResult *result);
bool plan_greedy_by_size(HeliaArena *arena, PlanBuf *bufs, uint32_t n, PlanResult *result);

#endif
