/* ADD and SUB for cores with the DSP extension: see helia_add_s8_dsp.h. */
#ifndef PACK_ADD_DSP_H
#define PACK_ADD_DSP_H

#include <helia_aot/op.h>

#include "helia_add_s8_dsp.h"
#include "helia_binary.h"

/* The reference's parameters as the linear form's, without the shape; false where none give the same results. */
bool add_dsp_linear(HeliaArena *arena, const helia_add_params *reference, bool subtract, helia_add_s8_dsp_params *out);
bool add_dsp_emit(struct HeliaEmitter *e, const AirNode *n);

#endif
