/* Constants for kernels of MVE. */
#include "pack/mve.h"

#include "helia_math.h"

/* Scales below 2^-32 have multiplier 0 and any shift. */
void mve_multiplier(double scale, int32_t *multiplier, int32_t *shift)
{
    quantize_multiplier(scale, multiplier, shift);
    if (*multiplier == 0)
        *shift = -1;
}

MveChannel mve_channel(const AirNode *n, const int8_t *weights, int32_t taps, int32_t step, int32_t bias, double scale)
{
    MveChannel channel = {.bias = bias};
    for (int32_t k = 0; k < taps; k++)
        channel.bias = helia_wrap_sub(channel.bias, weights[k * step] * zero_of(n->in[0]));
    mve_multiplier(scale, &channel.multiplier, &channel.shift);
    return channel;
}

const char *mve_scale_misfit(HeliaArena *arena, double scale)
{
    int32_t m, e;
    mve_multiplier(scale, &m, &e);
    return m < 0 || e > -1 ? helia_format(arena, "a channel's scale is %g; supported are scales below 0.5", scale)
                           : NULL;
}
