/* What the packers of all cores share: the channels' scales and biases, and the arguments of a packed kernel. */
#ifndef PACK_PACK_H
#define PACK_PACK_H

#include "op/weights.h"

/* The scale of channel c: scale_in * scale_w[c] / scale_out in double. */
double channel_scale(const AirNode *n, int32_t channel);
int32_t channel_bias(const AirNode *n, int32_t channel); /* 0 where there is none */
/* input, the constant of `count` words that the packer made, output. */
void pack_args(const HeliaOpContext *c, AirNode *n, const char *name, const uint32_t *words, int32_t count);

#endif
