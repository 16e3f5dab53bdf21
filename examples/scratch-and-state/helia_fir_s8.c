/* The filter of helia_fir_s8.h: sums of all channels first, then one pass that scales them. */
#include "helia_fir_s8.h"

#include <string.h>

void helia_fir_s8(const helia_fir_s8_params *p, const int8_t *in, int8_t *history, int8_t *out, void *scratch)
{
    int32_t *sums = (int32_t *)scratch;
    memmove(history + p->channels, history, (size_t)(p->n_taps - 1) * (size_t)p->channels);
    memcpy(history, in, (size_t)p->channels);
    memset(sums, 0, (size_t)p->channels * sizeof(*sums));
    for (int32_t k = 0; k < p->n_taps; k++)
        for (int32_t c = 0; c < p->channels; c++)
            sums[c] += p->taps[k] * history[k * p->channels + c];
    for (int32_t c = 0; c < p->channels; c++) {
        int32_t divisor = (int32_t)1 << p->shift;
        int32_t y = (sums[c] - ((sums[c] % divisor + divisor) % divisor)) / divisor;
        out[c] = (int8_t)(y < -128 ? -128 : y > 127 ? 127 : y);
    }
}
