/* Constants for kernels of the DSP extension: what the accumulators can reach, and the short exact requantisation. */
#ifndef PACK_DSP_H
#define PACK_DSP_H

#include "pack/pack.h"

/* One output channel as a kernel sees it. */
typedef struct DspChannel {
    bool constant;      /* the output is the same whatever the input: weights count as 0 */
    int32_t bias;       /* with the input's zero point folded in */
    int64_t low, high;  /* what the accumulator can reach */
    int32_t rs;         /* the reference's right shift */
    int32_t k;          /* accumulators are times 2^k */
    int32_t m, c, r, n; /* as the kernel's header says */
} DspChannel;

typedef struct DspLayer {
    int32_t in_zero, out_zero, min, max;
    bool relu; /* the activation's lower bound is at or above the output's zero point */
} DspLayer;
DspLayer dsp_layer(const AirNode *n, int32_t min, int32_t max);

/* The channel with `taps` weights, the k-th at weights[k * step]; k between min_k (at least 2) and 8. NULL, or why the
 * kernel cannot have it. */
const char *dsp_channel(HeliaArena *arena, const DspLayer *layer, const int8_t *weights, int32_t taps, int32_t step,
                        int32_t bias, double scale, int32_t min_k, DspChannel *out);
/* The channel's constants for another k, at least 2 and not above the one it has. */
void dsp_channel_set_k(const DspLayer *layer, int32_t k, DspChannel *channel);
/* The words of a requantisation record: 3 for relu layers, 4 for others. */
uint32_t *dsp_record(const DspLayer *layer, const DspChannel *channel, uint32_t *words);
/* 256 * a + b as int16, or false. */
bool dsp_pair_fits(int32_t a, int32_t b);

#endif
