/* int8 FULLY_CONNECTED by CMSIS-NN and ns-cmsis-nn. Nonzero: the library's status. */
#ifndef HELIA_FULLY_CONNECTED_CMSIS_NN_H
#define HELIA_FULLY_CONNECTED_CMSIS_NN_H

#include "helia_fully_connected.h"

/* sums: of each unit's weights times the input's offset, plus its bias; NULL where the core has no MVE. */
int32_t helia_fully_connected_s8_cmsis_nn(const helia_fully_connected_s8_params *p, const int8_t *in,
                                          const int8_t *weights, const int32_t *bias, const int32_t *sums, int8_t *out);
int32_t helia_fully_connected_per_channel_s8_cmsis_nn(const helia_fully_connected_s8_params *p, const int8_t *in,
                                                      const int8_t *weights, const int32_t *bias,
                                                      const int32_t *multiplier, const int32_t *shift,
                                                      const int32_t *sums, int8_t *out);

#endif
