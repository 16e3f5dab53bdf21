/* The body of helia_add_s8_x86, inline so that an operator's constants can reach it. */
#ifndef HELIA_ADD_S8_X86_BODY_H
#define HELIA_ADD_S8_X86_BODY_H

#include "helia_add_s8_dsp_body.h"
#include "helia_add_s8_x86.h"

#if defined(__AVX2__)
#include <immintrin.h>

/* The same two int16 in all lanes: the upper halves of the factors, and what is left of them. */
typedef struct helia_add_s8_x86_factors {
    __m256i high, low_a, low_b;
} helia_add_s8_x86_factors;

HELIA_INLINE helia_add_s8_x86_factors helia_add_s8_x86_split(const helia_add_s8_dsp_params *p)
{
    const int32_t high_a = (p->factor_a + 0x8000) >> 16, high_b = (p->factor_b + 0x8000) >> 16;
    helia_add_s8_x86_factors f;
    f.high = _mm256_set1_epi32((int32_t)((uint32_t)high_b << 16 | (uint32_t)high_a));
    f.low_a = _mm256_set1_epi16((int16_t)(p->factor_a - high_a * 0x10000));
    f.low_b = _mm256_set1_epi16((int16_t)(p->factor_b - high_b * 0x10000));
    return f;
}

/* Eight results before the zero point's clamp; ab and low: the operands and their lower terms, in turn. */
HELIA_INLINE __m256i helia_add_s8_x86_eight(const helia_add_s8_dsp_params *p, const helia_add_s8_x86_factors *f,
                                            __m256i ab, __m256i low)
{
    const __m256i upper = _mm256_slli_epi32(_mm256_madd_epi16(ab, f->high), 8);
    const __m256i lower = _mm256_madd_epi16(low, _mm256_set1_epi16(1));
    __m256i t = _mm256_add_epi32(_mm256_add_epi32(upper, lower), _mm256_set1_epi32(p->base));
    if (p->halves)
        t = _mm256_add_epi32(_mm256_add_epi32(t, _mm256_srai_epi32(t, 31)), _mm256_set1_epi32(p->bias));
    return _mm256_srai_epi32(t, p->shift);
}

HELIA_INLINE __m128i helia_add_s8_x86_sixteen(const helia_add_s8_dsp_params *p, const helia_add_s8_x86_factors *f,
                                              __m128i x, __m128i y)
{
    const __m256i a = _mm256_cvtepi8_epi16(x), b = _mm256_cvtepi8_epi16(y);
    const __m256i low_a = _mm256_mulhi_epi16(_mm256_slli_epi16(a, 8), f->low_a);
    const __m256i low_b = _mm256_mulhi_epi16(_mm256_slli_epi16(b, 8), f->low_b);
    const __m256i first = helia_add_s8_x86_eight(p, f, _mm256_unpacklo_epi16(a, b),
                                                 _mm256_unpacklo_epi16(low_a, low_b));
    const __m256i second = helia_add_s8_x86_eight(p, f, _mm256_unpackhi_epi16(a, b),
                                                  _mm256_unpackhi_epi16(low_a, low_b));
    const __m256i both = _mm256_packs_epi32(first, second); /* in order: the unpacked halves were those of each lane */
    __m128i sum = _mm_packs_epi16(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
    if (p->min > INT8_MIN)
        sum = _mm_max_epi8(sum, _mm_set1_epi8((int8_t)p->min));
    if (p->max < INT8_MAX)
        sum = _mm_min_epi8(sum, _mm_set1_epi8((int8_t)p->max));
    return sum;
}
#endif

/* n elements; an operand is walked or its first element repeated. */
HELIA_INLINE void helia_add_s8_x86_row(const helia_add_s8_dsp_params *p, const int8_t *a, int32_t step_a,
                                       const int8_t *b, int32_t step_b, int8_t *out, int32_t n)
{
#if defined(__AVX2__)
    if (p->factor_a < HELIA_ADD_S8_X86_FACTORS && p->factor_b < HELIA_ADD_S8_X86_FACTORS) {
        const helia_add_s8_x86_factors f = helia_add_s8_x86_split(p);
        for (; n >= 16; n -= 16, a += 16 * step_a, b += 16 * step_b, out += 16) {
            const __m128i x = step_a ? _mm_loadu_si128((const __m128i *)(const void *)a) : _mm_set1_epi8(*a);
            const __m128i y = step_b ? _mm_loadu_si128((const __m128i *)(const void *)b) : _mm_set1_epi8(*b);
            _mm_storeu_si128((__m128i *)(void *)out, helia_add_s8_x86_sixteen(p, &f, x, y));
        }
    }
#endif
    helia_add_s8_dsp_row(p, a, step_a, b, step_b, out, n);
}

HELIA_INLINE void helia_add_s8_x86_body(const helia_add_s8_dsp_params *p, const int8_t *a, const int8_t *b, int8_t *out)
{
    const int32_t last = p->shape.rank - 1, n = p->shape.dim[last];
    helia_broadcast_at at = {0};
    if (n == 0)
        return;
    do {
        helia_add_s8_x86_row(p, a + at.a, p->shape.stride_a[last], b + at.b, p->shape.stride_b[last], out, n);
        out += n;
    } while (helia_broadcast_next(&p->shape, &at));
}

#endif
