/* The table of built-in transforms. The order of the rows is the order of execution. */
#include "passes/pass.h"

#include "passes/passes_int.h"

/* prune_identity_ops runs last: the others leave identities behind. */
static const HeliaTransform table[] = {
    {"fold_static_shape_expressions", "computes at compile time what depends on shapes and constants only",
     fold_static_shape_expressions, NULL},
    {"fold_dequantized_weights", "expands constant weights that are stored in a shorter form", fold_dequantized_weights,
     NULL},
    {"depthwise_to_conv", "depthwise convolutions of one input channel become plain ones", depthwise_to_conv, NULL},
    {"fold_batch_scale", "scales and shifts behind a float layer move into its weights and bias, where permitted",
     fold_batch_scale, NULL},
    {"fuse_pad", "zeros around the input of a convolution become its own padding", fuse_pad, NULL},
    {"fuse_activation", "a RELU behind an operator that can clamp becomes part of it", fuse_activation, NULL},
    {"prune_identity_ops", "removes reshapes, pads and requantisations that change nothing", prune_identity_ops, NULL},
};

bool passes_register(HeliaRegistryContext *context)
{
    bool ok = true;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        ok = helia_registry_register(context->transforms, table[i].name, &table[i], false) && ok;
    return ok;
}
