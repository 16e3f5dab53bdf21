/* DEPTHWISE_CONV_2D 3x3 for cores with MVE: conditions and the channels' records. */
#include "pack/depthwise_mve.h"

#include <helia_aot/emit.h>

#include "helia_depthwise_conv_2d_s8_mve.h"

enum { TAPS = 9 };

const char *depthwise_mve_fits(const HeliaOpContext *c, const AirNode *n)
{
    const char *type_misfit = fits_weights_s8(c, n);
    if (type_misfit)
        return type_misfit;
    const WindowLayer *facts = n->facts;
    const helia_conv_window *w = &facts->window;
    if (w->kernel_h != 3 || w->kernel_w != 3 || w->dilation_h != 1 || w->dilation_w != 1)
        return "the kernel is not 3x3 without dilation";
    if (w->stride_h != w->stride_w || w->stride_w > 2)
        return "the strides are not both 1 or both 2";
    if (w->in_c != w->out_c)
        return "the depth multiplier is not 1";
    if (w->stride_w == 1 && (w->out_w < 2 || w->out_h < 2))
        return "the output has one row or column only";
    if (helia_depthwise_mve_reach(w) > UINT16_MAX)
        return "results of one block are more than 65535 bytes apart";
    if (((int64_t)w->out_w * w->stride_w + 2) * w->in_c > PACK_MOST_BYTES / 8)
        return "the rows that an output row sees are too large";
    return packed_scales_misfit(c->arena, n, w->in_c);
}

const char *depthwise_compact_mve_fits(const HeliaOpContext *c, const AirNode *n)
{
    return c->target->goal == HELIA_GOAL_SIZE ? depthwise_mve_fits(c, n)
                                              : "compact records take more steps, and the goal is not size";
}

static void pack_record(const PackedChannel *channel, const int8_t *weights, int32_t channels, uint32_t *r)
{
    for (int32_t k = 0; k < TAPS; k++)
        r[k % 3] |= (uint32_t)(uint8_t)weights[k * channels] << k / 3 * 8;
    r[4] = (uint32_t)channel->bias;
    r[5] = (uint32_t)channel->multiplier;
    r[6] = (uint8_t)channel->shift;
}

static void pack_compact(const PackedChannel *channel, const int8_t *weights, int32_t channels, uint32_t *r)
{
    int8_t *bytes = (int8_t *)(r + 2);
    r[0] = (uint32_t)channel->bias;
    r[1] = (uint32_t)channel->multiplier;
    bytes[0] = (int8_t)channel->shift;
    for (int32_t k = 0; k < TAPS; k++)
        bytes[1 + k] = weights[k * channels];
}

static bool prepare(const HeliaOpContext *c, AirNode *n, bool compact)
{
    const WindowLayer *facts = n->facts;
    const helia_conv_window *w = &facts->window;
    helia_depthwise_conv_2d_s8_mve_params *p = HELIA_NEW(c->arena, helia_depthwise_conv_2d_s8_mve_params);
    *p = (helia_depthwise_conv_2d_s8_mve_params){
        *w, zero_of(n->in[0]), zero_of(n->out[0]), facts->min >= zero_of(n->out[0]), facts->min, facts->max};
    const int8_t *weights = weights_as_int8(c, n)->data;
    const int32_t lead = compact ? 0 : HELIA_DEPTHWISE_MVE_LEAD,
                  words = compact ? HELIA_DEPTHWISE_MVE_COMPACT : HELIA_DEPTHWISE_MVE_RECORD,
                  dim[1] = {lead + w->in_c * words};
    uint32_t *records = HELIA_NEW_N(c->arena, uint32_t, (size_t)dim[0]);
    for (int32_t i = 0; i < w->in_c; i++) {
        PackedChannel channel = packed_channel(weights + i, TAPS, w->in_c, p->in_zero, channel_bias(n, i),
                                               channel_scale(n, i));
        (compact ? pack_compact : pack_record)(&channel, weights + i, w->in_c, records + lead + i * words);
    }
    n->params = p;
    pack_args(c, n, "records", records, dim[0]);
    return true;
}

bool depthwise_mve_prepare(const HeliaOpContext *c, AirNode *n)
{
    return prepare(c, n, false);
}

bool depthwise_compact_mve_prepare(const HeliaOpContext *c, AirNode *n)
{
    return prepare(c, n, true);
}

static void print(HeliaOut *o, const void *params)
{
    const helia_depthwise_conv_2d_s8_mve_params *p = params;
    print_conv_window(o, &p->window);
    PRINT_INT(o, p, in_zero);
    PRINT_INT(o, p, out_zero);
    PRINT_INT(o, p, relu);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

bool depthwise_mve_emit(struct HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_depthwise_conv_2d_s8_mve_params", print);
}
