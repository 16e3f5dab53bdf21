/* int8 DEPTHWISE_CONV_2D for x86-64 with parameters known at run time only: one body for all layers. */
#include "helia_depthwise_conv_2d_s8_x86.h"

#include "helia_depthwise_conv_2d_s8_x86_body.h"

void helia_depthwise_conv_2d_s8_x86(const helia_depthwise_conv_2d_s8_x86_params *p, const int8_t *in,
                                    const uint32_t *stream, int8_t *out, void *scratch)
{
    helia_depthwise_conv_2d_s8_x86_body(p, in, stream, out, scratch);
}
