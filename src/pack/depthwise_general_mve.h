/* DEPTHWISE_CONV_2D of any shape for cores with MVE: see helia_depthwise_conv_2d_s8_general_mve.h. */
#ifndef PACK_DEPTHWISE_GENERAL_MVE_H
#define PACK_DEPTHWISE_GENERAL_MVE_H

#include "pack/pack.h"

/* Of a node with a WindowLayer as facts. */
const char *depthwise_general_mve_fits(const HeliaOpContext *c, const AirNode *n);
bool depthwise_general_mve_prepare(const HeliaOpContext *c, AirNode *n);
bool depthwise_general_mve_emit(struct HeliaEmitter *e, const AirNode *n);

#endif
