/* From a resolved graph to buffers: which tensors share storage, and from where to where each storage lives. */
#ifndef PLAN_LIVE_H
#define PLAN_LIVE_H

#include "plan/attributes.h"

typedef struct Storage {
    bool used; /* something reads or writes it, or it is a graph input or output */
    bool kept; /* its content is wanted after the last operator */
    bool port; /* holds a graph input or output */
    MemoryRole role;
    uint32_t first, last; /* operator positions */
    uint32_t accesses;    /* operators that read or write it */
    size_t size;          /* bytes of the largest member, not rounded */
    TensorWish wish;      /* of the first member that has one */
} Storage;

typedef struct Lifetimes {
    uint32_t *root;   /* by tensor id: the id of the tensor that owns its storage */
    size_t *at;       /* by tensor id: offset in its storage */
    Storage *storage; /* by root id */
    bool *free;       /* by position: a node of copies that are all in place; it touches nothing */
    size_t copied;    /* bytes of copies of HeliaOpClass.part that are not in place */
} Lifetimes;

/* Which copies may be left out: share.c chooses. */
typedef struct PartSet {
    uint32_t *first; /* by node id: of its copies in `on` */
    bool *on;
    uint32_t n;
    bool over; /* results may take the place of a part that dies, though the whole then lives longer */
} PartSet;

typedef struct LiveOptions {
    const TensorWish *wishes; /* by tensor id; NULL: none */
    bool keep_inputs;         /* graph inputs are not overwritten */
    bool in_place; /* results may take the storage of an input that dies there and is wanted in the same memory */
    const PartSet *parts; /* NULL: none */
    bool apart; /* every tensor has a storage of its own for good, and views are copies; no parts, not in place */
} LiveOptions;
Lifetimes live_ranges(HeliaArena *arena, const AirGraph *graph, const LiveOptions *options);

/* The tensors that a node touches while it runs, as args or as inputs and outputs. */
uint32_t node_operand_count(const AirNode *node);
AirTensor *node_operand(const AirNode *node, uint32_t i); /* NULL: absent */

#endif
