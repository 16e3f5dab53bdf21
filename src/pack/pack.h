/* What the packers of all cores share: the channels' scales and biases, and the arguments of a packed kernel. */
#ifndef PACK_PACK_H
#define PACK_PACK_H

#include "op/weights.h"

/* The scale of channel c: scale_in * scale_w[c] / scale_out in double. */
double channel_scale(const AirNode *n, int32_t channel);
int32_t channel_bias(const AirNode *n, int32_t channel); /* 0 where there is none */
/* input, the constant of `count` words that the packer made, output. */
void pack_args(const HeliaOpContext *c, AirNode *n, const char *name, const uint32_t *words, int32_t count);

/* Of padded constants and working memory: their sizes and positions are 32 bits. */
enum { PACK_MOST_BYTES = 1 << 30 };

/* One output channel of a kernel that requantises with the reference's multipliers and shifts. */
typedef struct PackedChannel {
    int32_t bias; /* with the input's zero point folded in; wraps as the reference's sums do */
    int32_t multiplier, shift;
} PackedChannel;

/* The channel with `taps` weights, the k-th at weights[k * step], for inputs whose zero point is in_zero. */
PackedChannel packed_channel(const int8_t *weights, int32_t taps, int32_t step, int32_t in_zero, int32_t bias,
                             double scale);
/* m and shift as helia_requantize takes them, shift at most -1 where packed_scale_misfit agrees. */
void packed_multiplier(double scale, int32_t *multiplier, int32_t *shift);
/* NULL, or why the kernels cannot have the scale: a shift of at most -1 is proven to stay within 32 bits. */
const char *packed_scale_misfit(HeliaArena *arena, double scale);
const char *packed_scales_misfit(HeliaArena *arena, const AirNode *n, int32_t channels); /* of all channels */

#endif
