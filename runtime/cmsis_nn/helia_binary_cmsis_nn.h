/* int8 ADD and MUL of equal shapes by CMSIS-NN and ns-cmsis-nn. Nonzero: the library's status. */
#ifndef HELIA_BINARY_CMSIS_NN_H
#define HELIA_BINARY_CMSIS_NN_H

#include "helia_binary.h"

int32_t helia_add_s8_cmsis_nn(const helia_add_params *p, const int8_t *a, const int8_t *b, int8_t *out);
int32_t helia_mul_s8_cmsis_nn(const helia_mul_params *p, const int8_t *a, const int8_t *b, int8_t *out);

/* Elements of a shape without repetition. */
static inline int32_t helia_binary_cmsis_nn_count(const helia_broadcast *shape)
{
    int32_t count = 1;
    for (int32_t d = 0; d < shape->rank; d++)
        count *= shape->dim[d];
    return count;
}

#endif
