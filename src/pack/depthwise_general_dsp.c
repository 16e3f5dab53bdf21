/* DEPTHWISE_CONV_2D of any shape for cores with the DSP extension: the stream, and whether the short requantisation holds. */
#include "pack/depthwise_general_dsp.h"

#include <helia_aot/emit.h>

#include "helia_depthwise_conv_2d_s8_general_dsp.h"
#include "helia_dsp.h"

enum { MOST_WORDS = 1 << 28 };

const char *depthwise_general_dsp_fits(const HeliaOpContext *c, const AirNode *n)
{
    const char *type_misfit = fits_weights_s8(c, n);
    if (type_misfit)
        return type_misfit;
    const helia_conv_window *w = &((const WindowLayer *)n->facts)->window;
    if (w->out_c < 4)
        return "there are fewer than four output channels";
    if (helia_depthwise_general_dsp_block(w) > MOST_WORDS / (w->out_c / 4 + 1))
        return "the weights are too large";
    return NULL;
}

/* What is proven of every channel, or false. */
static bool prove(const HeliaOpContext *c, const AirNode *n, const DspLayer *layer, const int8_t *weights,
                  const helia_conv_window *w, DspChannel *channels)
{
    enum { SMALLEST_K = 2 };
    for (int32_t i = 0; i < w->out_c; i++)
        if (dsp_channel(c->arena, layer, weights + i, w->kernel_h * w->kernel_w, w->out_c, channel_bias(n, i),
                        channel_scale(n, i), SMALLEST_K, &channels[i]))
            return false;
    return true;
}

/* Channels first to first + 3. */
static uint32_t *pack_block(const AirNode *n, const helia_conv_window *w, const int8_t *weights, int32_t first,
                            const DspChannel *channels, uint32_t *words)
{
    const DspChannel *ch = channels ? channels + first : NULL;
    for (int32_t i = 0; w->out_c != w->in_c && i < 4; i++)
        *words++ = (uint32_t)((first + i) / (w->out_c / w->in_c));
    for (int32_t i = 0; i < 4; i++)
        *words++ = (uint32_t)channel_bias(n, first + i) << (ch ? ch[i].k : 0);
    for (int32_t k = 0; k < w->kernel_h * w->kernel_w; k++) {
        int32_t scaled[4];
        for (int32_t i = 0; i < 4; i++) {
            const int32_t v = weights[k * w->out_c + first + i];
            scaled[i] = !ch ? v : ch[i].constant ? 0 : v * (1 << ch[i].k);
        }
        *words++ = helia_pair(scaled[0], scaled[2]);
        *words++ = helia_pair(scaled[1], scaled[3]);
    }
    for (int32_t i = 0; i < 4; i++, words += 4) {
        int32_t m, e;
        quantize_multiplier(channel_scale(n, first + i), &m, &e);
        words[0] = (uint32_t)(ch ? ch[i].m : m);
        words[1] = (uint32_t)(ch ? ch[i].c : e);
        words[2] = ch ? (uint32_t)ch[i].r : 0;
        words[3] = ch ? (uint32_t)ch[i].n : 0;
    }
    return words;
}

bool depthwise_general_dsp_prepare(const HeliaOpContext *c, AirNode *n)
{
    const WindowLayer *facts = n->facts;
    const helia_conv_window *w = &facts->window;
    const DspLayer layer = dsp_layer(n, facts->min, facts->max);
    const int8_t *weights = weights_as_int8(c, n)->data;
    DspChannel *channels = HELIA_NEW_N(c->arena, DspChannel, (size_t)w->out_c);
    const bool proven = prove(c, n, &layer, weights, w, channels);
    helia_depthwise_conv_2d_s8_general_dsp_params *p = HELIA_NEW(c->arena,
                                                                 helia_depthwise_conv_2d_s8_general_dsp_params);
    *p = (helia_depthwise_conv_2d_s8_general_dsp_params){*w,     w->out_c / w->in_c, layer.in_zero, layer.out_zero,
                                                         proven, layer.relu,         layer.min,     layer.max};
    const int32_t blocks = (w->out_c + 3) / 4, count = blocks * helia_depthwise_general_dsp_block(w);
    uint32_t *stream = HELIA_NEW_N(c->arena, uint32_t, (size_t)count), *words = stream;
    for (int32_t i = 0; i < blocks; i++)
        words = pack_block(n, w, weights, 4 * i + 4 > w->out_c ? w->out_c - 4 : 4 * i, proven ? channels : NULL, words);
    n->params = p;
    pack_args(c, n, "stream", stream, count);
    return true;
}

static void print(HeliaOut *o, const void *params)
{
    const helia_depthwise_conv_2d_s8_general_dsp_params *p = params;
    print_conv_window(o, &p->window);
    PRINT_INT(o, p, depth_multiplier);
    PRINT_INT(o, p, in_zero);
    PRINT_INT(o, p, out_zero);
    PRINT_INT(o, p, proven);
    PRINT_INT(o, p, relu);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

bool depthwise_general_dsp_emit(struct HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_depthwise_conv_2d_s8_general_dsp_params", print);
}
