/* The built-in graph transforms, in the order in which they run. */
#ifndef PASSES_PASS_H
#define PASSES_PASS_H

#include <helia_aot/registry.h>

bool passes_register(HeliaRegistryContext *context);

#endif
