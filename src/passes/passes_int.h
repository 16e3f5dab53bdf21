/* What the files of this folder share: the run functions of the table, and helpers of theirs. */
#ifndef PASSES_PASSES_INT_H
#define PASSES_PASSES_INT_H

#include <helia_aot/registry.h>

#define RUN(name) bool name(const HeliaTransform *self, const HeliaOpContext *c, const HeliaRegistryContext *registry)
RUN(depthwise_to_conv);
RUN(fold_batch_scale);
RUN(fold_dequantized_weights);
RUN(fold_static_shape_expressions);
RUN(fuse_activation);
RUN(fuse_pad);
RUN(prune_identity_ops);
#undef RUN

/* An integer among a node's options, by the field's name; NULL: its class has none. */
int32_t *pass_option(const HeliaRegistryContext *registry, const AirNode *n, const char *name);
/* The same of a list; at: NULL where its class has none. */
typedef struct PassInts {
    int32_t *at; /* AIR_MAX_RANK of them */
    uint32_t *n;
} PassInts;
PassInts pass_option_ints(const HeliaRegistryContext *registry, const AirNode *n, const char *name);
bool pass_is_graph_output(const AirGraph *g, const AirTensor *t);
/* The node that makes t, where it makes nothing else and one other node alone reads it; else NULL. */
AirNode *pass_only_for(const AirGraph *g, const AirTensor *t);
bool pass_inputs_are_constant(const AirNode *n);

/* Evaluation at compile time with the portable kernels. Nobody hears what goes wrong: Resolve reports it. */
typedef struct PassEval {
    HeliaOpContext context;
    const HeliaRegistryContext *registry;
} PassEval;
PassEval pass_eval(const HeliaOpContext *c, const HeliaRegistryContext *registry);
/* Whether the operator turns out to hand on its input's bytes as they are. */
bool pass_is_view(const PassEval *e, AirNode *n);
/* Runs every node that `wanted` accepts, which has its class and the shapes of its outputs by then, makes its outputs
 * constants and removes it. */
void pass_fold(const PassEval *e, bool (*wanted)(const AirGraph *g, const AirNode *n));

#endif
