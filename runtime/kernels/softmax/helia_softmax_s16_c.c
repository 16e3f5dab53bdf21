/* SOFTMAX, int16, portable: exponentials and the reciprocal of their sum by interpolation in tables. */
#include "helia_math.h"
#include "helia_softmax.h"

static int32_t look_up(const int16_t *table, int32_t x)
{
    const int16_t *t = table + 256 + (x >> 7);
    return t[0] + (((t[1] - t[0]) * (x & 127) + 64) >> 7);
}

void helia_softmax_s16_c(const helia_softmax_s16_params *p, const int16_t *restrict in,
                         const int16_t *restrict exponentials, const int16_t *restrict reciprocals,
                         int16_t *restrict out)
{
    for (int32_t r = 0; r < p->rows; r++, in += p->depth, out += p->depth) {
        int32_t max = INT16_MIN, sum = 0;
        for (int32_t i = 0; i < p->depth; i++)
            max = helia_max(max, in[i]);
        for (int32_t i = 0; i < p->depth; i++) {
            int32_t x = helia_wrap_add(helia_requantize(in[i] - max, p->multiplier, p->shift), INT16_MAX);
            out[i] = (int16_t)look_up(exponentials, helia_clamp(x, INT16_MIN, INT16_MAX));
            sum = sum > INT32_MAX - out[i] ? INT32_MAX : sum + out[i];
        }
        /* The sum is 1 + x times a power of two; x with 16 bits is looked up. */
        const int32_t shift = 31 - helia_clz((uint32_t)sum);
        const int32_t x = (int32_t)((((uint32_t)sum << (30 - shift)) + (1u << 13)) >> 14) - (1 << 15) - (1 << 16);
        const int32_t reciprocal = look_up(reciprocals, helia_clamp(x, INT16_MIN, INT16_MAX));
        for (int32_t i = 0; i < p->depth; i++)
            out[i] = (int16_t)helia_clamp((out[i] * reciprocal + (1 << (shift - 1))) >> shift, 0, INT16_MAX);
    }
}
