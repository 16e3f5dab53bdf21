/* The window function in portable C. */
#include "helia_signal_window.h"

#include "helia_math.h"

void helia_signal_window_s16_c(const helia_signal_window_params *p, const int16_t *in, const int16_t *weights,
                               int16_t *out)
{
    for (int32_t b = 0; b < p->blocks; b++) {
        for (int32_t i = 0; i < p->length; i++)
            out[i] = (int16_t)helia_clamp((in[i] * weights[i]) >> p->shift, INT16_MIN, INT16_MAX);
        in += p->length;
        out += p->length;
    }
}
