/* Per-channel amplitude normalisation, portable. */
#include "helia_signal_pcan.h"

#include "helia_math.h"

static int16_t gain_of(uint32_t noise, const int16_t *table)
{
    if (noise < 2u)
        return table[noise];
    int32_t bits = 32 - helia_clz(noise);
    const int16_t *c = table + 4 * bits - 6;
    int32_t f = (int32_t)((bits < 11 ? noise << (11 - bits) : noise >> (bits - 11)) & 1023u);
    /* Below 2^31 - 2^14 in magnitude for any coefficients. */
    int32_t y = ((c[2] * f >> 5) + 32 * c[1]) * f;
    return (int16_t)(((y + (1 << 14)) >> 15) + c[0]); /* wraps */
}

/* 12 fractional bits in, 6 out: the square below 2, the line that goes on from it above. */
static uint32_t shrink(uint32_t snr)
{
    return snr < 8192u ? snr * snr >> 20 : (snr >> 6) - 64u;
}

void helia_signal_pcan_u32_c(const helia_signal_pcan_params *p, const uint32_t *in, const uint32_t *noise,
                             const int16_t *table, uint32_t *out)
{
    for (int32_t i = 0; i < p->count; i++) {
        uint32_t gain = (uint32_t)gain_of(noise[i], table); /* a negative one becomes 2^32 + gain */
        out[i] = shrink((uint32_t)((uint64_t)in[i] * gain >> p->snr_shift));
    }
}
