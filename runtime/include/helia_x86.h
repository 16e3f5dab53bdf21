/* The vector operations of kernels for x86-64, with the same meaning at every level of the instruction set. The
 * compiler's own macros choose: AVX-512 with VNNI, AVX2, SSE4.1, or portable C, which also serves other machines.
 *
 * Sums are 16 int32, a lane each, and wrap. Products are of an unsigned and a signed byte, as VPDPBUSD has them: kernels
 * pass inputs plus 128 (helia_x86_flip) and have the difference in the biases. Weights lie as 16 lanes of 4 bytes.
 *
 * Behind the weights of 16 channels stands their record, HELIA_X86_RECORD words:
 *   bias[16], multiplier[16], right[16]    right is n - 1, where n is the right shift, 1 to 31
 *   rounding[16]                           64 bits each, lanes 0, 2, ... 14, then 1, 3, ... 15
 *
 * Requantisation. The reference rounds a * m / 2^31, m in [2^30, 2^31) or 0, to the nearest integer x, halves up, and
 * then x / 2^n, halves away from zero. Both are floors: x = floor((a * m + 2^30) / 2^31), and the result is
 * floor((x + 2^(n - 1) - [x < 0]) / 2^n) for n >= 1. A floor of a floor's quotient is one floor of all:
 *   floor((a * m + 2^30 + 2^(n + 30) - [x < 0] * 2^31) / 2^(n + 31))
 * Nothing of it leaves 64 bits: |a * m| < 2^62. rounding is 2^30 + 2^(n + 30), and the quotient is the upper word shifted
 * by n - 1, once more a floor of a floor. [x < 0] may be taken as [a < 0]: the two differ only where a * m is in
 * [-2^30, 0), that is a = -1 and m = 2^30, or m = 0 and a < 0; there a * m + 2^30 is in [0, 2^30], and with n >= 1 the
 * numerator stays in [0, 2^(n + 31)) with 2^31 subtracted or not. A result below 0 that an activation replaces by its
 * lower bound anyway (`relu`: the bound is at or above the output's zero point) needs no [x < 0] at all: without it the
 * numerator of a negative a is below 2^(n + 31), so the result is at most 0. */
#ifndef HELIA_X86_H
#define HELIA_X86_H

#include "helia_dsp.h"
#include "helia_math.h"

#if defined(__SSE4_1__)
#include <immintrin.h>
#endif
#if defined(__AVX512VNNI__) && defined(__AVX512VL__) && defined(__AVX512BW__) && defined(__AVX512DQ__)
#define HELIA_X86_AVX512
#elif defined(__AVX2__)
#define HELIA_X86_AVX2
#elif defined(__SSE4_1__)
#define HELIA_X86_SSE41
#endif

enum { HELIA_X86_LANES = 16, HELIA_X86_RECORD = 5 * HELIA_X86_LANES };

/* How many sums the registers hold beside weights and inputs. */
#if defined(HELIA_X86_AVX512)
enum { HELIA_X86_SUMS = 16 };
#elif defined(HELIA_X86_AVX2)
enum { HELIA_X86_SUMS = 4 };
#else
enum { HELIA_X86_SUMS = 1 };
#endif

typedef struct helia_x86_sums {
#if defined(HELIA_X86_AVX512)
    __m512i all;
#elif defined(HELIA_X86_AVX2)
    __m256i part[2];
#elif defined(HELIA_X86_SSE41)
    __m128i part[4];
#else
    int32_t lane[16];
#endif
} helia_x86_sums;

/* Without VNNI: bytes 0 and 2 of each lane as two int16, and bytes 1 and 3. */
typedef struct helia_x86_weights {
#if defined(HELIA_X86_AVX512)
    __m512i all;
#elif defined(HELIA_X86_AVX2)
    __m256i even[2], odd[2];
#elif defined(HELIA_X86_SSE41)
    __m128i even[4], odd[4];
#else
    const int8_t *byte;
#endif
} helia_x86_weights;

/* What an operator's outputs have in common. */
typedef struct helia_x86_range {
    int32_t out_zero, relu, min, max;
} helia_x86_range;

/* ---- bytes ------------------------------------------------------------------------------------- */
/* x + 128 of n bytes. */
HELIA_INLINE void helia_x86_flip(uint8_t *dst, const int8_t *src, int32_t n)
{
    int32_t i = 0;
#if defined(HELIA_X86_AVX512)
    for (; i + 64 <= n; i += 64)
        _mm512_storeu_si512(dst + i, _mm512_xor_si512(_mm512_loadu_si512(src + i), _mm512_set1_epi8(-128)));
#endif
#if defined(__SSE4_1__)
    for (; i + 16 <= n; i += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(src + i));
        _mm_storeu_si128((__m128i *)(void *)(dst + i), _mm_xor_si128(x, _mm_set1_epi8(-128)));
    }
#endif
    for (; i < n; i++)
        dst[i] = (uint8_t)(src[i] + 128);
}

/* Bytes of four rows in turn, plus 128: dst[4 * i + k] = row k's byte i. */
HELIA_INLINE void helia_x86_interleave(uint8_t *dst, const int8_t *const row[4], int32_t n)
{
    int32_t i = 0;
#if defined(HELIA_X86_AVX512)
    /* Halves of words are joined within 16 bytes; then those are put in order. */
    for (; i + 64 <= n; i += 64) {
        __m512i x[4], low[2], high[2], y[4];
        for (int32_t k = 0; k < 4; k++)
            x[k] = _mm512_xor_si512(_mm512_loadu_si512(row[k] + i), _mm512_set1_epi8(-128));
        for (int32_t k = 0; k < 2; k++) {
            low[k] = _mm512_unpacklo_epi8(x[2 * k], x[2 * k + 1]);
            high[k] = _mm512_unpackhi_epi8(x[2 * k], x[2 * k + 1]);
        }
        x[0] = _mm512_unpacklo_epi16(low[0], low[1]);
        x[1] = _mm512_unpackhi_epi16(low[0], low[1]);
        x[2] = _mm512_unpacklo_epi16(high[0], high[1]);
        x[3] = _mm512_unpackhi_epi16(high[0], high[1]);
        for (int32_t k = 0; k < 2; k++) {
            y[k] = _mm512_shuffle_i32x4(x[2 * k], x[2 * k + 1], 0x44);
            y[2 + k] = _mm512_shuffle_i32x4(x[2 * k], x[2 * k + 1], 0xee);
        }
        for (int32_t k = 0; k < 2; k++) {
            _mm512_storeu_si512(dst + 4 * i + 128 * k, _mm512_shuffle_i32x4(y[2 * k], y[2 * k + 1], 0x88));
            _mm512_storeu_si512(dst + 4 * i + 128 * k + 64, _mm512_shuffle_i32x4(y[2 * k], y[2 * k + 1], 0xdd));
        }
    }
#endif
#if defined(__SSE4_1__)
    for (; i + 16 <= n; i += 16) {
        __m128i x[4], low[2], high[2], *to = (__m128i *)(void *)(dst + 4 * i);
        for (int32_t k = 0; k < 4; k++)
            x[k] = _mm_xor_si128(_mm_loadu_si128((const __m128i *)(const void *)(row[k] + i)), _mm_set1_epi8(-128));
        for (int32_t k = 0; k < 2; k++) {
            low[k] = _mm_unpacklo_epi8(x[2 * k], x[2 * k + 1]);
            high[k] = _mm_unpackhi_epi8(x[2 * k], x[2 * k + 1]);
        }
        _mm_storeu_si128(to, _mm_unpacklo_epi16(low[0], low[1]));
        _mm_storeu_si128(to + 1, _mm_unpackhi_epi16(low[0], low[1]));
        _mm_storeu_si128(to + 2, _mm_unpacklo_epi16(high[0], high[1]));
        _mm_storeu_si128(to + 3, _mm_unpackhi_epi16(high[0], high[1]));
    }
#endif
    for (; i < n; i++)
        for (int32_t k = 0; k < 4; k++)
            dst[4 * i + k] = (uint8_t)(row[k][i] + 128);
}

/* ---- sums of products --------------------------------------------------------------------------- */
HELIA_INLINE helia_x86_sums helia_x86_bias(const uint32_t *record)
{
    helia_x86_sums s;
#if defined(HELIA_X86_AVX512)
    s.all = _mm512_loadu_si512(record);
#elif defined(HELIA_X86_AVX2)
    for (int32_t i = 0; i < 2; i++)
        s.part[i] = _mm256_loadu_si256((const __m256i *)(const void *)(record + 8 * i));
#elif defined(HELIA_X86_SSE41)
    for (int32_t i = 0; i < 4; i++)
        s.part[i] = _mm_loadu_si128((const __m128i *)(const void *)(record + 4 * i));
#else
    for (int32_t i = 0; i < 16; i++)
        s.lane[i] = (int32_t)record[i];
#endif
    return s;
}

HELIA_INLINE helia_x86_sums helia_x86_zero(void)
{
    static const uint32_t zeros[HELIA_X86_LANES] = {0};
    return helia_x86_bias(zeros);
}

/* A signed byte to each of n <= 16 lanes. */
HELIA_INLINE void helia_x86_add(helia_x86_sums *s, const int8_t *bytes, int32_t n)
{
#if defined(HELIA_X86_AVX512) || defined(HELIA_X86_AVX2)
    __m128i x;
    if (n == HELIA_X86_LANES) {
        x = _mm_loadu_si128((const __m128i *)(const void *)bytes);
    } else {
        int8_t some[HELIA_X86_LANES] = {0};
        memcpy(some, bytes, (size_t)n);
        x = _mm_loadu_si128((const __m128i *)(const void *)some);
    }
#if defined(HELIA_X86_AVX512)
    s->all = _mm512_add_epi32(s->all, _mm512_cvtepi8_epi32(x));
#else
    s->part[0] = _mm256_add_epi32(s->part[0], _mm256_cvtepi8_epi32(x));
    s->part[1] = _mm256_add_epi32(s->part[1], _mm256_cvtepi8_epi32(_mm_unpackhi_epi64(x, x)));
#endif
#else
    int32_t lane[HELIA_X86_LANES];
    memcpy(lane, s, sizeof(lane));
    for (int32_t i = 0; i < n; i++)
        lane[i] += bytes[i];
    memcpy(s, lane, sizeof(lane));
#endif
}

HELIA_INLINE helia_x86_weights helia_x86_load_weights(const uint32_t *at)
{
    helia_x86_weights w;
#if defined(HELIA_X86_AVX512)
    w.all = _mm512_loadu_si512(at);
#elif defined(HELIA_X86_AVX2)
    for (int32_t i = 0; i < 2; i++) {
        __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)(at + 8 * i));
        w.even[i] = _mm256_srai_epi16(_mm256_slli_epi16(x, 8), 8);
        w.odd[i] = _mm256_srai_epi16(x, 8);
    }
#elif defined(HELIA_X86_SSE41)
    for (int32_t i = 0; i < 4; i++) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(at + 4 * i));
        w.even[i] = _mm_srai_epi16(_mm_slli_epi16(x, 8), 8);
        w.odd[i] = _mm_srai_epi16(x, 8);
    }
#else
    w.byte = (const int8_t *)at;
#endif
    return w;
}

#if defined(HELIA_X86_AVX512)
/* In place. gcc's intrinsic lets a loop's sums move from register to register, one move for each product. */
HELIA_INLINE void helia_x86_dpbusd(helia_x86_sums *s, __m512i x, __m512i w)
{
#if defined(__GNUC__)
    __asm__("vpdpbusd %2, %1, %0" : "+v"(s->all) : "v"(x), "vm"(w));
#else
    s->all = _mm512_dpbusd_epi32(s->all, x, w);
#endif
}
#endif

/* To each lane the products of its four weights with the same four inputs. */
HELIA_INLINE void helia_x86_dot_all(helia_x86_sums *s, const helia_x86_weights *w, const uint8_t *four)
{
#if defined(__SSE4_1__)
    int32_t x;
    memcpy(&x, four, 4);
#endif
#if defined(HELIA_X86_AVX512)
    helia_x86_dpbusd(s, _mm512_set1_epi32(x), w->all);
#elif defined(HELIA_X86_AVX2)
    const __m256i low = _mm256_set1_epi16(255), even = _mm256_and_si256(_mm256_set1_epi32(x), low);
    const __m256i odd = _mm256_srli_epi16(_mm256_set1_epi32(x), 8);
    for (int32_t i = 0; i < 2; i++)
        s->part[i] = _mm256_add_epi32(
            s->part[i], _mm256_add_epi32(_mm256_madd_epi16(even, w->even[i]), _mm256_madd_epi16(odd, w->odd[i])));
#elif defined(HELIA_X86_SSE41)
    const __m128i low = _mm_set1_epi16(255), even = _mm_and_si128(_mm_set1_epi32(x), low);
    const __m128i odd = _mm_srli_epi16(_mm_set1_epi32(x), 8);
    for (int32_t i = 0; i < 4; i++)
        s->part[i] = _mm_add_epi32(s->part[i],
                                   _mm_add_epi32(_mm_madd_epi16(even, w->even[i]), _mm_madd_epi16(odd, w->odd[i])));
#else
    const int8_t *b = w->byte;
    for (int32_t i = 0; i < HELIA_X86_LANES; i++, b += 4)
        s->lane[i] = helia_wrap_add(s->lane[i], four[0] * b[0] + four[1] * b[1] + four[2] * b[2] + four[3] * b[3]);
#endif
}

/* To each lane the products of its four weights with its own four inputs, 64 bytes in all. */
HELIA_INLINE void helia_x86_dot_each(helia_x86_sums *s, const helia_x86_weights *w, const uint8_t *inputs)
{
#if defined(HELIA_X86_AVX512)
    helia_x86_dpbusd(s, _mm512_loadu_si512(inputs), w->all);
#elif defined(HELIA_X86_AVX2)
    for (int32_t i = 0; i < 2; i++) {
        const __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)(inputs + 32 * i));
        const __m256i even = _mm256_and_si256(x, _mm256_set1_epi16(255)), odd = _mm256_srli_epi16(x, 8);
        s->part[i] = _mm256_add_epi32(
            s->part[i], _mm256_add_epi32(_mm256_madd_epi16(even, w->even[i]), _mm256_madd_epi16(odd, w->odd[i])));
    }
#elif defined(HELIA_X86_SSE41)
    for (int32_t i = 0; i < 4; i++) {
        const __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(inputs + 16 * i));
        const __m128i even = _mm_and_si128(x, _mm_set1_epi16(255)), odd = _mm_srli_epi16(x, 8);
        s->part[i] = _mm_add_epi32(s->part[i],
                                   _mm_add_epi32(_mm_madd_epi16(even, w->even[i]), _mm_madd_epi16(odd, w->odd[i])));
    }
#else
    const int8_t *b = w->byte;
    for (int32_t i = 0; i < HELIA_X86_LANES; i++, b += 4, inputs += 4)
        s->lane[i] = helia_wrap_add(s->lane[i],
                                    inputs[0] * b[0] + inputs[1] * b[1] + inputs[2] * b[2] + inputs[3] * b[3]);
#endif
}

/* ---- requantisation ------------------------------------------------------------------------------ */
#if defined(HELIA_X86_AVX512)
HELIA_INLINE __m128i helia_x86_bytes(const helia_x86_range *r, helia_x86_sums s, const uint32_t *record)
{
    const __m512i m = _mm512_loadu_si512(record + 16), half = _mm512_set1_epi64(INT64_C(1) << 31);
    __m512i even = _mm512_mul_epi32(s.all, m);
    __m512i odd = _mm512_mul_epi32(_mm512_srli_epi64(s.all, 32), _mm512_srli_epi64(m, 32));
    if (!r->relu) {
        even = _mm512_mask_sub_epi64(even, _mm512_movepi64_mask(even), even, half);
        odd = _mm512_mask_sub_epi64(odd, _mm512_movepi64_mask(odd), odd, half);
    }
    even = _mm512_add_epi64(even, _mm512_loadu_si512(record + 48));
    odd = _mm512_add_epi64(odd, _mm512_loadu_si512(record + 64));
    const __m512i upper = _mm512_mask_shuffle_epi32(odd, 0x5555, even, _MM_PERM_CDAB);
    const __m512i y = _mm512_srav_epi32(upper, _mm512_loadu_si512(record + 32));
    return _mm512_cvtsepi32_epi8(_mm512_add_epi32(y, _mm512_set1_epi32(r->out_zero)));
}
#elif defined(HELIA_X86_AVX2)
HELIA_INLINE __m256i helia_x86_words(const helia_x86_range *r, __m256i a, const uint32_t *record, int32_t part)
{
    const __m256i m = _mm256_loadu_si256((const __m256i *)(const void *)(record + 16 + 8 * part));
    __m256i even = _mm256_mul_epi32(a, m);
    __m256i odd = _mm256_mul_epi32(_mm256_srli_epi64(a, 32), _mm256_srli_epi64(m, 32));
    if (!r->relu) {
        const __m256i zero = _mm256_setzero_si256();
        even = _mm256_add_epi64(even, _mm256_slli_epi64(_mm256_cmpgt_epi64(zero, even), 31));
        odd = _mm256_add_epi64(odd, _mm256_slli_epi64(_mm256_cmpgt_epi64(zero, odd), 31));
    }
    even = _mm256_add_epi64(even, _mm256_loadu_si256((const __m256i *)(const void *)(record + 48 + 8 * part)));
    odd = _mm256_add_epi64(odd, _mm256_loadu_si256((const __m256i *)(const void *)(record + 64 + 8 * part)));
    const __m256i upper = _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa);
    return _mm256_srav_epi32(upper, _mm256_loadu_si256((const __m256i *)(const void *)(record + 32 + 8 * part)));
}

/* Values plus zero point saturate to 16 bits on the way to 8, which changes nothing. */
HELIA_INLINE __m128i helia_x86_bytes(const helia_x86_range *r, helia_x86_sums s, const uint32_t *record)
{
    const __m256i y = _mm256_permute4x64_epi64(
        _mm256_packs_epi32(helia_x86_words(r, s.part[0], record, 0), helia_x86_words(r, s.part[1], record, 1)), 0xd8);
    const __m256i z = _mm256_adds_epi16(y, _mm256_set1_epi16((int16_t)r->out_zero));
    return _mm_packs_epi16(_mm256_castsi256_si128(z), _mm256_extracti128_si256(z, 1));
}
#endif

/* The outputs of n <= 16 lanes. */
HELIA_INLINE void helia_x86_store(const helia_x86_range *r, helia_x86_sums s, const uint32_t *record, int8_t *out,
                                  int32_t n)
{
#if defined(HELIA_X86_AVX512) || defined(HELIA_X86_AVX2)
    int8_t bytes[16];
    __m128i y = helia_x86_bytes(r, s, record);
    if (r->min > INT8_MIN)
        y = _mm_max_epi8(y, _mm_set1_epi8((int8_t)r->min));
    if (r->max < INT8_MAX)
        y = _mm_min_epi8(y, _mm_set1_epi8((int8_t)r->max));
    if (n == HELIA_X86_LANES) {
        _mm_storeu_si128((__m128i *)(void *)out, y);
    } else {
        _mm_storeu_si128((__m128i *)(void *)bytes, y);
        memcpy(out, bytes, (size_t)n);
    }
#else
    int32_t a[HELIA_X86_LANES];
    memcpy(a, &s, sizeof(a));
    for (int32_t i = 0; i < n; i++) {
        int32_t y = helia_requantize(a[i], (int32_t)record[16 + i], -1 - (int32_t)record[32 + i]);
        out[i] = (int8_t)helia_clamp(y + r->out_zero, r->min, r->max);
    }
#endif
}

#endif
