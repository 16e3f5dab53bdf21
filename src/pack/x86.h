/* Constants for kernels of x86-64: see helia_x86.h and helia_x86_tile.h for the layouts. */
#ifndef PACK_X86_H
#define PACK_X86_H

#include "pack/pack.h"

/* Weights [channel][row][byte], as a product reads them. */
typedef struct X86Matrix {
    int32_t channels, rows, run; /* run: bytes of a row */
    const double *scale;         /* of all channels; NULL: each has its own */
} X86Matrix;

/* NULL, or why the packed matrix cannot be. */
const char *x86_matrix_misfit(HeliaArena *arena, const AirNode *n, const X86Matrix *m);
/* The panels of the node's weights, as its second argument. */
void x86_matrix_pack(const HeliaOpContext *c, AirNode *n, const X86Matrix *m);
/* Kernels see inputs plus 128: the channel with that in its bias. */
PackedChannel x86_channel(const AirNode *n, const int8_t *weights, int32_t taps, int32_t step, int32_t channel,
                          double scale);
/* The channel's place in the record of its 16 channels. */
void x86_record_lane(uint32_t *record, int32_t lane, const PackedChannel *channel);

#endif
