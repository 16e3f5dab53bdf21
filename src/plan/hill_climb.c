/* Hill climbing over the order that first fit is given. A step takes a buffer that stands at the peak, or one of those
 * under it, and moves it before a buffer that was placed earlier and is in its way. The climb goes on from the new
 * order if its peak is not higher than before, or not by much than the best: strict climbing ends in the first dead
 * end. */
#include "plan/planner_int.h"

#include <string.h>

/* Orders whose peak is at most this part above the best one are gone on from: measured, a quarter. */
enum { TOLERANCE = 4 };
static const uint64_t default_iterations = 20000, default_stall = 5000;
/* First fit takes about n * n steps: the default number of iterations keeps their product below this. */
static const uint64_t default_effort = 1000000000;

typedef struct Climb {
    PlanBuf *bufs;
    uint32_t n;
    PlanBuf **order, **kept, **best;
    PlanBuf **work; /* the plan's buffers by offset */
    PlanBuf **pool; /* to choose one from */
    uint64_t random;
} Climb;

/* xorshift64*, seeded through one step of splitmix64 so that 0 is a seed too. */
static uint64_t seed_of(uint64_t seed)
{
    uint64_t z = seed + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return z ? z : 1;
}

static uint32_t random_below(Climb *c, uint32_t n)
{
    c->random ^= c->random >> 12;
    c->random ^= c->random << 25;
    c->random ^= c->random >> 27;
    return (uint32_t)(((c->random * 0x2545f4914f6cdd1du) >> 32) * n >> 32);
}

/* A random buffer of the plan that `work` holds by offset, among those at the peak; then, a few times by chance, one
 * that it stands on. */
static PlanBuf *culprit(Climb *c, size_t peak)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n; i++)
        if (c->work[i]->offset + c->work[i]->size == peak)
            c->pool[n++] = c->work[i];
    PlanBuf *b = c->pool[random_below(c, n)];
    while (b->offset && random_below(c, 2)) {
        n = 0;
        for (uint32_t i = 0; i < c->n; i++) {
            PlanBuf *under = c->work[i];
            if (under != b && plan_align(under->offset + under->size, b->align) == b->offset &&
                plan_live_together(under, b))
                c->pool[n++] = under;
        }
        if (n == 0)
            break;
        b = c->pool[random_below(c, n)];
    }
    return b;
}

/* Moves the culprit before one of the buffers that overlap it in time and come earlier; anywhere if there is none. */
static void step(Climb *c, size_t peak)
{
    const PlanBuf *b = culprit(c, peak);
    uint32_t at = 0, n = 0, to;
    while (c->order[at] != b)
        at++;
    for (uint32_t i = 0; i < at; i++)
        if (plan_live_together(c->order[i], b))
            c->pool[n++] = c->order[i];
    if (n) {
        const PlanBuf *before = c->pool[random_below(c, n)];
        for (to = 0; c->order[to] != before; to++)
            continue;
    } else {
        to = random_below(c, c->n);
    }
    PlanBuf *moved = c->order[at];
    if (to < at)
        memmove(&c->order[to + 1], &c->order[to], (at - to) * sizeof(*c->order));
    else
        memmove(&c->order[at], &c->order[at + 1], (to - at) * sizeof(*c->order));
    c->order[to] = moved;
}

/* From the order that is there; the best peak, whose plan is in the buffers. */
static size_t climb(Climb *c, uint64_t iterations, uint64_t max_stall, size_t bound)
{
    const size_t bytes = c->n * sizeof(*c->order);
    size_t now = plan_first_fit(c->order, c->n, c->work), best = now;
    memcpy(c->kept, c->order, bytes);
    memcpy(c->best, c->order, bytes);
    uint64_t stalled = 0;
    for (uint64_t i = 0; i < iterations && stalled < max_stall && best > bound; i++) {
        step(c, now);
        size_t peak = plan_first_fit(c->order, c->n, c->work);
        stalled++;
        if (peak <= now || peak <= best + best / TOLERANCE) {
            now = peak;
            memcpy(c->kept, c->order, bytes);
        } else {
            memcpy(c->order, c->kept, bytes);
            plan_first_fit(c->order, c->n, c->work); /* the next step looks at its plan */
        }
        if (now < best) {
            best = now;
            stalled = 0;
            memcpy(c->best, c->order, bytes);
        }
    }
    return plan_first_fit(c->best, c->n, c->work);
}

void plan_hill_climb(HeliaArena *arena, PlanBuf *bufs, uint32_t n, const PlanOptions *options, PlanResult *result)
{
    HeliaArena *scratch = helia_arena_child(arena);
    Climb c = {.bufs = bufs, .n = n};
    c.order = HELIA_NEW_N(scratch, PlanBuf *, n);
    c.kept = HELIA_NEW_N(scratch, PlanBuf *, n);
    c.best = HELIA_NEW_N(scratch, PlanBuf *, n);
    c.work = HELIA_NEW_N(scratch, PlanBuf *, n);
    c.pool = HELIA_NEW_N(scratch, PlanBuf *, n);
    c.random = seed_of(options ? options->seed : 0);
    size_t bound = plan_lower_bound(scratch, bufs, n), peak = plan_best_order(scratch, bufs, n, c.order);
    if (peak > bound) {
        uint64_t affordable = default_effort / ((uint64_t)n * n);
        uint64_t iterations = affordable < default_iterations ? affordable : default_iterations;
        peak = climb(&c, options && options->iterations ? options->iterations : iterations,
                     options && options->max_stall_iterations ? options->max_stall_iterations : default_stall, bound);
    }
    plan_finish(result, peak, bound);
    helia_arena_free(scratch);
}
