/* CONV_2D 3x3 by Winograd for cores with the DSP extension: when it pays, proofs, and the transformed weights. */
#include "pack/winograd_dsp.h"

#include <helia_aot/emit.h>

#include "helia_conv_2d_s8_winograd_dsp.h"

/* The transformed weights take 8/3 of the plain ones' flash; a layer with more than this keeps the plain ones. */
enum { LARGEST_WEIGHTS = 12 * 1024 };

/* Component i of a row's three taps, as they are `step` apart. */
static int32_t component(const int8_t *g, int32_t step, int32_t i)
{
    int32_t g0 = g[0], g1 = g[step], g2 = g[2 * step];
    switch (i) {
    case 0:
        return 2 * g0;
    case 1:
        return g0 + g1 + g2;
    case 2:
        return g0 - g1 + g2;
    default:
        return 2 * g2;
    }
}

/* The channel's constants, with the largest k for which the transformed weights are int16. */
static const char *channel(const HeliaOpContext *c, const AirNode *n, const DspLayer *layer, const int8_t *weights,
                           int32_t in_c, int32_t index, DspChannel *out)
{
    const int8_t *w = weights + index * 9 * in_c;
    const char *why = dsp_channel(c->arena, layer, w, 9 * in_c, 1, channel_bias(n, index), channel_scale(n, index), 2,
                                  out);
    int32_t largest = 0;
    for (int32_t k = 0; !why && !out->constant && k < 3 * in_c; k++)
        for (int32_t i = 0; i < 4; i++) {
            int32_t g = component(w + k / in_c * 3 * in_c + k % in_c, in_c, i);
            largest = g > largest ? g : -g > largest ? -g : largest;
        }
    int32_t k = why ? 0 : out->k;
    while (k > 2 && largest * (1 << (k - 1)) > INT16_MAX)
        k--;
    if (!why)
        dsp_channel_set_k(layer, k, out);
    return why;
}

const char *winograd_dsp_fits(const HeliaOpContext *c, const AirNode *n)
{
    const char *type_misfit = fits_weights_s8(c, n);
    if (type_misfit)
        return type_misfit;
    const WindowLayer *facts = n->facts;
    const helia_conv_window *w = &facts->window;
    if (c->target->goal != HELIA_GOAL_LATENCY)
        return "it takes more flash, and the goal is not latency";
    if (n->in[1]->dim[3] != w->in_c)
        return "it has groups";
    if (w->kernel_h != 3 || w->kernel_w != 3 || w->stride_h != 1 || w->stride_w != 1 || w->dilation_h != 1 ||
        w->dilation_w != 1)
        return "the kernel is not 3x3 with stride and dilation 1";
    if (w->in_c % 16 || w->out_c % 2 || w->out_w % 8)
        return "input channels, output channels and columns are not multiples of 16, 2 and 8";
    if (9 * w->in_c * w->out_c > LARGEST_WEIGHTS)
        return "the weights are large, and would become 8/3 as large";
    const DspLayer layer = dsp_layer(n, facts->min, facts->max);
    const int8_t *weights = weights_as_int8(c, n)->data;
    for (int32_t i = 0; i < w->out_c; i++) {
        DspChannel unused;
        const char *why = channel(c, n, &layer, weights, w->in_c, i, &unused);
        if (why)
            return why;
    }
    return NULL;
}

bool winograd_dsp_prepare(const HeliaOpContext *c, AirNode *n)
{
    const WindowLayer *facts = n->facts;
    const helia_conv_window *w = &facts->window;
    static const int32_t components[4] = {1, 2, 0, 3}, order[4] = {0, 2, 1, 3};
    const DspLayer layer = dsp_layer(n, facts->min, facts->max);
    helia_conv_2d_s8_winograd_dsp_params *p = HELIA_NEW(c->arena, helia_conv_2d_s8_winograd_dsp_params);
    *p = (helia_conv_2d_s8_winograd_dsp_params){*w, layer.in_zero, layer.relu, layer.min, layer.max};
    const int8_t *weights = weights_as_int8(c, n)->data;
    const int32_t dim[1] = {w->out_c / 2 * helia_conv_2d_s8_winograd_dsp_words(p)};
    uint32_t *stream = HELIA_NEW_N(c->arena, uint32_t, (size_t)dim[0]), *s = stream;
    for (int32_t first = 0; first < w->out_c; first += 2) {
        DspChannel ab[2];
        for (int32_t j = 0; j < 2; j++) {
            channel(c, n, &layer, weights, w->in_c, first + j, &ab[j]);
            *s++ = (uint32_t)ab[j].bias << ab[j].k;
        }
        s = dsp_record(&layer, &ab[0], s);
        s = dsp_record(&layer, &ab[1], s);
        for (int32_t i = 0; i < 4 * 3 * (w->in_c / 2); i++) {
            int32_t which = i / (3 * w->in_c / 2), row = i / (w->in_c / 2) % 3, pair = i % (w->in_c / 2);
            for (int32_t j = 0; j < 2; j++, s++) {
                for (int32_t half = 0; half < 2; half++) {
                    int32_t element = 2 * pair + half, ch = element / 4 * 4 + order[element % 4];
                    const int8_t *g = weights + (first + j) * 9 * w->in_c + row * 3 * w->in_c + ch;
                    int32_t value = ab[j].constant ? 0
                                                   : component(g, w->in_c, components[which]) * (1 << (ab[j].k - 1));
                    *s |= (uint32_t)(uint16_t)value << 16 * half;
                }
            }
        }
    }
    n->params = p;
    pack_args(c, n, "stream", stream, dim[0]);
    return true;
}

static void print(HeliaOut *o, const void *params)
{
    const helia_conv_2d_s8_winograd_dsp_params *p = params;
    print_conv_window(o, &p->window);
    PRINT_INT(o, p, in_zero);
    PRINT_INT(o, p, relu);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

bool winograd_dsp_emit(struct HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_conv_2d_s8_winograd_dsp_params", print);
}
