/* MEAN, int8, for DSP cores with parameters known at run time only. */
#include "helia_mean_s8_dsp_body.h"

void helia_mean_s8_dsp(const helia_mean_params *p, const int8_t *in, int8_t *out)
{
    helia_mean_s8_dsp_body(p, in, out);
}
