/* What element-wise operators of one input share, and int8 ones as a table of their 256 results. */
#ifndef OP_UNARY_H
#define OP_UNARY_H

#include <helia_aot/emit.h>

#include "helia_activation.h"
#include "helia_lut.h"
#include "op/check.h"
#include "op/print.h"

/* For operators without options. */
extern const HeliaLitertParser unary_parser;
/* The output has the input's shape. */
bool unary_infer(const HeliaOpContext *c, AirNode *n);
/* Input and output have one of the types, the same type, and quantisation per tensor. */
bool unary_check(const HeliaOpContext *c, const AirNode *n, const int *types);
/* int16 without zero points. True for other types. */
bool unary_check_symmetric(const HeliaOpContext *c, const AirNode *n);
/* Arguments: input, table where there is one, output. */
void unary_args(const HeliaOpContext *c, AirNode *n, const void *params, AirTensor *table);
/* Rows whose params are helia_activation_params. */
bool unary_prepare(const HeliaOpContext *c, AirNode *n);
bool unary_emit(HeliaEmitter *e, const AirNode *n);

/* table[q + 128] is the result for q. */
bool table_use(const HeliaOpContext *c, AirNode *n, const int8_t table[256]);
bool table_emit(HeliaEmitter *e, const AirNode *n);
bool table_eval(HeliaEval *v, const AirNode *n);
#define TABLE_ROW(prepare)                                                                                             \
    {                                                                                                                  \
        "helia_lut_s8_c", "lut/helia_lut_s8_c.c", HELIA_ISA_C, "int8", fits_out_s8, prepare, NULL                      \
    }

#endif
