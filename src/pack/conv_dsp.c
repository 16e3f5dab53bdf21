/* CONV_2D for cores with the DSP extension: proofs and the weight stream. */
#include "pack/conv_dsp.h"

#include <helia_aot/emit.h>

#include "helia_conv_2d_s8_dsp.h"

/* The weights' index of the element at int16 number i of the window layout; -1: padding. */
static int32_t element_at(const helia_conv_window *w, int32_t i)
{
    static const int32_t order[4] = {0, 2, 1, 3};
    int32_t run = w->kernel_w * w->in_c, whole = run / 4 * 4;
    if (i < w->kernel_h * whole)
        return i / whole * run + i % whole / 4 * 4 + order[i % 4];
    i -= w->kernel_h * whole;
    return i < w->kernel_h * (run - whole) ? i / (run - whole) * run + whole + i % (run - whole) : -1;
}

static const char *channel(const HeliaOpContext *c, const AirNode *n, const DspLayer *layer, const int8_t *weights,
                           int32_t taps, int32_t index, DspChannel *out)
{
    return dsp_channel(c->arena, layer, weights + index * taps, taps, 1, channel_bias(n, index),
                       channel_scale(n, index), 8, out);
}

const char *conv_dsp_fits(const HeliaOpContext *c, const AirNode *n)
{
    const char *type_misfit = fits_weights_s8(c, n);
    if (type_misfit)
        return type_misfit;
    const WindowLayer *facts = n->facts;
    const helia_conv_window *w = &facts->window;
    if (n->in[1]->dim[3] != w->in_c)
        return "it has groups";
    if (w->dilation_w != 1)
        return "columns are dilated";
    if (w->batches * w->out_h * w->out_w < 3)
        return "there are fewer than three output pixels";
    if (w->out_c < 2)
        return "there is one output channel only";
    const DspLayer layer = dsp_layer(n, facts->min, facts->max);
    const int8_t *weights = weights_as_int8(c, n)->data;
    const int32_t taps = w->kernel_h * w->kernel_w * w->in_c;
    for (int32_t pair = 0; pair < (w->out_c + 1) / 2; pair++) {
        int32_t first = 2 * pair + 2 > w->out_c ? w->out_c - 2 : 2 * pair;
        DspChannel a, b;
        const char *why = channel(c, n, &layer, weights, taps, first, &a);
        why = why ? why : channel(c, n, &layer, weights, taps, first + 1, &b);
        for (int32_t k = 0; !why && k < taps; k++)
            if (!dsp_pair_fits(a.constant ? 0 : weights[first * taps + k],
                               b.constant ? 0 : weights[(first + 1) * taps + k]))
                why = "a weight is -128";
        if (why)
            return why;
    }
    return NULL;
}

bool conv_dsp_prepare(const HeliaOpContext *c, AirNode *n)
{
    const WindowLayer *facts = n->facts;
    const helia_conv_window *w = &facts->window;
    const DspLayer layer = dsp_layer(n, facts->min, facts->max);
    helia_conv_2d_s8_dsp_params *p = HELIA_NEW(c->arena, helia_conv_2d_s8_dsp_params);
    *p = (helia_conv_2d_s8_dsp_params){*w, layer.in_zero, layer.relu, layer.min, layer.max};
    const int8_t *weights = weights_as_int8(c, n)->data;
    const int32_t taps = w->kernel_h * w->kernel_w * w->in_c, pairs = helia_conv_2d_s8_dsp_pairs(w);
    const int32_t dim[1] = {(w->out_c + 1) / 2 * helia_conv_2d_s8_dsp_words(p)};
    uint32_t *stream = HELIA_NEW_N(c->arena, uint32_t, (size_t)dim[0]), *s = stream;
    for (int32_t pair = 0; pair < (w->out_c + 1) / 2; pair++) {
        int32_t first = 2 * pair + 2 > w->out_c ? w->out_c - 2 : 2 * pair;
        DspChannel ab[2];
        for (int32_t k = 0; k < 2; k++)
            channel(c, n, &layer, weights, taps, first + k, &ab[k]);
        *s++ = (uint32_t)ab[0].bias * 256u + (uint32_t)ab[1].bias;
        *s++ = (uint32_t)ab[1].bias;
        for (int32_t i = 0; i < pairs; i++, s++) {
            for (int32_t half = 0; half < 2; half++) {
                int32_t k = element_at(w, 2 * i + half);
                int32_t a = k < 0 || ab[0].constant ? 0 : weights[first * taps + k];
                int32_t b = k < 0 || ab[1].constant ? 0 : weights[(first + 1) * taps + k];
                *s |= (uint32_t)(uint16_t)(256 * a + b) << 16 * half;
            }
        }
        s = dsp_record(&layer, &ab[0], s);
        s = dsp_record(&layer, &ab[1], s);
    }
    n->params = p;
    pack_args(c, n, "stream", stream, dim[0]);
    return true;
}

static void print(HeliaOut *o, const void *params)
{
    const helia_conv_2d_s8_dsp_params *p = params;
    print_conv_window(o, &p->window);
    PRINT_INT(o, p, in_zero);
    PRINT_INT(o, p, relu);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

bool conv_dsp_emit(struct HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_conv_2d_s8_dsp_params", print);
}
