/* int8 FULLY_CONNECTED for cores with the DSP extension: one row of input against four units (A, B, C, D) at a time.
 *
 * The row stands in scratch as int16, words of four bytes as the pairs (0, 2) and (1, 3), with zeros up to a multiple of
 * eight elements. Stream, 32-bit words for each four units (a last incomplete four has units of zeros):
 *   256 * bias A + bias B, bias B, 256 * bias C + bias D, bias D     the input's zero point is folded in
 *   256 * weight A + weight B, 256 * weight C + weight D             two int16 each, for each pair of the row
 *   per channel only: m, c, R of A, B, C, D
 * Sums and requantisation are those of helia_conv_2d_s8_dsp.h, with n = 128 throughout (every right shift is at least 1). */
#ifndef HELIA_FULLY_CONNECTED_S8_DSP_H
#define HELIA_FULLY_CONNECTED_S8_DSP_H

#include <stddef.h>
#include <stdint.h>

typedef struct helia_fully_connected_s8_dsp_params {
    int32_t rows, depth, units; /* in [rows][depth], out [rows][units] */
    int32_t relu;               /* the activation's lower bound is at or above the output's zero point */
    int32_t per_channel;
    int32_t m, c, r;  /* where all units have the same scale */
    int32_t min, max; /* the fused activation's range */
} helia_fully_connected_s8_dsp_params;

static inline int32_t helia_fully_connected_s8_dsp_steps(const helia_fully_connected_s8_dsp_params *p)
{
    return (p->depth + 7) / 8;
}

/* Words of the stream for four units. */
static inline int32_t helia_fully_connected_s8_dsp_words(const helia_fully_connected_s8_dsp_params *p)
{
    return 4 + helia_fully_connected_s8_dsp_steps(p) * 8 + (p->per_channel ? 12 : 0);
}

/* The row, and the results of a last incomplete four. */
static inline size_t helia_fully_connected_s8_dsp_scratch(const void *params)
{
    return (size_t)helia_fully_connected_s8_dsp_steps((const helia_fully_connected_s8_dsp_params *)params) * 16u + 4u;
}

/* scratch is aligned to 4. */
void helia_fully_connected_s8_dsp(const helia_fully_connected_s8_dsp_params *p, const int8_t *in,
                                  const uint32_t *stream, int8_t *out, void *scratch);

/* ---- the inner loops --------------------------------------------------------------------------- */
typedef struct helia_fully_connected_dsp_loops {
    int32_t fours;   /* offset 0: groups of four units, at least 1 */
    int32_t steps;   /* 4: of eight elements, at least 1 */
    int32_t m, c, r; /* 8 */
} helia_fully_connected_dsp_loops;

typedef void helia_fully_connected_dsp_core(const uint32_t *row, const uint32_t *stream, int8_t *out,
                                            const helia_fully_connected_dsp_loops *loops);
helia_fully_connected_dsp_core helia_fully_connected_dsp_one_relu, helia_fully_connected_dsp_one_linear,
    helia_fully_connected_dsp_each_relu, helia_fully_connected_dsp_each_linear;

#endif
