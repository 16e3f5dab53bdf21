/* What the files of this folder share. */
#ifndef LITERT_LITERT_INT_H
#define LITERT_LITERT_INT_H

#include "litert/flatbuffer.h"

enum { LITERT_VERSION = 3 };

/* The tags of the union SparseIndexVector. */
enum { INDEX_INT32 = 1, INDEX_UINT16 = 2, INDEX_UINT8 = 3 };

/* The tags of the union QuantizationDetails. */
enum { DETAILS_CUSTOM = 1, DETAILS_BLOCKWISE = 2, DETAILS_MULTI_AXIS = 3 };

LitertModel *unpack_model(HeliaArena *arena, const char *file, FbTable root);

/* The problems of a model, counted, so that a hopeless one does not fill the terminal. */
typedef struct ModelCheck {
    HeliaArena *scratch;
    HeliaDiag *diag;
    const LitertModel *model;
    uint32_t problems;
} ModelCheck;
enum { CHECK_MAX_REPORTED = 50 };
/* Always false. */
bool check_problem(ModelCheck *c, HeliaLoc at, const char *fmt, ...) HELIA_PRINTF(3, 4);
HeliaLoc check_loc(const ModelCheck *c);
HeliaLoc check_tensor_loc(const ModelCheck *c, uint32_t subgraph, uint32_t tensor);

void check_references(ModelCheck *c);
/* Type, shape, constant bytes and quantisation; only of a model whose references are right. */
void check_tensor(ModelCheck *c, uint32_t subgraph, uint32_t tensor);

#endif
