/* int8 SOFTMAX by CMSIS-NN and ns-cmsis-nn. */
#ifndef HELIA_SOFTMAX_CMSIS_NN_H
#define HELIA_SOFTMAX_CMSIS_NN_H

#include "helia_softmax.h"

void helia_softmax_s8_cmsis_nn(const helia_softmax_s8_params *p, const int8_t *in, int8_t *out);

#endif
