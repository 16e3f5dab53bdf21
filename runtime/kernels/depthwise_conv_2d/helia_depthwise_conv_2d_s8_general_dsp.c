/* int8 DEPTHWISE_CONV_2D of any shape for DSP cores with parameters known at run time only: one body for all layers. */
#include "helia_depthwise_conv_2d_s8_general_dsp.h"

#include "helia_depthwise_conv_2d_s8_general_dsp_body.h"

void helia_depthwise_conv_2d_s8_general_dsp(const helia_depthwise_conv_2d_s8_general_dsp_params *p, const int8_t *in,
                                            const uint32_t *stream, int8_t *out)
{
    helia_depthwise_conv_2d_s8_general_dsp_body(p, in, stream, out);
}
