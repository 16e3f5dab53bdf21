/* int8 CONV_2D with groups or dilated columns, for cores with MVE, with parameters known at run time only: one body for all
 * layers. */
#include "helia_conv_2d_s8_general_mve.h"

#include "helia_conv_2d_s8_general_mve_body.h"

void helia_conv_2d_s8_general_mve(const helia_conv_2d_s8_general_mve_params *p, const int8_t *in,
                                  const uint32_t *stream, int8_t *out, void *scratch)
{
    helia_conv_2d_s8_general_mve_body(p, in, stream, out, scratch);
}
