/* The walk of an element-wise operator over two broadcast operands, worked out at compile time. */
#ifndef OP_BROADCAST_H
#define OP_BROADCAST_H

#include "helia_broadcast.h"
#include "op/check.h"

/* Fills *shape for output 0 and the tensors a and b, which infer_broadcast() has accepted. False after reporting where
 * more loops remain than the kernels have. */
bool broadcast_plan(const HeliaOpContext *c, const AirNode *n, const AirTensor *a, const AirTensor *b,
                    helia_broadcast *shape);

#endif
