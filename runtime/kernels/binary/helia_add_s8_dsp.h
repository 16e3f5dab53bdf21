/* int8 ADD for cores with the DSP extension: both operands, their zero points and all roundings in one linear form,
 *   t = floor(factor_a * a / 2^8) + floor(factor_b * b / 2^8) + base,   out = clamp(t >> shift)
 * with factor = scale / scale_out * 2^(shift + 8) to within a few units. The reference rounds three times; the compiler
 * takes such parameters for which the form gives the reference's result for all 65536 pairs of operands, and this
 * kernel only where it has found them. Where halves occur the reference rounds them away from zero, which no linear
 * form does: with `halves` t has the sign of the exact sum, 1 is subtracted where that is negative, and `bias`, the
 * output's zero point and a half, is added then. */
#ifndef HELIA_ADD_S8_DSP_H
#define HELIA_ADD_S8_DSP_H

#include "helia_broadcast.h"

typedef struct helia_add_s8_dsp_params {
    helia_broadcast shape; /* the last dimension's strides are 0 or 1 */
    int32_t factor_a, factor_b, base, shift;
    int32_t halves, bias;
    int32_t min, max; /* the fused activation's range */
} helia_add_s8_dsp_params;

void helia_add_s8_dsp(const helia_add_s8_dsp_params *p, const int8_t *a, const int8_t *b, int8_t *out);

#endif
