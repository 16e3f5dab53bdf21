/* CONV_2D for cores with MVE: see helia_conv_2d_s8_mve.h. */
#ifndef PACK_CONV_MVE_H
#define PACK_CONV_MVE_H

#include "helia_conv_window.h"
#include "pack/pack.h"

/* Of a node with a WindowLayer as facts. */
const char *conv_mve_fits(const HeliaOpContext *c, const AirNode *n);
bool conv_mve_prepare(const HeliaOpContext *c, AirNode *n);
bool conv_mve_emit(struct HeliaEmitter *e, const AirNode *n);

#endif
