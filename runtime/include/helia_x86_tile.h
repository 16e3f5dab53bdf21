/* Matrix products for x86-64: pixels, of which each is `rows` runs of bytes, times channels in panels.
 *
 * A panel is 1, 2 or 4 blocks of 16 channels, the most that divide their number. Stream, 32-bit words:
 *   16 words for each four bytes of a pixel and block, [bytes][block][channel], a word being four weights of one channel
 *   the record of each block
 * A run is a whole number of four bytes; weights for what is behind its end are 0, as are those of channels behind the
 * last. */
#ifndef HELIA_X86_TILE_H
#define HELIA_X86_TILE_H

#include "helia_x86.h"

typedef struct helia_x86_product {
    helia_x86_range range;
    int32_t channels;
    int32_t rows, fours; /* runs of a pixel, each of so many times four bytes */
    int32_t line;        /* bytes from one run to the next */
    int32_t step;        /* bytes from one pixel to the next */
} helia_x86_product;

/* Of 16 channels in a panel. */
static inline int32_t helia_x86_blocks(int32_t channels)
{
    int32_t blocks = (channels + HELIA_X86_LANES - 1) / HELIA_X86_LANES;
    return blocks % 4 == 0 ? 4 : blocks % 2 == 0 ? 2 : 1;
}

/* Words of the stream for one panel; `fours` of all runs together. */
static inline int32_t helia_x86_panel(int32_t blocks, int32_t fours)
{
    return blocks * (fours * HELIA_X86_LANES + HELIA_X86_RECORD);
}

/* One panel of `of` blocks for `pixels` pixels: the `blocks` blocks from `first` on. The three counts are constants, and
 * the loops over them unrolled, so that all sums are in registers. */
HELIA_INLINE void helia_x86_tile(const helia_x86_product *p, int32_t pixels, int32_t blocks, int32_t of,
                                 const uint8_t *in, const uint32_t *stream, int32_t first, int8_t *out, int32_t left)
{
    const uint32_t *record = stream + p->rows * p->fours * of * HELIA_X86_LANES + first * HELIA_X86_RECORD;
    helia_x86_sums sums[HELIA_X86_SUMS];
    HELIA_UNROLL(16)
    for (int32_t i = 0; i < pixels; i++)
        HELIA_UNROLL(4)
    for (int32_t b = 0; b < blocks; b++)
        sums[i * blocks + b] = helia_x86_bias(record + b * HELIA_X86_RECORD);
    stream += first * HELIA_X86_LANES;
    for (int32_t r = 0; r < p->rows; r++) {
        const uint8_t *x = in + r * p->line;
        for (int32_t k = 0; k < p->fours; k++, x += 4, stream += of * HELIA_X86_LANES) {
            helia_x86_weights w[4];
            HELIA_UNROLL(4)
            for (int32_t b = 0; b < blocks; b++)
                w[b] = helia_x86_load_weights(stream + b * HELIA_X86_LANES);
            HELIA_UNROLL(16)
            for (int32_t i = 0; i < pixels; i++)
                HELIA_UNROLL(4)
            for (int32_t b = 0; b < blocks; b++)
                helia_x86_dot_all(&sums[i * blocks + b], &w[b], x + i * p->step);
        }
    }
    HELIA_UNROLL(16)
    for (int32_t i = 0; i < pixels; i++)
        HELIA_UNROLL(4)
    for (int32_t b = 0; b < blocks; b++)
        helia_x86_store(&p->range, sums[i * blocks + b], record + b * HELIA_X86_RECORD,
                        out + i * p->channels + b * HELIA_X86_LANES,
                        helia_min(left - b * HELIA_X86_LANES, HELIA_X86_LANES));
}

/* All blocks of a panel for n pixels. A tile for many pixels that are left overlaps the one before it. */
HELIA_INLINE void helia_x86_pixels(const helia_x86_product *p, int32_t blocks, int32_t of, const uint8_t *in, int32_t n,
                                   const uint32_t *stream, int32_t first, int8_t *out, int32_t left)
{
    const int32_t tile = HELIA_X86_SUMS / blocks, whole = n > tile && n % tile > tile / 2 ? n / tile + 1 : n / tile;
    for (int32_t i = 0; i < whole; i++) {
        const int32_t at = helia_min(i * tile, n - tile);
        helia_x86_tile(p, tile, blocks, of, in + at * p->step, stream, first, out + at * p->channels, left);
    }
    for (int32_t i = whole * tile; i < n; i++)
        helia_x86_tile(p, 1, blocks, of, in + i * p->step, stream, first, out + i * p->channels, left);
}

/* n pixels, all channels. in has 3 readable bytes behind the last run. */
HELIA_INLINE void helia_x86_multiply(const helia_x86_product *p, const uint8_t *in, int32_t n, const uint32_t *stream,
                                     int8_t *out)
{
    const int32_t blocks = helia_x86_blocks(p->channels);
    const int32_t panel = helia_x86_panel(blocks, p->rows * p->fours);
    for (int32_t c = 0; c < p->channels; c += blocks * HELIA_X86_LANES, stream += panel) {
#if defined(HELIA_X86_AVX512)
        if (blocks == 4)
            helia_x86_pixels(p, 4, 4, in, n, stream, 0, out + c, p->channels - c);
        else if (blocks == 2)
            helia_x86_pixels(p, 2, 2, in, n, stream, 0, out + c, p->channels - c);
        else
            helia_x86_pixels(p, 1, 1, in, n, stream, 0, out + c, p->channels - c);
#else
        for (int32_t b = 0; b < blocks; b++)
            helia_x86_pixels(p, 1, blocks, in, n, stream, b, out + c + b * HELIA_X86_LANES,
                             p->channels - c - b * HELIA_X86_LANES);
#endif
    }
}

#endif
