/* FULLY_CONNECTED for cores with the DSP extension, whatever the weights: see helia_fully_connected_s8_plain_dsp.h. */
#ifndef PACK_FULLY_CONNECTED_PLAIN_DSP_H
#define PACK_FULLY_CONNECTED_PLAIN_DSP_H

#include "helia_fully_connected_s8_plain_dsp.h"
#include "pack/pack.h"

/* Of a node with a DenseLayer as facts. */
const char *fully_connected_plain_dsp_fits(const HeliaOpContext *c, const AirNode *n);
bool fully_connected_plain_dsp_prepare(const HeliaOpContext *c, AirNode *n);
bool fully_connected_plain_dsp_emit(struct HeliaEmitter *e, const AirNode *n);

/* What convolutions share with it. NULL, or that the stream is too large. */
const char *fully_connected_plain_dsp_size_misfit(int64_t depth, int64_t units);
/* Checks the scales, packs the weights as `layers` streams, each of p->units of the weights, and sets the arguments; p's depth,
 * units, weights_zero and per_channel count. */
bool fully_connected_plain_dsp_stream(const HeliaOpContext *c, AirNode *n,
                                      const helia_fully_connected_s8_plain_dsp_params *p, int32_t layers);

#endif
