/* Exact planning: the search is asked for a plan at the lower bound first, then for what its failures leave possible,
 * so that the first answer "yes" is the minimum. */
#include "plan/search.h"

#include <string.h>

/* Steps are columns of rectangles looked at. */
static const uint64_t default_step_limit = 100000000, first_budget = 1000000;

/* A cheap plan for a problem that is not solved at once; kept if its peak is below `*high`. */
static void try_hill_climb(HeliaArena *arena, PlanBuf *bufs, uint32_t n, size_t *high)
{
    PlanBuf *copy = helia_memdup(arena, bufs, n * sizeof(*bufs));
    PlanResult result;
    plan_hill_climb(arena, copy, n, NULL, &result);
    if (result.peak >= *high)
        return;
    memcpy(bufs, copy, n * sizeof(*bufs));
    *high = result.peak;
}

/* Narrows the range from `*low`, below which no plan is, to `*high`, the peak of the plan in the buffers. Where a
 * question is too hard for the steps it is given, easier ones are asked, and then it again with more steps. */
static void narrow(HeliaArena *arena, PlanBuf *bufs, uint32_t n, uint64_t step_limit, size_t *low, size_t *high)
{
    Search *s = search_new(arena, bufs, n);
    const uint64_t first = first_budget + 4 * (uint64_t)n * n;
    uint32_t variant = 0;
    for (uint64_t budget = first; *low < *high && search_steps(s) < step_limit; budget *= 2, variant++) {
        const size_t questions[] = {*low, *low + (*high - *low) / 2, *high - 1};
        for (int k = 0; k < 3 && *low < *high && search_steps(s) < step_limit; k++) {
            if (questions[k] < *low || questions[k] >= *high)
                continue;
            uint64_t left = step_limit - search_steps(s);
            size_t answer;
            Outcome outcome = search_ask(s, questions[k], budget < left ? budget : left, variant, bufs, &answer);
            if (outcome == SOLVED)
                *high = answer;
            if (outcome == FAILED)
                *low = answer < *high ? answer : *high;
            if (outcome != OUT_OF_STEPS)
                break;
            if (budget == first && k == 0)
                try_hill_climb(arena, bufs, n, high);
        }
    }
}

void plan_optimal(HeliaArena *arena, PlanBuf *bufs, uint32_t n, const PlanOptions *options, PlanResult *result)
{
    plan_greedy(arena, bufs, n, options, result);
    if (result->proven || n > SEARCH_MAX_BUFFERS)
        return;
    HeliaArena *work = helia_arena_child(arena);
    size_t low = result->lower_bound, high = result->peak;
    uint64_t limit = options && options->step_limit ? options->step_limit : default_step_limit + 16 * (uint64_t)n * n;
    narrow(work, bufs, n, limit, &low, &high);
    plan_finish(result, high, low);
    helia_arena_free(work);
}
