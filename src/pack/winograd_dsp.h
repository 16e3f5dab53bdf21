/* CONV_2D 3x3 by Winograd for cores with the DSP extension: see helia_conv_2d_s8_winograd_dsp.h. */
#ifndef PACK_WINOGRAD_DSP_H
#define PACK_WINOGRAD_DSP_H

#include "pack/dsp.h"

/* Of a node with a WindowLayer as facts. */
const char *winograd_dsp_fits(const HeliaOpContext *c, const AirNode *n);
bool winograd_dsp_prepare(const HeliaOpContext *c, AirNode *n);
bool winograd_dsp_emit(struct HeliaEmitter *e, const AirNode *n);

#endif
