/* FULLY_CONNECTED for cores with MVE: see helia_fully_connected_s8_mve.h. */
#ifndef PACK_FULLY_CONNECTED_MVE_H
#define PACK_FULLY_CONNECTED_MVE_H

#include "pack/pack.h"

/* Of a node with a DenseLayer as facts. */
const char *fully_connected_mve_fits(const HeliaOpContext *c, const AirNode *n);
const char *fully_connected_per_channel_mve_fits(const HeliaOpContext *c, const AirNode *n);
bool fully_connected_mve_prepare(const HeliaOpContext *c, AirNode *n);
bool fully_connected_mve_emit(struct HeliaEmitter *e, const AirNode *n);

#endif
