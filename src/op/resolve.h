/* Resolve: classes, shapes, kernels, parameters, scratch. */
#ifndef OP_RESOLVE_H
#define OP_RESOLVE_H

#include <helia_aot/registry.h>

/* Every node gets its class, its name, its kernel, params, args and scratch. False after reporting every problem. */
bool resolve_graph(const HeliaOpContext *c, const HeliaRegistryContext *registry);

/* One node with its class, whose inputs' shapes are known: shape of its outputs, kernel, params, args and scratch. */
bool resolve_alone(const HeliaOpContext *c, const HeliaRegistryContext *registry, AirNode *node);

/* Why a kernel row is not for this node on this target; NULL: it is. */
const char *kernel_misfit(const HeliaOpContext *c, const AirNode *node, const HeliaKernel *kernel);
/* "mve, dsp" of a mask; "none". */
const char *isa_text(HeliaArena *arena, uint32_t isa);

#endif
