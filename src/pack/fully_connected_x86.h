/* FULLY_CONNECTED for x86-64: see helia_fully_connected_s8_x86.h. */
#ifndef PACK_FULLY_CONNECTED_X86_H
#define PACK_FULLY_CONNECTED_X86_H

#include "pack/pack.h"

const char *fully_connected_x86_fits(const HeliaOpContext *c, const AirNode *n);
bool fully_connected_x86_prepare(const HeliaOpContext *c, AirNode *n);
bool fully_connected_x86_emit(struct HeliaEmitter *e, const AirNode *n);

#endif
