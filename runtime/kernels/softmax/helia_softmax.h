/* SOFTMAX over the last dimension. */
#ifndef HELIA_SOFTMAX_H
#define HELIA_SOFTMAX_H

#include <stddef.h>
#include <stdint.h>

/* int8 -> int8, output scale 1/256 and zero point -128. The difference to the row's maximum, times the input scale and
 * beta, becomes Q5 by multiplier and a left shift; differences below diff_min count as 0. */
typedef struct helia_softmax_s8_params {
    int32_t rows, depth;
    int32_t multiplier, shift;
    int32_t diff_min;
} helia_softmax_s8_params;

/* int16 -> int16, output scale 1/32768. The difference to the row's maximum times multiplier and shift is in units of
 * 10 / 65535. */
typedef struct helia_softmax_s16_params {
    int32_t rows, depth;
    int32_t multiplier, shift;
} helia_softmax_s16_params;

typedef struct helia_softmax_f32_params {
    int32_t rows, depth;
    float beta;
} helia_softmax_f32_params;

void helia_softmax_s8_c(const helia_softmax_s8_params *p, const int8_t *restrict in, int8_t *restrict out);
/* The same with output scale 1/65536 and zero point -32768. */
void helia_softmax_s8_s16_c(const helia_softmax_s8_params *p, const int8_t *restrict in, int16_t *restrict out);

/* The int8 result with working memory for exponentials, so that none is computed twice. */
void helia_softmax_s8_once_c(const helia_softmax_s8_params *p, const int8_t *restrict in, int8_t *restrict out,
                             void *scratch);

/* Differences to the maximum that count. */
static inline int32_t helia_softmax_s8_differences(const helia_softmax_s8_params *p)
{
    return p->diff_min < -255 ? 256 : 1 - p->diff_min;
}

/* Whether there are more elements than those: then exponentials are computed for them, else for the elements. */
static inline int32_t helia_softmax_s8_shares(const helia_softmax_s8_params *p)
{
    return (int64_t)p->rows * p->depth > helia_softmax_s8_differences(p);
}

static inline size_t helia_softmax_s8_once_scratch(const void *params)
{
    const helia_softmax_s8_params *p = params;
    return 4u * (size_t)(helia_softmax_s8_shares(p) ? helia_softmax_s8_differences(p) : p->depth);
}

/* Tables of 513 entries at steps of 128: exp(x) from -10 to 0, and 1 / (1 + x) from 0 to 1, both with 15 fraction bits. */
void helia_softmax_s16_c(const helia_softmax_s16_params *p, const int16_t *restrict in,
                         const int16_t *restrict exponentials, const int16_t *restrict reciprocals,
                         int16_t *restrict out);
void helia_softmax_f32_c(const helia_softmax_f32_params *p, const float *restrict in, float *restrict out);

#endif
