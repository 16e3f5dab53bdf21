/* What the files of this folder share: the run functions of the table. */
#ifndef PASSES_PASSES_INT_H
#define PASSES_PASSES_INT_H

#include <helia_aot/registry.h>

bool depthwise_to_conv(const HeliaTransform *self, const HeliaOpContext *c, const HeliaRegistryContext *registry);
bool fold_static_shape_expressions(const HeliaTransform *self, const HeliaOpContext *c,
                                   const HeliaRegistryContext *registry);
bool prune_identity_ops(const HeliaTransform *self, const HeliaOpContext *c, const HeliaRegistryContext *registry);

#endif
