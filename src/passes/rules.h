/* The configuration's rules for transforms against the transforms there are. */
#ifndef PASSES_RULES_H
#define PASSES_RULES_H

#include <helia_aot/registry.h>
#include "config/config.h"

/* A rule for an unknown transform is an error; options that nothing reads are a warning. False after reporting. */
bool transform_rules_check(HeliaArena *arena, HeliaDiag *diag, const Config *config, const HeliaRegistry *transforms);

#endif
