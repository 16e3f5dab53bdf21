/* int8 DEPTHWISE_CONV_2D of any shape for cores with MVE with parameters known at run time only: one body for all layers. */
#include "helia_depthwise_conv_2d_s8_general_mve.h"

#include "helia_depthwise_conv_2d_s8_general_mve_body.h"

void helia_depthwise_conv_2d_s8_general_mve(const helia_depthwise_conv_2d_s8_general_mve_params *p, const int8_t *in,
                                            const int8_t *weights, const uint32_t *records, int8_t *out)
{
    helia_depthwise_conv_2d_s8_general_mve_body(p, in, weights, records, out);
}
