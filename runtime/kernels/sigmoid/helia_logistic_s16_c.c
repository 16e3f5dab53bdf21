/* LOGISTIC, int16, portable. */
#include "helia_sigmoid.h"

void helia_logistic_s16_c(const helia_sigmoid_s16_params *p, const int16_t *in, const uint16_t *table, int16_t *out)
{
    for (int32_t i = 0; i < p->count; i++) {
        int32_t t = helia_sigmoid_position(p, in[i]), a = t < 0 ? -t : t, u = a >> 9;
        int32_t r = 0x7fff << 10; /* 25 fraction bits */
        if (u < HELIA_SIGMOID_ENTRIES - 1)
            r = ((int32_t)table[u] << 9) + (a & 511) * (table[u + 1] - table[u]);
        r = t >= 0 ? r + 512 : (1 << 25) - r + 511;
        out[i] = (int16_t)(r >> 10);
    }
}
