/* DEQUANTIZE, float16 (IEEE 754 binary16), portable: every value is exact in float32. */
#include <string.h>

#include "helia_quantize.h"

static float to_float(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half >> 15) << 31, exponent = (half >> 10) & 31u, fraction = half & 1023u;
    if (exponent == 0u) {
        const float magnitude = (float)fraction * 5.9604644775390625e-8f; /* subnormal: fraction * 2^-24 */
        return sign ? -magnitude : magnitude;
    }
    const uint32_t wide = exponent == 31u ? 255u : exponent + 112u; /* infinity or NaN; else the other bias */
    const uint32_t bits = sign | wide << 23 | fraction << 13;
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

void helia_dequantize_f16_c(const helia_dequantize_params *p, const uint16_t *in, float *out)
{
    for (int32_t i = 0; i < p->count; i++)
        out[i] = to_float(in[i]);
}
