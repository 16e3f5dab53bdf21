/* CONV_2D for x86-64: see helia_conv_2d_s8_x86.h. */
#ifndef PACK_CONV_X86_H
#define PACK_CONV_X86_H

#include "pack/pack.h"

const char *conv_x86_fits(const HeliaOpContext *c, const AirNode *n);
bool conv_x86_prepare(const HeliaOpContext *c, AirNode *n);
bool conv_x86_emit(struct HeliaEmitter *e, const AirNode *n);

#endif
