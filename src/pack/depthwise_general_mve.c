/* DEPTHWISE_CONV_2D of any shape for cores with MVE: the records, and what the kernel may assume of the weights. */
#include "pack/depthwise_general_mve.h"

#include <helia_aot/emit.h>

#include "helia_depthwise_conv_2d_s8_general_mve.h"

const char *depthwise_general_mve_fits(const HeliaOpContext *c, const AirNode *n)
{
    const char *type_misfit = fits_weights_s8(c, n);
    if (type_misfit)
        return type_misfit;
    const helia_conv_window *w = &((const WindowLayer *)n->facts)->window;
    return w->out_c > PACK_MOST_BYTES / 32 ? "there are too many output channels" : NULL;
}

/* No two neighbouring taps of a channel are -128. */
static bool has_pairs(const helia_conv_window *w, const int8_t *weights)
{
    for (int32_t k = 1; k < w->kernel_h * w->kernel_w; k++)
        for (int32_t o = 0; o < w->out_c; o++)
            if (weights[k * w->out_c + o] == INT8_MIN && weights[(k - 1) * w->out_c + o] == INT8_MIN)
                return false;
    return true;
}

/* Channels first to first + 15, as far as there are; true where one has a shift of 0 or more. */
static bool pack_block(const AirNode *n, const helia_conv_window *w, const int8_t *weights, int32_t first,
                       uint32_t *words)
{
    const int32_t multiplier = w->out_c / w->in_c, lead = multiplier != 1 ? HELIA_DEPTHWISE_GENERAL_MVE_SPREAD : 0;
    bool wide = false;
    for (int32_t i = 0; i < 16 && first + i < w->out_c; i++) {
        const int32_t o = first + i;
        const PackedChannel channel = packed_channel(weights + o, w->kernel_h * w->kernel_w, w->out_c,
                                                     zero_of(n->in[0]), channel_bias(n, o), channel_scale(n, o));
        uint32_t *at = words + lead + i % 4 * 4 + i / 4;
        at[0] = (uint32_t)channel.bias;
        at[16] = (uint32_t)channel_bias(n, o);
        at[32] = (uint32_t)channel.multiplier;
        at[48] = (uint32_t)channel.shift;
        wide = wide || channel.shift >= 0;
        if (lead)
            ((uint8_t *)(words + 1))[i] = (uint8_t)(o / multiplier - first / multiplier);
    }
    if (lead)
        words[0] = (uint32_t)(first / multiplier);
    return wide;
}

bool depthwise_general_mve_prepare(const HeliaOpContext *c, AirNode *n)
{
    const WindowLayer *facts = n->facts;
    const helia_conv_window *w = &facts->window;
    AirTensor *weights = weights_as_int8(c, n);
    const int32_t block = helia_depthwise_general_mve_block(w), count = (w->out_c + 15) / 16 * block;
    uint32_t *records = HELIA_NEW_N(c->arena, uint32_t, (size_t)count);
    bool wide = false;
    for (int32_t i = 0; 16 * i < w->out_c; i++)
        wide = pack_block(n, w, weights->data, 16 * i, records + i * block) || wide;
    helia_depthwise_conv_2d_s8_general_mve_params *p = HELIA_NEW(c->arena,
                                                                 helia_depthwise_conv_2d_s8_general_mve_params);
    *p = (helia_depthwise_conv_2d_s8_general_mve_params){.window = *w,
                                                         .depth_multiplier = w->out_c / w->in_c,
                                                         .in_zero = zero_of(n->in[0]),
                                                         .out_zero = zero_of(n->out[0]),
                                                         .pairs = has_pairs(w, weights->data),
                                                         .wide = wide,
                                                         .relu = facts->min >= zero_of(n->out[0]),
                                                         .min = facts->min,
                                                         .max = facts->max};
    n->params = p;
    air_arg(n, c->graph, n->in[0], false);
    air_arg(n, c->graph, weights, false);
    air_arg(n, c->graph,
            air_constant_new(c->graph, helia_format(c->arena, "%s_records", n->cname), AIR_U32, 1, &count, records),
            false);
    air_arg(n, c->graph, n->out[0], true);
    return true;
}

static void print(HeliaOut *o, const void *params)
{
    const helia_depthwise_conv_2d_s8_general_mve_params *p = params;
    print_conv_window(o, &p->window);
    PRINT_INT(o, p, depth_multiplier);
    PRINT_INT(o, p, in_zero);
    PRINT_INT(o, p, out_zero);
    PRINT_INT(o, p, pairs);
    PRINT_INT(o, p, wide);
    PRINT_INT(o, p, relu);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

bool depthwise_general_mve_emit(struct HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_depthwise_conv_2d_s8_general_mve_params", print);
}
