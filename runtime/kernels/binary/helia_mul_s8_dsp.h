/* int8 MUL for cores with the DSP extension, where scale_a * scale_b / scale_out is below 1. With p the product of the
 * operands without their zero points, |p| < 2^16, m the multiplier and rs = -exponent, the reference is
 *   floor((floor(p * m / 2^31 + 1/2) + half - nudge) / 2^rs) + zero,  half = 2^(rs-1), nudge = [p < 0]   (both 0 for rs = 0).
 * Nested floors collapse, so it is
 *   (floor(4 * p * m / 2^32) + c - 2 * nudge) >> (rs + 1),  c = 1 + 2 * half + zero * 2^(rs+1).
 * Where the activation's lower bound is at or above `zero` the nudge cannot be seen. */
#ifndef HELIA_MUL_S8_DSP_H
#define HELIA_MUL_S8_DSP_H

#include "helia_binary.h"

/* -21 <= exponent <= 0, so that all sums stay within 32 bits. */
enum { HELIA_MUL_DSP_LEAST_EXPONENT = -21 };

void helia_mul_s8_dsp(const helia_mul_params *p, const int8_t *a, const int8_t *b, int8_t *out);

#endif
