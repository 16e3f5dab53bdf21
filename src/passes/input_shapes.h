/* model.input_shapes: sizes of graph inputs that the file leaves open. */
#ifndef PASSES_INPUT_SHAPES_H
#define PASSES_INPUT_SHAPES_H

#include <helia_aot/registry.h>
#include "config/config.h"

/* Gives the inputs their shapes and infers those behind them as far as they are known before the transforms. False after
 * reporting what contradicts the file. */
bool input_shapes_apply(const HeliaOpContext *c, const HeliaRegistryContext *registry, const LitertSubgraph *file,
                        const ConfigShapes *shapes);

#endif
