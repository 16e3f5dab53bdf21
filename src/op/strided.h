/* Operators that pick elements of their input at fixed steps, as one or several strided copies. */
#ifndef OP_STRIDED_H
#define OP_STRIDED_H

#include "helia_strided_copy.h"
#include "op/check.h"
#include "op/print.h"

/* The elements of one output: extents, and the step in the input's elements along each dimension. */
typedef struct Strided {
    int32_t rank;
    int32_t dim[AIR_MAX_RANK];
    int64_t step[AIR_MAX_RANK];
    int64_t first; /* element of the input */
} Strided;

/* What movement operators take: whole bytes. */
extern const int movement_types[];
#define MOVEMENT_TYPES_TEXT "int8, uint8, int16, uint16, int32, uint32, int64, float16, float32, bool"

/* Input i and all outputs have one of the types, the same type and the same quantisation. */
bool check_movement(const HeliaOpContext *c, const AirNode *n, uint32_t i);
/* Elements between neighbours of dimension d. */
int64_t row_major_step(const AirTensor *t, int32_t d);

/* A dimension of `t` by its number, which may count from the end; -1 after reporting. `extra` more are allowed, as for a
 * dimension that is yet to be made. */
int32_t check_axis(const HeliaOpContext *c, const AirNode *n, int64_t axis, const AirTensor *t, int32_t extra);

/* False after reporting: more loops remain than the kernel has. */
bool strided_plan(const HeliaOpContext *c, const AirNode *n, const AirTensor *in, const Strided *s,
                  helia_strided_copy_params *p);

/* For operators of one output: checks the types, plans the copy and sets params and args. Where it takes the whole input
 * as it is the node becomes one of the class `view`. */
bool strided_resolve(const HeliaOpContext *c, AirNode *n, const Strided *s, const HeliaOpClass *view);

/* The kernel row, and emission and evaluation of nodes whose params are an array with an entry an output, and whose args
 * are the input and the outputs. */
#define STRIDED_ROW(prepare)                                                                                           \
    {                                                                                                                  \
        "helia_strided_copy_c", "strided_copy/helia_strided_copy_c.c", HELIA_ISA_C, MOVEMENT_TYPES_TEXT, strided_fits, \
            prepare, NULL                                                                                              \
    }
const char *strided_fits(const HeliaOpContext *c, const AirNode *n);
bool strided_emit(HeliaEmitter *e, const AirNode *n);
bool strided_eval(HeliaEval *v, const AirNode *n);
bool strided_part(const AirNode *n, uint32_t i, HeliaPart *part);

#endif
