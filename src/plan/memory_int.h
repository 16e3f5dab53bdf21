/* The graph's memory while it is planned: what the files from memory.c down share. */
#ifndef PLAN_MEMORY_INT_H
#define PLAN_MEMORY_INT_H

#include "plan/live.h"

typedef struct Memory {
    HeliaArena *arena;
    AirGraph *graph;
    const Platform *platform;
    const Config *config;
    const Planner *planner;
    PlanOptions options;
    size_t align;
    MemoryType writable[NUM_MEMORIES]; /* where activations and state may go, best first */
    uint32_t n_writable;
    uint64_t left[NUM_MEMORIES]; /* bytes of each memory not taken yet */
    Wishes wishes;
    int8_t staged_from[NUM_MEMORIES]; /* by destination: the memory of its blob; NO_MEMORY: nothing is staged there */
    MemoryPlan *plan;
} Memory;

/* A buffer of the scratch arenas: a storage, or the working memory of an operator. */
typedef struct Item {
    int32_t tensor;    /* root id; -1: working memory */
    uint32_t node;     /* of working memory: position */
    uint32_t accesses; /* operators that read or write it */
    PlanBuf buf;       /* id: index of the item */
    MemoryType memory;
    bool pinned; /* by a rule */
} Item;

typedef struct Placement {
    Lifetimes lifetimes;
    HELIA_VEC(Item) items;
    PlanResult result[NUM_MEMORIES];
    bool fits;
    MemoryType misfit; /* where it does not fit */
} Placement;

/* place.c: the activations. False after reporting a fault of the planner. */
bool place_scratch(Memory *m, Lifetimes lifetimes, Placement *p);
/* Is p the better one? Fits, then less traffic with slower memories, then fewer bytes. */
bool placement_better(const Memory *m, const Placement *p, const Placement *than);

/* share.c: the copies to leave out in the order of nodes as it is. False: there are none. */
bool parts_choose(Memory *m, PartSet *parts);

/* reorder.c: positions of the nodes in an order that promises a smaller peak, where these copies are left out; NULL: none
 * was found. */
uint32_t *reorder_find(Memory *m, const PartSet *parts);

/* fixed.c: state and constants, which have their place for good. False after reporting. */
bool place_persistent(Memory *m, const Lifetimes *l);
bool choose_sources(Memory *m, const Lifetimes *l); /* before constants are placed: staged_from */
/* Those that rules put into writable memory (before the activations), or the others. */
bool place_constants(Memory *m, const Lifetimes *l, bool ruled);

/* State or constants without a place. */
typedef struct Missing {
    size_t bytes;                /* altogether */
    size_t ruled[NUM_MEMORIES];  /* of these, what rules want in a memory that has no room ... */
    HeliaLoc rule[NUM_MEMORIES]; /* ... and where the first of the rules stands */
} Missing;

/* misfit.c: errors that say what is where, and what would help. They return false. */
bool misfit_scratch(const Memory *m, const Placement *p);
bool misfit_fixed(const Memory *m, const Lifetimes *l, MemoryRole role, const Missing *missing);

/* memory.c */
uint32_t memory_region(Memory *m, MemoryRole role, MemoryType memory); /* made on first use */
size_t memory_round(const Memory *m, size_t size);                     /* up to the alignment, never 0 */

#endif
