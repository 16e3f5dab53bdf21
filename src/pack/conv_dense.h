/* CONV_2D of one or two output pixels as FULLY_CONNECTED: where a window is a run of the input, the kernels of the matrix
 * product take it, and need no groups of pixels. */
#ifndef PACK_CONV_DENSE_H
#define PACK_CONV_DENSE_H

#include <helia_aot/op.h>

/* Of a node with a WindowLayer as facts. */
const char *conv_dense_mve_fits(const HeliaOpContext *c, const AirNode *n);
const char *conv_dense_dsp_fits(const HeliaOpContext *c, const AirNode *n);
bool conv_dense_mve_prepare(const HeliaOpContext *c, AirNode *n);
bool conv_dense_dsp_prepare(const HeliaOpContext *c, AirNode *n);

#endif
