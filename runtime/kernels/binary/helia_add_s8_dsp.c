/* int8 ADD for DSP cores with parameters known at run time only. */
#include "helia_add_s8_dsp.h"

#include "helia_add_s8_dsp_body.h"

void helia_add_s8_dsp(const helia_add_s8_dsp_params *p, const int8_t *a, const int8_t *b, int8_t *out)
{
    helia_add_s8_dsp_body(p, a, b, out);
}
