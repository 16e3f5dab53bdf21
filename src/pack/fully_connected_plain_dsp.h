/* FULLY_CONNECTED for cores with the DSP extension, whatever the weights: see helia_fully_connected_s8_plain_dsp.h. */
#ifndef PACK_FULLY_CONNECTED_PLAIN_DSP_H
#define PACK_FULLY_CONNECTED_PLAIN_DSP_H

#include "pack/pack.h"

/* Of a node with a DenseLayer as facts. */
const char *fully_connected_plain_dsp_fits(const HeliaOpContext *c, const AirNode *n);
bool fully_connected_plain_dsp_prepare(const HeliaOpContext *c, AirNode *n);
bool fully_connected_plain_dsp_emit(struct HeliaEmitter *e, const AirNode *n);

#endif
