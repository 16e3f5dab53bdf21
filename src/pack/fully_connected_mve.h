/* FULLY_CONNECTED for cores with MVE: see helia_fully_connected_s8_mve.h. */
#ifndef PACK_FULLY_CONNECTED_MVE_H
#define PACK_FULLY_CONNECTED_MVE_H

#include "pack/mve.h"

/* scale: of all channels where the weights have one; else each channel's own is taken. */
const char *fully_connected_mve_fits(const HeliaOpContext *c, const AirNode *n, double scale);
bool fully_connected_mve_prepare(const HeliaOpContext *c, AirNode *n, double scale, int32_t min, int32_t max);
bool fully_connected_mve_emit(struct HeliaEmitter *e, const AirNode *n);

#endif
