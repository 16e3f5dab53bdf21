/* Operators that copy their first argument to their second, as it is. */
#ifndef OP_COPY_H
#define OP_COPY_H

#include <helia_aot/emit.h>

bool copy_emit(HeliaEmitter *e, const AirNode *n);
bool copy_eval(HeliaEval *v, const AirNode *n);

#endif
