/* What attribute rules say of each operator and tensor. */
#ifndef PLAN_ATTRIBUTES_H
#define PLAN_ATTRIBUTES_H

#include "plan/plan.h"

enum { NO_MEMORY = -1 };

/* MemoryType or NO_MEMORY, and where the rule stands. */
typedef struct TensorWish {
    int8_t memory, destination;
    HeliaLoc memory_at, destination_at;
} TensorWish;
typedef struct OperatorWish {
    int8_t code, scratch;
} OperatorWish;

typedef struct Wishes {
    TensorWish *tensors;     /* by tensor id */
    bool *own_table;         /* by tensor id: a table that is not shared with another operator */
    OperatorWish *operators; /* by position in graph->nodes */
} Wishes;

MemoryRole tensor_role(const AirTensor *t);

/* False after reporting a memory that cannot be used. Rules without effect are warned of. */
bool wishes_read(HeliaArena *arena, const AirGraph *graph, const Platform *platform, const Config *config, Wishes *w);

#endif
