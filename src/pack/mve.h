/* Constants for kernels of MVE: requantisation with the reference's multipliers and shifts. */
#ifndef PACK_MVE_H
#define PACK_MVE_H

#include "pack/pack.h"

/* Of padded constants and working memory: their sizes and positions are 32 bits. */
enum { MVE_MOST_BYTES = 1 << 30 };

/* One output channel as a kernel sees it. */
typedef struct MveChannel {
    int32_t bias; /* with the input's zero point folded in; wraps as the reference's sums do */
    int32_t multiplier, shift;
} MveChannel;

/* The channel with `taps` weights, the k-th at weights[k * step]. */
MveChannel mve_channel(const AirNode *n, const int8_t *weights, int32_t taps, int32_t step, int32_t bias, double scale);
/* m and shift as helia_requantize takes them, shift at most -1 where mve_scale_misfit agrees. */
void mve_multiplier(double scale, int32_t *multiplier, int32_t *shift);
/* NULL, or why the kernels cannot have the scale: a shift of at most -1 is proven to stay within 32 bits. */
const char *mve_scale_misfit(HeliaArena *arena, double scale);

#endif
