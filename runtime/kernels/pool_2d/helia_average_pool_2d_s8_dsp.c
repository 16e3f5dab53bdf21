/* AVERAGE_POOL_2D, int8, for DSP cores with parameters known at run time only. */
#include "helia_average_pool_2d_s8_dsp_body.h"

void helia_average_pool_2d_s8_dsp(const helia_pool_2d_params *p, const int8_t *in, int8_t *out)
{
    helia_average_pool_2d_s8_dsp_body(p, in, out);
}
