/* The few DSP-extension operations that kernels use outside assembly, with the same meaning on every machine. */
#ifndef HELIA_DSP_H
#define HELIA_DSP_H

#include <stdint.h>
#include <string.h>

#if defined(__ARM_FEATURE_DSP)
#include <arm_acle.h>
#endif

/* A function whose constant parameters are meant to reach the loops inside it. */
#if defined(__GNUC__)
#define HELIA_INLINE static inline __attribute__((always_inline))
#else
#define HELIA_INLINE static inline
#endif
/* An inner loop that needs the general registers for itself. */
#if defined(__GNUC__) && !defined(__ARM_FEATURE_MVE)
#define HELIA_APART __attribute__((noinline))
#else
#define HELIA_APART
#endif
#if defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__) /* gcc warns of the annotation on an instrumented loop */
#define HELIA_UNROLL(n) HELIA_UNROLL_(GCC unroll n)
#define HELIA_UNROLL_(text) _Pragma(#text)
#else
#define HELIA_UNROLL(n)
#endif

/* Four bytes at any address; the first one lowest. */
HELIA_INLINE uint32_t helia_load4(const int8_t *p)
{
    uint32_t v;
    memcpy(&v, p, 4);
    return v;
}

/* One byte four times. */
HELIA_INLINE uint32_t helia_splat4(int8_t x)
{
    return (uint32_t)(uint8_t)x * UINT32_C(0x01010101);
}

/* sum + a * (the lower, the upper half of w) / 2^16, rounded down; the sum must stay in 32 bits. */
HELIA_INLINE int32_t helia_smlawb(int32_t a, uint32_t w, int32_t sum)
{
#if defined(__ARM_FEATURE_DSP)
    return __smlawb(a, (int32_t)w, sum);
#else
    return sum + (int32_t)(((int64_t)a * (int16_t)(w & 0xffffu)) >> 16);
#endif
}

HELIA_INLINE int32_t helia_smlawt(int32_t a, uint32_t w, int32_t sum)
{
#if defined(__ARM_FEATURE_DSP)
    return __smlawt(a, (int32_t)w, sum);
#else
    return sum + (int32_t)(((int64_t)a * (int16_t)(w >> 16)) >> 16);
#endif
}

/* Two int16 as a word, the first one lowest. */
HELIA_INLINE uint32_t helia_pair(int32_t low, int32_t high)
{
    return ((uint32_t)low & 0xffffu) | (uint32_t)high << 16;
}

/* The lower halves of a and b, the upper halves of a and b, as (a, b). */
HELIA_INLINE uint32_t helia_pack_low(uint32_t a, uint32_t b)
{
    return (a & 0xffffu) | b << 16;
}

HELIA_INLINE uint32_t helia_pack_high(uint32_t a, uint32_t b)
{
#if defined(__ARM_FEATURE_DSP) && defined(__GNUC__)
    uint32_t y;
    __asm__("pkhtb %0, %1, %2, asr #16" : "=r"(y) : "r"(b), "r"(a));
    return y;
#else
    return a >> 16 | (b & 0xffff0000u);
#endif
}

/* sum + a * b of the halves named, b for the lower and t for the upper one; wraps. */
HELIA_INLINE int32_t helia_smlabb(uint32_t a, uint32_t b, int32_t sum)
{
    return (int32_t)((uint32_t)sum + (uint32_t)((int16_t)(a & 0xffffu) * (int16_t)(b & 0xffffu)));
}

HELIA_INLINE int32_t helia_smlabt(uint32_t a, uint32_t b, int32_t sum)
{
    return (int32_t)((uint32_t)sum + (uint32_t)((int16_t)(a & 0xffffu) * ((int32_t)b >> 16)));
}

HELIA_INLINE int32_t helia_smlatt(uint32_t a, uint32_t b, int32_t sum)
{
    return (int32_t)((uint32_t)sum + (uint32_t)(((int32_t)a >> 16) * ((int32_t)b >> 16)));
}

/* sum + the products of the lower and of the upper halves; wraps. */
HELIA_INLINE int32_t helia_smlad(uint32_t a, uint32_t b, int32_t sum)
{
#if defined(__ARM_FEATURE_DSP)
    return __smlad((int16x2_t)a, (int16x2_t)b, sum);
#else
    const int32_t low = (int16_t)(a & 0xffffu) * (int16_t)(b & 0xffffu);
    const int32_t high = (int16_t)(a >> 16) * (int16_t)(b >> 16);
    return (int32_t)((uint32_t)sum + (uint32_t)low + (uint32_t)high);
#endif
}

/* To the range of int8. */
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion" /* inside gcc's __ssat */
#endif
HELIA_INLINE int32_t helia_ssat8(int32_t x)
{
#if defined(__ARM_FEATURE_DSP)
    return __ssat(x, 8);
#else
    return x < INT8_MIN ? INT8_MIN : x > INT8_MAX ? INT8_MAX : x;
#endif
}
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* The upper 32 bits of the product. */
HELIA_INLINE int32_t helia_mul_high(int32_t a, int32_t b)
{
    return (int32_t)(((int64_t)a * b) >> 32);
}

/* The short requantisation of channels for which it is proven exact: (a * m / 2^32 + c - (a < 0 ? n : 0)) / 2^r, each
 * quotient rounded down, as int8. What a, m, c, r and n are: the kernels' headers. */
HELIA_INLINE int32_t helia_short_requantize(int32_t a, int32_t m, int32_t c, int32_t r, int32_t n)
{
    const int32_t y = (int32_t)((uint32_t)helia_mul_high(a, m) + (uint32_t)c) - ((a >> 31) & n);
    return helia_ssat8(y >> r);
}

HELIA_INLINE void helia_store4(int8_t *p, uint32_t v)
{
    memcpy(p, &v, 4);
}

/* Bytes 0 and 2 as two int16; bytes 1 and 3 with helia_sxtb16_high. */
HELIA_INLINE uint32_t helia_sxtb16(uint32_t x)
{
#if defined(__ARM_FEATURE_DSP)
    return (uint32_t)__sxtb16((int8x4_t)x);
#else
    return (uint32_t)(uint16_t)(int8_t)(x & 0xffu) | (uint32_t)(uint16_t)(int8_t)(x >> 16 & 0xffu) << 16;
#endif
}

HELIA_INLINE uint32_t helia_sxtb16_high(uint32_t x)
{
#if defined(__ARM_FEATURE_DSP) && defined(__GNUC__) /* gcc does not fold the rotation into its intrinsic */
    uint32_t y;
    __asm__("sxtb16 %0, %1, ror #8" : "=r"(y) : "r"(x));
    return y;
#else
    return helia_sxtb16(x >> 8 | x << 24);
#endif
}

/* Two int16 sums, each of 16 bits: bytes 0 and 2 of x are added; bytes 1 and 3 with helia_sxtab16_high. */
HELIA_INLINE uint32_t helia_sxtab16(uint32_t sums, uint32_t x)
{
#if defined(__ARM_FEATURE_DSP)
    return (uint32_t)__sxtab16((int16x2_t)sums, (int8x4_t)x);
#else
    uint32_t y = helia_sxtb16(x);
    return ((sums + y) & UINT32_C(0xffff)) | ((sums & UINT32_C(0xffff0000)) + (y & UINT32_C(0xffff0000)));
#endif
}

HELIA_INLINE uint32_t helia_sxtab16_high(uint32_t sums, uint32_t x)
{
#if defined(__ARM_FEATURE_DSP) && defined(__GNUC__)
    uint32_t y;
    __asm__("sxtab16 %0, %1, %2, ror #8" : "=r"(y) : "r"(sums), "r"(x));
    return y;
#else
    return helia_sxtab16(sums, x >> 8 | x << 24);
#endif
}

/* The larger of each of four int8. */
HELIA_INLINE uint32_t helia_max4(uint32_t a, uint32_t b)
{
#if defined(__ARM_FEATURE_DSP)
    (void)__ssub8((int8x4_t)a, (int8x4_t)b);
    return (uint32_t)__sel((uint8x4_t)a, (uint8x4_t)b);
#else
    uint32_t y = 0;
    for (int32_t i = 0; i < 32; i += 8) {
        uint32_t u = a >> i & 0xffu, v = b >> i & 0xffu;
        y |= ((int8_t)u > (int8_t)v ? u : v) << i;
    }
    return y;
#endif
}

/* Two int16 at a time, each modulo 2^16. */
HELIA_INLINE uint32_t helia_sadd16(uint32_t a, uint32_t b)
{
#if defined(__ARM_FEATURE_DSP)
    return (uint32_t)__sadd16((int16x2_t)a, (int16x2_t)b);
#else
    return ((a + b) & 0xffffu) | ((a & 0xffff0000u) + (b & 0xffff0000u));
#endif
}

HELIA_INLINE uint32_t helia_ssub16(uint32_t a, uint32_t b)
{
#if defined(__ARM_FEATURE_DSP)
    return (uint32_t)__ssub16((int16x2_t)a, (int16x2_t)b);
#else
    return ((a - b) & 0xffffu) | ((a & 0xffff0000u) - (b & 0xffff0000u));
#endif
}

#endif
