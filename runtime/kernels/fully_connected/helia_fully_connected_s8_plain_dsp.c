/* int8 FULLY_CONNECTED for DSP cores with plain sums, with parameters known at run time only: one body for all layers. */
#include "helia_fully_connected_s8_plain_dsp.h"

#include "helia_fully_connected_s8_plain_dsp_body.h"

void helia_fully_connected_s8_plain_dsp(const helia_fully_connected_s8_plain_dsp_params *p, const int8_t *in,
                                        const uint32_t *stream, int8_t *out)
{
    helia_fully_connected_s8_plain_dsp_body(p, in, stream, out);
}
