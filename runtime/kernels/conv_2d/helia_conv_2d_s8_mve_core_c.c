/* The inner loops of helia_conv_2d_s8_mve in portable C, on the same stream (little-endian): what a module for a core
 * with MVE runs elsewhere. */
#include "helia_conv_2d_s8_mve.h"

#include "helia_mve.h"

#if !defined(__ARM_FEATURE_MVE)

static int32_t dot(int32_t acc, const int8_t *w, const int8_t *x)
{
    for (int32_t i = 0; i < 16; i++)
        acc = helia_wrap_add(acc, w[i] * x[i]);
    return acc;
}

static void requantize(int32_t acc[4][2], const uint32_t *record, int8_t *out, const helia_conv_2d_s8_mve_loops *loops)
{
    for (int32_t i = 0; i < 8; i++)
        out[loops->offsets[i]] = helia_mve_requantize(helia_wrap_add(acc[i / 2][i % 2], (int32_t)record[i % 2]),
                                                      (int32_t)record[2 + i % 2], (int32_t)record[4 + i % 2],
                                                      loops->out_zero);
}

static void groups(const int8_t *windows, const uint32_t *stream, int8_t *out, const helia_conv_2d_s8_mve_loops *loops)
{
    const int32_t chunks = loops->chunks + 1;
    for (int32_t g = 0; g < loops->groups; g++, windows += loops->in_advance, out += loops->out_advance) {
        const uint32_t *s = stream;
        for (int32_t n = 0; n < loops->pairs; n++, s += 8 * chunks + 6, out += 2) {
            const int8_t *w = (const int8_t *)s;
            int32_t acc[4][2] = {{0}};
            for (int32_t i = 0; i < 8; i++)
                for (int32_t c = 0; c < chunks; c++)
                    acc[i / 2][i % 2] = dot(acc[i / 2][i % 2], w + 32 * c + 16 * (i % 2),
                                            windows + 64 * c + i / 2 * (c ? 16 : loops->step));
            requantize(acc, s + 8 * chunks, out, loops);
        }
    }
}

static void columns(const int8_t *const *column, const uint32_t *stream, int8_t *out,
                    const helia_conv_2d_s8_mve_loops *loops)
{
    const int32_t triples = loops->chunks + 1;
    for (int32_t n = 0; n < loops->pairs; n++, stream += 24 * triples + 6, out += 2) {
        const int8_t *w = (const int8_t *)stream;
        int32_t acc[4][2] = {{0}};
        for (int32_t i = 0; i < 8; i++)
            for (int32_t c = 0; c < 3 * triples; c++)
                acc[i / 2][i % 2] = dot(acc[i / 2][i % 2], w + 32 * c + 16 * (i % 2),
                                        column[c / 3] + 16 * (i / 2 + c % 3));
        requantize(acc, stream + 24 * triples, out, loops);
    }
}

void helia_conv_2d_s8_mve_core_relu(const int8_t *windows, const uint32_t *stream, int8_t *out,
                                    const helia_conv_2d_s8_mve_loops *loops)
{
    groups(windows, stream, out, loops);
}

void helia_conv_2d_s8_mve_core_linear(const int8_t *windows, const uint32_t *stream, int8_t *out,
                                      const helia_conv_2d_s8_mve_loops *loops)
{
    groups(windows, stream, out, loops);
}

void helia_conv_2d_s8_mve_columns_relu(const int8_t *const *column, const uint32_t *stream, int8_t *out,
                                       const helia_conv_2d_s8_mve_loops *loops)
{
    columns(column, stream, out, loops);
}

void helia_conv_2d_s8_mve_columns_linear(const int8_t *const *column, const uint32_t *stream, int8_t *out,
                                         const helia_conv_2d_s8_mve_loops *loops)
{
    columns(column, stream, out, loops);
}

#else
typedef int helia_conv_2d_s8_mve_core_c_is_elsewhere; /* helia_conv_2d_s8_mve_core.c */
#endif
