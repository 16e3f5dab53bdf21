/* CONV_2D for cores with MVE: see helia_conv_2d_s8_mve.h. */
#ifndef PACK_CONV_MVE_H
#define PACK_CONV_MVE_H

#include "helia_conv_window.h"
#include "pack/pack.h"

/* Of a node with a WindowLayer as facts. */
const char *conv_mve_fits(const HeliaOpContext *c, const AirNode *n);
bool conv_mve_prepare(const HeliaOpContext *c, AirNode *n);
bool conv_mve_emit(struct HeliaEmitter *e, const AirNode *n);

/* What layers with groups share with it. NULL, or why the core cannot have the output channels. */
const char *conv_mve_channels_misfit(const HeliaOpContext *c, const AirNode *n, int32_t out_c);
/* The stream of w's output channels, which are those from `first` on of the weights. */
void conv_mve_pack(const HeliaOpContext *c, const AirNode *n, const helia_conv_window *w, bool shares_columns,
                   int32_t first, uint32_t *words);

#endif
