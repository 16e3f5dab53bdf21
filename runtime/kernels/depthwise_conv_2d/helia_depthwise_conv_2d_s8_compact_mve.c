/* int8 DEPTHWISE_CONV_2D for cores with MVE, compact records, with parameters known at run time only: one body for all
 * layers. */
#include "helia_depthwise_conv_2d_s8_mve.h"

#include "helia_depthwise_conv_2d_s8_mve_body.h"

void helia_depthwise_conv_2d_s8_compact_mve(const helia_depthwise_conv_2d_s8_mve_params *p, const int8_t *in,
                                            const uint32_t *records, int8_t *out, void *scratch)
{
    helia_depthwise_conv_2d_s8_compact_mve_body(p, in, records, out, scratch);
}
