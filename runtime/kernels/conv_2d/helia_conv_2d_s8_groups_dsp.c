/* int8 CONV_2D with groups, for DSP cores, with parameters known at run time only: one body for all layers. */
#include "helia_conv_2d_s8_groups_dsp.h"

#include "helia_conv_2d_s8_groups_dsp_body.h"

void helia_conv_2d_s8_groups_dsp(const helia_conv_2d_s8_groups_dsp_params *p, const int8_t *in, const uint32_t *stream,
                                 int8_t *out, void *scratch)
{
    helia_conv_2d_s8_groups_dsp_body(p, in, stream, out, scratch);
}
