/* int8 MUL for DSP cores with parameters known at run time only: one body for all operators. */
#include "helia_mul_s8_dsp.h"

#include "helia_mul_s8_dsp_body.h"

void helia_mul_s8_dsp(const helia_mul_params *p, const int8_t *a, const int8_t *b, int8_t *out)
{
    helia_mul_s8_dsp_body(p, a, b, out);
}
