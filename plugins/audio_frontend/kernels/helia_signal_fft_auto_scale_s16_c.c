/* Scaling to the full range in portable C. */
#include "helia_signal_fft_auto_scale.h"

#include "helia_math.h"

/* The magnitude of -32768 does not fit and wraps to itself; any later value is larger, and the search goes on from that,
 * as in the reference. */
static int16_t largest_magnitude(const int16_t *in, int32_t count)
{
    int16_t top = 0;
    for (int32_t i = 0; i < count; i++) {
        if (in[i] > top)
            top = in[i];
        else if (-in[i] > top)
            top = (int16_t)-in[i];
    }
    return top;
}

void helia_signal_fft_auto_scale_s16_c(const helia_signal_fft_auto_scale_params *p, const int16_t *in, int16_t *out,
                                       int32_t *scale)
{
    const int16_t top = largest_magnitude(in, p->count);
    const int32_t bits = top > 0 ? helia_clz((uint32_t)top) - 17 : 0;
    for (int32_t i = 0; i < p->count; i++)
        out[i] = (int16_t)(in[i] * (1 << bits));
    *scale = bits;
}
