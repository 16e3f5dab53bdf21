/* What CONCATENATION and PACK share: nodes whose params are an array with an entry an input. */
#ifndef OP_CONCATENATION_H
#define OP_CONCATENATION_H

#include <helia_aot/emit.h>

bool concatenation_emit(HeliaEmitter *e, const AirNode *n);
bool concatenation_eval(HeliaEval *v, const AirNode *n);
bool concatenation_part(const AirNode *n, uint32_t i, HeliaPart *part);

#endif
