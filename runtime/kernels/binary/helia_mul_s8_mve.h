/* int8 MUL for cores with MVE: the conditions and the parameters of helia_mul_s8_dsp.h, 16 elements at a time. */
#ifndef HELIA_MUL_S8_MVE_H
#define HELIA_MUL_S8_MVE_H

#include "helia_mul_s8_dsp.h"

void helia_mul_s8_mve(const helia_mul_params *p, const int8_t *a, const int8_t *b, int8_t *out);

#endif
