/* CONV_2D for cores with the DSP extension: see helia_conv_2d_s8_dsp.h. */
#ifndef PACK_CONV_DSP_H
#define PACK_CONV_DSP_H

#include "helia_conv_window.h"
#include "pack/dsp.h"

/* Of a node with a WindowLayer as facts. */
const char *conv_dsp_fits(const HeliaOpContext *c, const AirNode *n);
bool conv_dsp_prepare(const HeliaOpContext *c, AirNode *n);
bool conv_dsp_emit(struct HeliaEmitter *e, const AirNode *n);

#endif
