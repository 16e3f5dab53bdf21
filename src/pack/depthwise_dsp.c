/* DEPTHWISE_CONV_2D 3x3 for cores with the DSP extension: proofs and the channels' records. */
#include "pack/depthwise_dsp.h"

#include <helia_aot/emit.h>

#include "helia_depthwise_conv_2d_s8_dsp.h"
#include "helia_dsp.h"

enum { TAPS = 9 };

static const char *channel(const HeliaOpContext *c, const AirNode *n, const DspLayer *layer, const int8_t *weights,
                           int32_t channels, int32_t index, DspChannel *out)
{
    return dsp_channel(c->arena, layer, weights + index, TAPS, channels, channel_bias(n, index),
                       channel_scale(n, index), 2, out);
}

const char *depthwise_dsp_fits(const HeliaOpContext *c, const AirNode *n)
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
    if (w->in_c < 4)
        return "there are fewer than four channels";
    const DspLayer layer = dsp_layer(n, facts->min, facts->max);
    const int8_t *weights = weights_as_int8(c, n)->data;
    for (int32_t i = 0; i < w->in_c; i++) {
        DspChannel channel_facts;
        const char *why = channel(c, n, &layer, weights, w->in_c, i, &channel_facts);
        if (why)
            return why;
    }
    return NULL;
}

static void pack_record(const DspChannel *ch, const int8_t *weights, int32_t channels, uint32_t *r)
{
    int32_t scaled[TAPS];
    for (int32_t k = 0; k < TAPS; k++)
        scaled[k] = ch->constant ? 0 : weights[k * channels] * (1 << ch->k);
    r[0] = (uint32_t)ch->bias << ch->k;
    for (int32_t x = 0; x < 3; x++) {
        r[1 + x] = helia_pair(scaled[x], scaled[3 + x]);
        r[4 + x] = helia_pair(scaled[3 + x], scaled[6 + x]);
    }
    r[7] = (uint32_t)ch->r;
    r[8] = (uint32_t)ch->m;
    r[9] = (uint32_t)ch->c;
    r[10] = (uint32_t)ch->n;
}

/* A constant channel has no c of its own here: with m = 2^30, k = 8 and R = 7 a bias of 2 * (y - zero) gives
 * (64 * bias + 64 + 128 * zero) >> 7 = y. */
static void pack_compact(const DspLayer *layer, const DspChannel *ch, const int8_t *weights, int32_t channels,
                         uint32_t *r)
{
    int8_t *bytes = (int8_t *)(r + 2);
    r[0] = (uint32_t)(ch->constant ? 2 * (ch->c / 128 - layer->out_zero) : ch->bias);
    r[1] = (uint32_t)(ch->constant ? 1 << 30 : ch->m);
    for (int32_t k = 0; k < TAPS; k++)
        bytes[k] = ch->constant ? 0 : weights[k * channels];
    bytes[9] = (int8_t)ch->k;
    bytes[10] = (int8_t)ch->r;
}

bool depthwise_dsp_prepare(const HeliaOpContext *c, AirNode *n)
{
    const WindowLayer *facts = n->facts;
    const helia_conv_window *w = &facts->window;
    const DspLayer layer = dsp_layer(n, facts->min, facts->max);
    helia_depthwise_conv_2d_s8_dsp_params *p = HELIA_NEW(c->arena, helia_depthwise_conv_2d_s8_dsp_params);
    *p = (helia_depthwise_conv_2d_s8_dsp_params){.window = *w,
                                                 .in_zero = layer.in_zero,
                                                 .out_zero = layer.out_zero,
                                                 .compact = c->target->goal == HELIA_GOAL_SIZE,
                                                 .relu = layer.relu,
                                                 .min = layer.min,
                                                 .max = layer.max};
    const int8_t *weights = weights_as_int8(c, n)->data;
    const int32_t words = p->compact ? HELIA_DEPTHWISE_DSP_COMPACT : HELIA_DEPTHWISE_DSP_RECORD,
                  dim[1] = {w->in_c * words};
    uint32_t *records = HELIA_NEW_N(c->arena, uint32_t, (size_t)dim[0]);
    for (int32_t i = 0; i < w->in_c; i++) {
        DspChannel ch;
        channel(c, n, &layer, weights, w->in_c, i, &ch);
        if (p->compact)
            pack_compact(&layer, &ch, weights + i, w->in_c, records + i * words);
        else
            pack_record(&ch, weights + i, w->in_c, records + i * words);
    }
    n->params = p;
    pack_args(c, n, "records", records, dim[0]);
    return true;
}

static void print(HeliaOut *o, const void *params)
{
    const helia_depthwise_conv_2d_s8_dsp_params *p = params;
    print_conv_window(o, &p->window);
    PRINT_INT(o, p, in_zero);
    PRINT_INT(o, p, out_zero);
    PRINT_INT(o, p, compact);
    PRINT_INT(o, p, relu);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

bool depthwise_dsp_emit(struct HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_depthwise_conv_2d_s8_dsp_params", print);
}
