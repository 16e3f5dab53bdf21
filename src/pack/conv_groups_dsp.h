/* CONV_2D with groups, for cores with the DSP extension: see helia_conv_2d_s8_groups_dsp.h. */
#ifndef PACK_CONV_GROUPS_DSP_H
#define PACK_CONV_GROUPS_DSP_H

#include "pack/pack.h"

/* Of a node with a WindowLayer as facts. */
const char *conv_groups_dsp_fits(const HeliaOpContext *c, const AirNode *n);
bool conv_groups_dsp_prepare(const HeliaOpContext *c, AirNode *n);
bool conv_groups_dsp_emit(struct HeliaEmitter *e, const AirNode *n);

#endif
