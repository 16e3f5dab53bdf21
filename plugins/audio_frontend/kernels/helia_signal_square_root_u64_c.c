/* Square roots, portable. */
#include "helia_signal_square_root.h"

#include "helia_math.h"

/* floor(sqrt(v)), a digit at a time; *rest = v - root^2, 2 * root at most. */
static uint32_t root_of_32(uint32_t v, uint32_t *rest)
{
    uint32_t root = 0;
    for (uint32_t bit = UINT32_C(1) << 30; bit != 0u; bit >>= 2) {
        uint32_t trial = root + bit;
        root >>= 1;
        if (v >= trial) {
            v -= trial;
            root += bit;
        }
    }
    *rest = v;
    return root;
}

/* floor(sqrt(v)) of v >= 2^32: v is normalised to 63 or 64 bits, the upper half of the root is found as above, and one
 * division gives the lower half or 1 too much (Karatsuba square root). */
static uint32_t root_of_64(uint64_t v)
{
    int32_t half_shift = helia_clz((uint32_t)(v >> 32)) / 2;
    v <<= 2 * half_shift;
    uint32_t rest, low = (uint32_t)v;
    uint32_t high = root_of_32((uint32_t)(v >> 32), &rest);
    /* (rest * 2^16 + the upper half of low) / (2 * high), both sides halved as the dividend has up to 33 bits. */
    uint32_t digits = (rest << 15 | low >> 17) / high;
    uint32_t root = high << 16 | (digits < UINT32_C(0xffff) ? digits : UINT32_C(0xffff));
    if ((uint64_t)root * root > v)
        root--;
    return root >> half_shift;
}

static uint32_t rounded_root(uint64_t v)
{
    uint32_t root, rest;
    if (v >> 32 == 0u) {
        root = root_of_32((uint32_t)v, &rest);
        return root + (rest > root && root != UINT32_C(0xffff));
    }
    root = root_of_64(v);
    return root + (v - (uint64_t)root * root > root && root != UINT32_MAX);
}

void helia_signal_square_root_u64_c(const helia_signal_square_root_params *p, const uint64_t *in,
                                    const int32_t *scale_bits, uint32_t *out)
{
    int32_t shift = scale_bits[0];
    for (int32_t i = 0; i < p->count; i++)
        out[i] = shift < 0 || shift > 31 ? 0u : rounded_root(in[i]) >> shift;
}
