/* Memory planning. The core knows intervals only: buffers in, offsets out. plan_memory() maps a resolved graph on it:
 * aliases merged, roles and memories chosen, scratch of kernels as buffers that live for one operator. */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include <helia_aot/op.h>
#include "config/config.h"
#include "target/target.h"

/* ---- core ------------------------------------------------------------------------------------- */
typedef struct PlanBuf {
    uint32_t id;          /* the caller's */
    uint32_t first, last; /* operator positions, inclusive */
    size_t size;          /* bytes, rounded up to the alignment by the planner's caller */
    size_t align;         /* power of two */
    size_t offset;        /* out */
} PlanBuf;

typedef struct PlanResult {
    size_t peak;        /* bytes */
    size_t lower_bound; /* no plan has a smaller peak */
    bool proven;        /* peak is the minimum: it equals lower_bound */
} PlanResult;

/* 0: the planner's own default. Each planner reads the fields it knows. */
typedef struct PlanOptions {
    uint64_t iterations, max_stall_iterations, seed; /* hill_climb */
    uint64_t step_limit;                             /* optimal */
} PlanOptions;

PlanOptions plan_options(const ConfigPlannerOptions *config);

/* Sets every offset and the result; keeps the order of the buffers. The same input gives the same plan. */
typedef struct Planner {
    const char *name, *doc;
    void (*plan)(HeliaArena *arena, PlanBuf *bufs, uint32_t n, const PlanOptions *options, PlanResult *result);
    const char *const *options; /* that it reads, as in memory.planner_options; NULL-terminated */
} Planner;
const Planner *planner_find(const char *name); /* NULL: unknown */
const Planner *planner_at(uint32_t index);     /* NULL behind the last one */
/* Warns of an option, by its name in the configuration, that the planner does not read. */
void planner_check_option(HeliaArena *arena, HeliaDiag *diag, HeliaLoc at, const Planner *planner, const char *option);

/* Independent of every planner: no two buffers that live at the same time overlap, alignment holds, the result is true.
 */
bool plan_check(HeliaArena *arena, HeliaDiag *diag, const PlanBuf *bufs, uint32_t n, const PlanResult *result);
/* The largest sum of buffers that live at the same time. */
size_t plan_lower_bound(HeliaArena *arena, const PlanBuf *bufs, uint32_t n);

/* ---- tables of buffers ------------------------------------------------------------------------ */
typedef struct PlanTable {
    HELIA_VEC(PlanBuf) bufs;       /* id: the row, from 0 */
    HELIA_VEC(const char *) names; /* by row: the first column */
} PlanTable;

/* A CSV file with rows id,first,last,size, or in the order of a header; ids are unique, empty lines are skipped. False
 * after reporting every bad row. */
bool plan_table_read(HeliaArena *arena, HeliaDiag *diag, const char *path, PlanTable *table);
/* Plans the table and checks the plan: one line "peak N bound M proven yes|no", then rows id,offset. NULL after
 * reporting. */
const char *plan_table_text(HeliaArena *arena, HeliaDiag *diag, PlanTable *table, const Planner *planner,
                            const PlanOptions *options);

/* ---- the graph's memory ----------------------------------------------------------------------- */
typedef enum MemoryRole { ROLE_SCRATCH, ROLE_PERSISTENT, ROLE_CONSTANT } MemoryRole;
const char *memory_role_name(MemoryRole role); /* "SCRATCH" */

typedef struct MemoryRegion {
    MemoryRole role;
    MemoryType memory;
    size_t size, align;
    size_t lower_bound; /* ROLE_SCRATCH */
    bool proven;
    bool staged;       /* ROLE_CONSTANT: init copies it from a blob in another memory ... */
    MemoryType source; /* ... which is this one */
    bool sidecar;      /* the image is a blob beside the code, bound by the application */
} MemoryRegion;
/* Where the constants' image is: the region itself, or the blob it is copied from. */
static inline MemoryType region_source(const MemoryRegion *r)
{
    return r->staged ? r->source : r->memory;
}

typedef struct MemorySlot {
    int32_t region; /* index in regions; -1: the tensor has no storage (eliminated, or never used) */
    size_t offset, size;
    uint32_t first, last; /* operator positions of the storage, aliases merged */
    uint32_t root;        /* tensor id that owns the storage */
} MemorySlot;

typedef struct MemoryPlan {
    HELIA_VEC(MemoryRegion) regions; /* by role, then memory name */
    MemorySlot *tensors;             /* by tensor id */
    MemorySlot *scratch;             /* by position in graph->nodes; region -1: none */
    const int8_t *code;            /* by position: MemoryType of the run function; -1: as the build has it. NULL: all */
    uint64_t budget[NUM_MEMORIES]; /* bytes of each memory that the module may take */
    uint32_t hash;                 /* of the region layout */
} MemoryPlan;

/* The copies that a node consists of: the one of a view, or those of HeliaOpClass.part. False: there are no more, or the
 * node does more than copy. */
bool node_part(const AirNode *node, uint32_t i, HeliaPart *part);
/* The part is where the copy would put it: nothing is to be done. */
bool plan_in_place(const MemoryPlan *plan, const HeliaPart *part);
/* A node of copies that are all in place, or whose outputs nobody needs: it has no code. */
bool plan_is_free(const MemoryPlan *plan, const AirNode *node);

/* NULL after reporting: what does not fit is shown with each memory's budget and what is live at the peak. */
MemoryPlan *plan_memory(HeliaArena *arena, AirGraph *graph, const Platform *platform, const Config *config);

/* Independent of what made the plan: values survive from writer to readers, places are apart and inside their regions,
 * budgets hold. */
bool plan_verify(HeliaArena *arena, const AirGraph *graph, const MemoryPlan *plan, bool keep_inputs);

/* A row of a region's table. A storage has one row for each tensor in it, its owner first, then by offset. */
typedef struct PlanRow {
    const char *name; /* printable */
    const MemorySlot *slot;
    size_t storage; /* offset of the owner */
    uint32_t order; /* among rows of the same place and time */
    bool owner;
    char letter; /* in the picture of a scratch arena */
} PlanRow;
typedef HELIA_VEC(PlanRow) PlanRows;
/* Of a scratch arena by time, of others by offset. */
PlanRows plan_region_rows(HeliaArena *arena, const AirGraph *graph, const MemoryPlan *plan, uint32_t region);
bool plan_row_is_working(const PlanRow *row); /* the working memory of an operator */
/* "SCRATCH DTCM: 6400 bytes, alignment 16", and what is known of the least size of a scratch arena. */
const char *plan_region_title(HeliaArena *arena, const MemoryRegion *region);
const char *plan_region_bound(HeliaArena *arena, const MemoryRegion *region);

/* The memory picture: one table a region, tensor by tensor, and each scratch arena over time. */
const char *plan_report_text(HeliaArena *arena, const AirGraph *graph, const MemoryPlan *plan);

#endif
