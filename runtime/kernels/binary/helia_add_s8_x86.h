/* int8 ADD for x86-64: the linear form of helia_add_s8_dsp.h and its parameters, 16 elements at a time where there is AVX2.
 *
 * A factor is 2^16 * high + low, low a signed int16. high * value / 2^8 * 2^16 is whole, so that the form's rounded-down term
 * is 2^8 * high * value + floor(low * value / 2^8), and the latter VPMULHW's floor(low * (2^8 * value) / 2^16). The upper
 * terms of both operands are one VPMADDWD, and so is the sum of the lower ones. All is the form's sum modulo 2^32, which
 * is proven to be within 32 bits. high is an int16 for factors below HELIA_ADD_S8_X86_FACTORS. */
#ifndef HELIA_ADD_S8_X86_H
#define HELIA_ADD_S8_X86_H

#include "helia_add_s8_dsp.h"

#define HELIA_ADD_S8_X86_FACTORS INT32_C(0x7fff8000)

void helia_add_s8_x86(const helia_add_s8_dsp_params *p, const int8_t *a, const int8_t *b, int8_t *out);

#endif
