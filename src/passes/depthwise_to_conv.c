/* depthwise_to_conv: a depthwise convolution of an input with one channel is a plain convolution.
 *
 *     x [1x96x96x1] -> DEPTHWISE_CONV_2D, weights [1x3x3x8] -> y [1x48x48x8]
 *     x [1x96x96x1] -> CONV_2D, weights [8x3x3x1]           -> y [1x48x48x8]
 *
 * Each output channel sums the same products in the same order, so results keep their bits. Which operators can be
 * written so their class knows (to_conv). */
#include "passes/passes_int.h"

#include <string.h>

static size_t field_size(const HeliaField *f)
{
    return f->kind == HELIA_FIELD_BOOL    ? sizeof(bool)
           : f->kind == HELIA_FIELD_FLOAT ? sizeof(float)
           : f->kind == HELIA_FIELD_INTS  ? AIR_MAX_RANK * sizeof(int32_t)
                                          : sizeof(int32_t);
}

/* Options of another class with the values of all fields that both have under one name and kind. */
static void *convert_options(HeliaArena *arena, const HeliaOptionsClass *from, const void *options,
                             const HeliaOptionsClass *to)
{
    char *result = helia_alloc(arena, 1, to->size);
    for (uint32_t i = 0; i < to->n_fields; i++) {
        const HeliaField *t = &to->fields[i];
        for (uint32_t k = 0; k < from->n_fields; k++) {
            const HeliaField *f = &from->fields[k];
            if (t->kind != f->kind || strcmp(t->name, f->name) != 0)
                continue;
            memcpy(result + t->offset, (const char *)options + f->offset, field_size(t));
            if (t->kind == HELIA_FIELD_INTS)
                memcpy(result + t->count_offset, (const char *)options + f->count_offset, sizeof(uint32_t));
        }
    }
    return result;
}

bool depthwise_to_conv(const HeliaTransform *self, const HeliaOpContext *c, const HeliaRegistryContext *registry)
{
    (void)self;
    static const char key[] = "CONV_2D";
    const HeliaOptionsClass *conv = helia_registry_get(registry->air_options, key);
    for (uint32_t i = 0; conv && i < c->graph->nodes.len; i++) {
        AirNode *n = c->graph->nodes.at[i];
        const HeliaOpClass *op = helia_registry_get(registry->aot_operator_classes, n->op_type);
        const HeliaOptionsClass *options = helia_registry_get(registry->air_options, n->op_type);
        if (!op || !op->to_conv || !options || !op->to_conv(c, n))
            continue;
        n->options = convert_options(c->arena, options, n->options, conv);
        n->op_type = key;
    }
    air_rebuild_uses(c->graph);
    return true;
}
