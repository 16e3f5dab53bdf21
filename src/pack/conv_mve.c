/* CONV_2D for cores with MVE: conditions and the weight stream. */
#include "pack/conv_mve.h"

#include <helia_aot/emit.h>

#include <string.h>

#include "helia_conv_2d_s8_mve.h"

const char *conv_mve_channels_misfit(const HeliaOpContext *c, const AirNode *n, int32_t out_c)
{
    enum { MOST_CHANNELS = 16384 }; /* offsets of four pixels are 16 bits */
    if (out_c > MOST_CHANNELS)
        return helia_format(c->arena, "there are more than %d output channels", MOST_CHANNELS);
    return packed_scales_misfit(c->arena, n, out_c);
}

const char *conv_mve_fits(const HeliaOpContext *c, const AirNode *n)
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
    int64_t columns = (int64_t)(w->out_w - 1) * w->stride_w + w->kernel_w;
    if (columns * w->in_c > PACK_MOST_BYTES / w->kernel_h)
        return "the rows that an output row sees are too large";
    return conv_mve_channels_misfit(c, n, w->out_c);
}

/* The weights' index of element i of chunk number `chunk`; -1: behind the window's end. */
static int32_t element_at(const helia_conv_window *w, bool shares_columns, int32_t chunk, int32_t i)
{
    if (shares_columns) {
        int32_t row = chunk / (3 * (w->in_c / 16)), rest = chunk % (3 * (w->in_c / 16));
        return (row * 3 + rest % 3) * w->in_c + rest / 3 * 16 + i;
    }
    return 16 * chunk + i < w->kernel_h * w->kernel_w * w->in_c ? 16 * chunk + i : -1;
}

static void pack_pair(const HeliaOpContext *c, const AirNode *n, const helia_conv_window *w, bool shares_columns,
                      int32_t first, uint32_t *words)
{
    const int32_t taps = w->kernel_h * w->kernel_w * w->in_c, chunks = helia_conv_2d_s8_mve_chunks(w);
    int8_t *bytes = (int8_t *)words;
    for (int32_t k = 0; k < 2; k++) {
        int32_t channel = k == 1 && w->out_c > 1 ? first + 1 : first;
        const int8_t *weights = (const int8_t *)weights_as_int8(c, n)->data + (size_t)channel * (size_t)taps;
        for (int32_t i = 0; i < 16 * chunks; i++) {
            int32_t at = element_at(w, shares_columns, i / 16, i % 16);
            bytes[i / 16 * 32 + 16 * k + i % 16] = at < 0 ? 0 : weights[at];
        }
        PackedChannel facts = packed_channel(weights, taps, 1, zero_of(n->in[0]), channel_bias(n, channel),
                                             channel_scale(n, channel));
        words[8 * chunks + k] = (uint32_t)facts.bias;
        words[8 * chunks + 2 + k] = (uint32_t)facts.multiplier;
        words[8 * chunks + 4 + k] = (uint32_t)facts.shift;
    }
}

void conv_mve_pack(const HeliaOpContext *c, const AirNode *n, const helia_conv_window *w, bool shares_columns,
                   int32_t first, uint32_t *words)
{
    for (int32_t i = 0; i < w->out_c; i += 2, words += helia_conv_2d_s8_mve_words(w))
        pack_pair(c, n, w, shares_columns, first + (i + 2 > w->out_c && w->out_c > 1 ? w->out_c - 2 : i), words);
}

bool conv_mve_prepare(const HeliaOpContext *c, AirNode *n)
{
    const WindowLayer *facts = n->facts;
    const helia_conv_window *w = &facts->window;
    helia_conv_2d_s8_mve_params *p = HELIA_NEW(c->arena, helia_conv_2d_s8_mve_params);
    *p = (helia_conv_2d_s8_mve_params){
        *w, zero_of(n->in[0]), zero_of(n->out[0]), facts->min >= zero_of(n->out[0]), facts->min, facts->max};
    const int32_t dim[1] = {(w->out_c + 1) / 2 * helia_conv_2d_s8_mve_words(w)};
    uint32_t *stream = HELIA_NEW_N(c->arena, uint32_t, (size_t)dim[0]);
    conv_mve_pack(c, n, w, helia_conv_2d_s8_mve_shares_columns(w), 0, stream);
    n->params = p;
    pack_args(c, n, "stream", stream, dim[0]);
    return true;
}

static void print(HeliaOut *o, const void *params)
{
    const helia_conv_2d_s8_mve_params *p = params;
    print_conv_window(o, &p->window);
    PRINT_INT(o, p, in_zero);
    PRINT_INT(o, p, out_zero);
    PRINT_INT(o, p, relu);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

bool conv_mve_emit(struct HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_conv_2d_s8_mve_params", print);
}
