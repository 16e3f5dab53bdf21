/* Functions that come from outside (of plug-ins, say) and fail without a word. */
#ifndef SUPPORT_BLAME_H
#define SUPPORT_BLAME_H

#include <helia_aot/support.h>

/* What such a function returned; where it is false and nothing was reported since there were `before` errors, that is an
 * error of `what`: "the transform shrink". */
static inline bool blame(HeliaDiag *diag, bool ok, uint32_t before, HeliaLoc at, const char *what)
{
    if (!ok && helia_diag_errors(diag) == before && helia_diag_fatals(diag) == 0)
        helia_error(diag, at, "%s failed without saying why; a function that fails reports an error first", what);
    return ok;
}

#endif
