/* Constants for kernels of MVE. */
#include "op/mve.h"

#include "helia_math.h"

MveChannel mve_channel(const AirNode *n, const int8_t *weights, int32_t taps, int32_t step, int32_t bias, double scale)
{
    MveChannel channel = {.bias = bias};
    for (int32_t k = 0; k < taps; k++)
        channel.bias = helia_wrap_sub(channel.bias, weights[k * step] * zero_of(n->in[0]));
    quantize_multiplier(scale, &channel.multiplier, &channel.shift);
    return channel;
}

const char *mve_scale_misfit(HeliaArena *arena, double scale)
{
    int32_t m, e;
    quantize_multiplier(scale, &m, &e);
    return e > -1 || e < -31 ? helia_format(arena, "a channel's scale is %g; supported are 2^-32 to 0.5", scale) : NULL;
}
