/* int8 ADD for cores with MVE: the linear form of helia_add_s8_dsp.h and its parameters, 16 elements at a time. */
#ifndef HELIA_ADD_S8_MVE_H
#define HELIA_ADD_S8_MVE_H

#include "helia_add_s8_dsp.h"

void helia_add_s8_mve(const helia_add_s8_dsp_params *p, const int8_t *a, const int8_t *b, int8_t *out);

#endif
