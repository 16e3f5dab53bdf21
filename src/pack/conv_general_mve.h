/* CONV_2D with groups or dilated columns, for cores with MVE: see helia_conv_2d_s8_general_mve.h. */
#ifndef PACK_CONV_GENERAL_MVE_H
#define PACK_CONV_GENERAL_MVE_H

#include "pack/pack.h"

/* Of a node with a WindowLayer as facts. */
const char *conv_general_mve_fits(const HeliaOpContext *c, const AirNode *n);
bool conv_general_mve_prepare(const HeliaOpContext *c, AirNode *n);
bool conv_general_mve_emit(struct HeliaEmitter *e, const AirNode *n);

#endif
