/* Table look-up, int8, portable. */
#include "helia_lut.h"

void helia_lut_s8_c(const helia_lut_params *p, const int8_t *in, const int8_t *table, int8_t *out)
{
    for (int32_t i = 0; i < p->count; i++)
        out[i] = table[in[i] + 128];
}
