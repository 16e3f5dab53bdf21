/* DEPTHWISE_CONV_2D of any shape for cores with the DSP extension: see helia_depthwise_conv_2d_s8_general_dsp.h. */
#ifndef PACK_DEPTHWISE_GENERAL_DSP_H
#define PACK_DEPTHWISE_GENERAL_DSP_H

#include "pack/dsp.h"

/* Of a node with a WindowLayer as facts. */
const char *depthwise_general_dsp_fits(const HeliaOpContext *c, const AirNode *n);
bool depthwise_general_dsp_prepare(const HeliaOpContext *c, AirNode *n);
bool depthwise_general_dsp_emit(struct HeliaEmitter *e, const AirNode *n);

#endif
