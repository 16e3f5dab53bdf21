/* CONV_2D for cores with the DSP extension, whatever the weights: see helia_conv_2d_s8_plain_dsp.h. */
#ifndef PACK_CONV_PLAIN_DSP_H
#define PACK_CONV_PLAIN_DSP_H

#include "pack/pack.h"

/* Of a node with a WindowLayer as facts. */
const char *conv_plain_dsp_fits(const HeliaOpContext *c, const AirNode *n);
bool conv_plain_dsp_prepare(const HeliaOpContext *c, AirNode *n);
bool conv_plain_dsp_emit(struct HeliaEmitter *e, const AirNode *n);

#endif
