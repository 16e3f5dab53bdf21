/* The planners by name, and what they share: first fit in a given order, the bound. */
#include "plan/planner_int.h"

#include <stdlib.h>
#include <string.h>

static const char *const no_options[] = {NULL};
static const char *const hill_climb_options[] = {"iterations", "seed", "max_stall_iterations", NULL};
static const char *const optimal_options[] = {"step_limit", NULL};

static const Planner planners[] = {
    {"greedy", "the smallest of three first-fit plans: by first use, by size, by size times lifetime", plan_greedy,
     no_options},
    {"greedy_by_size", "first fit, largest first", plan_greedy_by_size, no_options},
    {"hill_climb", "first fit in an order that is improved step by step, with a seed", plan_hill_climb,
     hill_climb_options},
    {"optimal", "exact search that proves its minimum, within a step limit", plan_optimal, optimal_options},
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

void planner_check_option(HeliaArena *arena, HeliaDiag *diag, HeliaLoc at, const Planner *planner, const char *option)
{
    const char *known = "";
    for (const char *const *name = planner->options; *name; name++) {
        if (strcmp(*name, option) == 0)
            return;
        known = helia_format(arena, "%s%s%s", known, *known ? ", " : "", *name);
    }
    helia_warn(diag, at, "%s has no effect: planner %s takes %s", option, planner->name, *known ? known : "no options");
}

PlanOptions plan_options(const ConfigPlannerOptions *config)
{
    return (PlanOptions){(uint64_t)config->iterations, (uint64_t)config->max_stall_iterations, (uint64_t)config->seed,
                         (uint64_t)config->step_limit};
}

size_t plan_first_fit(PlanBuf *const *order, uint32_t n, PlanBuf **work)
{
    size_t peak = 0;
    for (uint32_t i = 0; i < n; i++) { /* work: the i buffers placed so far, by offset */
        PlanBuf *b = order[i];
        size_t at = 0;
        for (uint32_t k = 0; k < i; k++) {
            const PlanBuf *p = work[k];
            if (!plan_live_together(p, b))
                continue;
            if (at + b->size <= p->offset)
                break;
            if (p->offset + p->size > at)
                at = plan_align(p->offset + p->size, b->align);
        }
        b->offset = at;
        peak = at + b->size > peak ? at + b->size : peak;
        uint32_t slot = i;
        for (; slot > 0 && work[slot - 1]->offset > at; slot--)
            work[slot] = work[slot - 1];
        work[slot] = b;
    }
    return peak;
}

void plan_finish(PlanResult *result, size_t peak, size_t lower_bound)
{
    result->peak = peak;
    result->lower_bound = lower_bound;
    result->proven = peak == lower_bound;
}

/* ---- bound ------------------------------------------------------------------------------------ */
typedef struct Change {
    uint64_t position;
    bool begins;
    size_t size;
} Change;

/* At one position what ends comes before what begins. */
static int by_position(const void *x, const void *y)
{
    const Change *a = x, *b = y;
    if (a->position != b->position)
        return (a->position > b->position) - (a->position < b->position);
    return (int)a->begins - (int)b->begins;
}

size_t plan_lower_bound(HeliaArena *arena, const PlanBuf *bufs, uint32_t n)
{
    HeliaArena *work = helia_arena_child(arena);
    Change *changes = HELIA_NEW_N(work, Change, 2 * (size_t)n);
    for (uint32_t i = 0; i < n; i++) {
        changes[2 * i] = (Change){bufs[i].first, true, bufs[i].size};
        changes[2 * i + 1] = (Change){(uint64_t)bufs[i].last + 1, false, bufs[i].size};
    }
    qsort(changes, 2 * (size_t)n, sizeof(*changes), by_position);
    size_t live = 0, bound = 0;
    for (size_t i = 0; i < 2 * (size_t)n; i++) {
        live = changes[i].begins ? live + changes[i].size : live - changes[i].size;
        bound = live > bound ? live : bound;
    }
    helia_arena_free(work);
    return bound;
}
