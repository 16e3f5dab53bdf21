/* DEPTHWISE_CONV_2D 3x3 for cores with MVE: see helia_depthwise_conv_2d_s8_mve.h. */
#ifndef PACK_DEPTHWISE_MVE_H
#define PACK_DEPTHWISE_MVE_H

#include "helia_conv_window.h"
#include "pack/pack.h"

/* Of a node with a WindowLayer as facts. */
const char *depthwise_mve_fits(const HeliaOpContext *c, const AirNode *n);
bool depthwise_mve_prepare(const HeliaOpContext *c, AirNode *n);
const char *depthwise_compact_mve_fits(const HeliaOpContext *c, const AirNode *n);
bool depthwise_compact_mve_prepare(const HeliaOpContext *c, AirNode *n);
bool depthwise_mve_emit(struct HeliaEmitter *e, const AirNode *n);

#endif
