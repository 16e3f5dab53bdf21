/* The vector operations that kernels for MVE use outside assembly, with the same meaning on every machine. Nothing but
 * the bytes named is read or written. */
#ifndef HELIA_MVE_H
#define HELIA_MVE_H

#include "helia_dsp.h"
#include "helia_math.h"

#if defined(__ARM_FEATURE_MVE)
#include <arm_mve.h>
#endif

/* 16 bytes. */
HELIA_INLINE void helia_copy16(int8_t *dst, const int8_t *src)
{
#if defined(__ARM_FEATURE_MVE)
    vst1q_s8(dst, vld1q_s8(src));
#else
    memcpy(dst, src, 16);
#endif
}

/* n < 16 bytes; zeros behind them up to 16. */
HELIA_INLINE void helia_copy_padded(int8_t *dst, const int8_t *src, int32_t n)
{
#if defined(__ARM_FEATURE_MVE)
    vst1q_s8(dst, vldrbq_z_s8(src, vctp8q((uint32_t)n)));
#else
    memset(dst, 0, 16);
    memcpy(dst, src, (size_t)n);
#endif
}

/* Any number of bytes. */
HELIA_INLINE void helia_copy_bytes(int8_t *dst, const int8_t *src, int32_t n)
{
#if defined(__ARM_FEATURE_MVE)
    for (; n >= 16; n -= 16, dst += 16, src += 16)
        vst1q_s8(dst, vld1q_s8(src));
    if (n > 0) {
        mve_pred16_t some = vctp8q((uint32_t)n);
        vstrbq_p_s8(dst, vldrbq_z_s8(src, some), some);
    }
#else
    memcpy(dst, src, (size_t)n);
#endif
}

HELIA_INLINE void helia_fill_bytes(int8_t *dst, int32_t value, int32_t n)
{
#if defined(__ARM_FEATURE_MVE)
    int8x16_t v = vdupq_n_s8((int8_t)value);
    for (; n >= 16; n -= 16, dst += 16)
        vst1q_s8(dst, v);
    if (n > 0)
        vstrbq_p_s8(dst, v, vctp8q((uint32_t)n));
#else
    memset(dst, value, (size_t)n);
#endif
}

/* Bytes of four rows in turn; dst has room for n rounded up to a multiple of 16, times 4. */
HELIA_INLINE void helia_interleave4(int8_t *dst, const int8_t *a, const int8_t *b, const int8_t *c, const int8_t *d,
                                    int32_t n)
{
#if defined(__ARM_FEATURE_MVE)
    int8x16x4_t rows;
    int32_t i = 0;
    for (; i < n / 16 * 16; i += 16) {
        rows.val[0] = vld1q_s8(a + i);
        rows.val[1] = vld1q_s8(b + i);
        rows.val[2] = vld1q_s8(c + i);
        rows.val[3] = vld1q_s8(d + i);
        vst4q_s8(dst + 4 * i, rows);
    }
    if (i < n) {
        mve_pred16_t some = vctp8q((uint32_t)(n - i));
        rows.val[0] = vldrbq_z_s8(a + i, some);
        rows.val[1] = vldrbq_z_s8(b + i, some);
        rows.val[2] = vldrbq_z_s8(c + i, some);
        rows.val[3] = vldrbq_z_s8(d + i, some);
        vst4q_s8(dst + 4 * i, rows);
    }
#else
    for (int32_t i = 0; i < n; i++) {
        dst[4 * i] = a[i];
        dst[4 * i + 1] = b[i];
        dst[4 * i + 2] = c[i];
        dst[4 * i + 3] = d[i];
    }
#endif
}

#if defined(__ARM_FEATURE_MVE)
/* Every fourth element of four vectors (r0: 0, 4, 8, 12; r1: 1, 5, 9, 13; and so on) as int8, zero added; saturated. */
HELIA_INLINE int8x16_t helia_mve_narrow(int32x4_t r0, int32x4_t r1, int32x4_t r2, int32x4_t r3, int32_t zero)
{
    int16x8_t even = vqmovntq_s32(vqmovnbq_s32(vreinterpretq_s16_s32(r0), r0), r2);
    int16x8_t odd = vqmovntq_s32(vqmovnbq_s32(vreinterpretq_s16_s32(r1), r1), r3);
    even = vqaddq_n_s16(even, (int16_t)zero);
    odd = vqaddq_n_s16(odd, (int16_t)zero);
    return vqmovntq_s16(vqmovnbq_s16(vreinterpretq_s8_s16(even), even), odd);
}

HELIA_INLINE int8x16_t helia_mve_clamp(int8x16_t x, int32_t min, int32_t max)
{
    if (min > INT8_MIN)
        x = vmaxq_s8(x, vdupq_n_s8((int8_t)min));
    return max < INT8_MAX ? vminq_s8(x, vdupq_n_s8((int8_t)max)) : x;
}
#endif

/* An activation's range, where it is narrower than int8. */
HELIA_INLINE void helia_clamp_bytes(int8_t *x, int32_t n, int32_t min, int32_t max)
{
    if (min <= INT8_MIN && max >= INT8_MAX)
        return;
#if defined(__ARM_FEATURE_MVE)
    int8x16_t low = vdupq_n_s8((int8_t)min), high = vdupq_n_s8((int8_t)max);
    for (; n > 0; n -= 16, x += 16) {
        mve_pred16_t some = vctp8q((uint32_t)n);
        vstrbq_p_s8(x, vminq_s8(vmaxq_s8(vldrbq_z_s8(x, some), low), high), some);
    }
#else
    for (int32_t i = 0; i < n; i++)
        x[i] = (int8_t)helia_clamp(x[i], min, max);
#endif
}

/* What the kernels' requantisation comes to, one accumulator at a time; shift is at most 0. */
static inline int8_t helia_mve_requantize(int32_t acc, int32_t multiplier, int32_t shift, int32_t out_zero)
{
    return (int8_t)helia_clamp(helia_wrap_add(helia_requantize(acc, multiplier, shift), out_zero), INT8_MIN, INT8_MAX);
}

#endif
