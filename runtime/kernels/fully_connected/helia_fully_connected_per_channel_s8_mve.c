/* int8 FULLY_CONNECTED for cores with MVE, a scale for each channel, with parameters known at run time only: one body for
 * all layers. */
#include "helia_fully_connected_s8_mve.h"

#include "helia_fully_connected_s8_mve_body.h"

void helia_fully_connected_per_channel_s8_mve(const helia_fully_connected_s8_mve_params *p, const int8_t *in,
                                              const uint32_t *stream, int8_t *out)
{
    helia_fully_connected_per_channel_s8_mve_body(p, in, stream, out);
}
