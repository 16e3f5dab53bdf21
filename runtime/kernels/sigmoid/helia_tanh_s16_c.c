/* TANH, int16, portable: 2 * logistic(2 x) - 1. */
#include "helia_sigmoid.h"

void helia_tanh_s16_c(const helia_sigmoid_s16_params *p, const int16_t *in, const uint16_t *table, int16_t *out)
{
    for (int32_t i = 0; i < p->count; i++) {
        int32_t t = helia_sigmoid_position(p, in[i]), a = t < 0 ? -t : t, u = a >> 8;
        int32_t r = 0xffff << 8; /* 24 fraction bits */
        if (u < HELIA_SIGMOID_ENTRIES - 1)
            r = ((int32_t)table[u] << 8) + (a & 255) * (table[u + 1] - table[u]);
        r = t >= 0 ? r - (1 << 23) + 128 : (1 << 23) - r + 127;
        out[i] = (int16_t)(r >> 8);
    }
}
