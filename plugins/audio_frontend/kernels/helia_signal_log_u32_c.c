/* Logarithms, portable. */
#include "helia_signal_log.h"

#include "helia_math.h"

/* round(65536 * (log2(1 + i / 128) - i / 128)): how far the logarithm is above its chord. */
static const uint16_t above_chord[129] = {
    0,    224,  442,  654,  861,  1063, 1259, 1450, 1636, 1817, 1992, 2163, 2329, 2490, 2646, 2797, 2944, 3087, 3224,
    3358, 3487, 3611, 3732, 3848, 3960, 4068, 4172, 4272, 4368, 4460, 4549, 4633, 4714, 4791, 4864, 4934, 5001, 5063,
    5123, 5178, 5231, 5280, 5326, 5368, 5408, 5444, 5477, 5507, 5533, 5557, 5578, 5595, 5610, 5622, 5631, 5637, 5640,
    5641, 5638, 5633, 5626, 5615, 5602, 5586, 5568, 5547, 5524, 5498, 5470, 5439, 5406, 5370, 5332, 5291, 5249, 5203,
    5156, 5106, 5054, 5000, 4944, 4885, 4825, 4762, 4697, 4630, 4561, 4490, 4416, 4341, 4264, 4184, 4103, 4020, 3935,
    3848, 3759, 3668, 3575, 3481, 3384, 3286, 3186, 3084, 2981, 2875, 2768, 2659, 2549, 2437, 2323, 2207, 2090, 1971,
    1851, 1729, 1605, 1480, 1353, 1224, 1094, 963,  830,  695,  559,  421,  282,  142,  0,
};

/* ln(v) with 16 fractional bits, v > 0. */
static uint32_t natural_log(uint32_t v)
{
    int32_t e = 31 - helia_clz(v);
    uint32_t fraction = v - (UINT32_C(1) << e);
    fraction = e < 16 ? fraction << (16 - e) : fraction >> (e - 16); /* 16 bits */
    const uint16_t *segment = above_chord + (fraction >> 9);
    int32_t slope = segment[1] - segment[0];
    /* The format's own arithmetic: 16 is the shift, though a segment has 9 bits, so the last term is -2 to 1. */
    int32_t correction = segment[0] + (slope * (int32_t)(fraction & 511u) >> 16);
    uint32_t log2 = ((uint32_t)e << 16) + fraction + (uint32_t)correction;
    return (uint32_t)((UINT64_C(45426) * log2 + (1u << 15)) >> 16); /* ln(2) */
}

void helia_signal_log_u32_c(const helia_signal_log_params *p, const uint32_t *in, int16_t *out)
{
    for (int32_t i = 0; i < p->count; i++) {
        uint32_t v = in[i] << p->correction_bits;
        uint32_t y = v > 1u ? (p->scale * natural_log(v) + (1u << 15)) >> 16 : 0u; /* wraps */
        out[i] = (int16_t)(y < 32767u ? y : 32767u);
    }
}
