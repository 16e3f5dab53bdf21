/* The inner loops of helia_depthwise_conv_2d_s8_mve in portable C, on the same records (little-endian): what a module
 * for a core with MVE runs elsewhere. */
#include "helia_depthwise_conv_2d_s8_mve.h"

#include "helia_mve.h"

#if !defined(__ARM_FEATURE_MVE)

/* The weights at row y and column x of a patch. */
static int32_t sum(const int8_t *patch, const helia_depthwise_mve_loops *loops, const int8_t *weights, int32_t y,
                   int32_t x)
{
    int32_t acc = 0;
    for (int32_t i = 0; i < 16; i++)
        acc += patch[loops->columns[i / 4] + (uint32_t)(i % 4)] * weights[i - 4 * x - y];
    return acc;
}

enum { MARGIN = 5 }; /* zeros before the weights of a patch */

/* The weights of a record as those of a patch, with zeros around them. */
static void place(const uint32_t *record, int32_t compact, int8_t *weights)
{
    const int8_t *bytes = compact ? (const int8_t *)record + 9 : (const int8_t *)(record - 4);
    for (int32_t i = 0; i < MARGIN + 16; i++)
        weights[i] = 0;
    for (int32_t i = 0; i < 9; i++)
        weights[MARGIN + i % 3 * 4 + i / 3] = bytes[compact ? i : i % 3 * 4 + i / 3];
}

static void visit(const int8_t *bands, const uint32_t *records, int8_t *out, const helia_depthwise_mve_loops *loops,
                  int32_t s1, int32_t compact)
{
    const int32_t step = compact ? HELIA_DEPTHWISE_MVE_COMPACT : HELIA_DEPTHWISE_MVE_RECORD;
    for (int32_t c = 0; c < loops->channels; c++, bands += 4, out++, records += step) {
        int8_t placed[MARGIN + 16], *weights = placed + MARGIN;
        place(records, compact, placed);
        const int32_t *list = loops->list;
        for (const helia_depthwise_mve_phase *phase = loops->phases; phase->blocks; phase++) {
            for (int32_t b = 0; b < phase->blocks; b++, list += s1 ? 3 : 9) {
                int8_t *at = out + list[s1 ? 1 : 2];
                for (int32_t i = 0; i < 8; i++) {
                    const int8_t *patch = bands + list[s1 ? i / 4 * 2 : i < 2 ? i : i + 1];
                    int32_t acc = sum(patch, loops, weights, s1 ? i % 2 : 0, s1 ? i / 2 % 2 : 0);
                    at[phase->offsets[i]] = helia_mve_requantize(helia_wrap_add(acc, (int32_t)records[0]),
                                                                 (int32_t)records[1], (int8_t)records[2],
                                                                 loops->out_zero);
                }
            }
        }
    }
}

void helia_depthwise_mve_s1_relu(const int8_t *bands, const uint32_t *records, int8_t *out,
                                 const helia_depthwise_mve_loops *loops)
{
    visit(bands, records, out, loops, 1, 0);
}

void helia_depthwise_mve_s1_linear(const int8_t *bands, const uint32_t *records, int8_t *out,
                                   const helia_depthwise_mve_loops *loops)
{
    visit(bands, records, out, loops, 1, 0);
}

void helia_depthwise_mve_s2_relu(const int8_t *bands, const uint32_t *records, int8_t *out,
                                 const helia_depthwise_mve_loops *loops)
{
    visit(bands, records, out, loops, 0, 0);
}

void helia_depthwise_mve_s2_linear(const int8_t *bands, const uint32_t *records, int8_t *out,
                                   const helia_depthwise_mve_loops *loops)
{
    visit(bands, records, out, loops, 0, 0);
}

void helia_depthwise_mve_s1_compact_relu(const int8_t *bands, const uint32_t *records, int8_t *out,
                                         const helia_depthwise_mve_loops *loops)
{
    visit(bands, records, out, loops, 1, 1);
}

void helia_depthwise_mve_s1_compact_linear(const int8_t *bands, const uint32_t *records, int8_t *out,
                                           const helia_depthwise_mve_loops *loops)
{
    visit(bands, records, out, loops, 1, 1);
}

void helia_depthwise_mve_s2_compact_relu(const int8_t *bands, const uint32_t *records, int8_t *out,
                                         const helia_depthwise_mve_loops *loops)
{
    visit(bands, records, out, loops, 0, 1);
}

void helia_depthwise_mve_s2_compact_linear(const int8_t *bands, const uint32_t *records, int8_t *out,
                                           const helia_depthwise_mve_loops *loops)
{
    visit(bands, records, out, loops, 0, 1);
}

#else
typedef int helia_depthwise_conv_2d_s8_mve_core_c_is_elsewhere; /* helia_depthwise_conv_2d_s8_mve_core.c */
#endif
