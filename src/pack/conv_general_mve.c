/* CONV_2D with groups or dilated columns, for cores with MVE: conditions and the weight stream. */
#include "pack/conv_general_mve.h"

#include <helia_aot/emit.h>

#include "helia_conv_2d_s8_general_mve.h"
#include "pack/conv_mve.h"

const char *conv_general_mve_fits(const HeliaOpContext *c, const AirNode *n)
{
    const char *type_misfit = fits_weights_s8(c, n);
    if (type_misfit)
        return type_misfit;
    const helia_conv_window *w = &((const WindowLayer *)n->facts)->window;
    const int32_t filter_c = n->in[1]->dim[3], groups = w->in_c / filter_c;
    const int64_t taps = (int64_t)w->kernel_h * w->kernel_w, padded = taps * filter_c + 16, padding = groups;
    enum { RECORD = 12 }; /* bytes of a channel behind its weights */
    if (w->out_c + padding > PACK_MOST_BYTES / (padded + RECORD))
        return "the padded weights are too large";
    if (5 * padded + 32 * taps + w->in_c > PACK_MOST_BYTES)
        return "the windows of four pixels are too large";
    return conv_mve_channels_misfit(c, n, w->out_c);
}

bool conv_general_mve_prepare(const HeliaOpContext *c, AirNode *n)
{
    const WindowLayer *facts = n->facts;
    const helia_conv_window *w = &facts->window;
    const int32_t filter_c = n->in[1]->dim[3], groups = w->in_c / filter_c;
    helia_conv_2d_s8_general_mve_params *p = HELIA_NEW(c->arena, helia_conv_2d_s8_general_mve_params);
    *p = (helia_conv_2d_s8_general_mve_params){.window = *w,
                                               .filter_c = filter_c,
                                               .group_out = w->out_c / groups,
                                               .in_zero = zero_of(n->in[0]),
                                               .out_zero = zero_of(n->out[0]),
                                               .relu = facts->min >= zero_of(n->out[0]),
                                               .min = facts->min,
                                               .max = facts->max};
    const helia_conv_window group = helia_conv_2d_s8_general_mve_group(p);
    const int32_t words = (p->group_out + 1) / 2 * helia_conv_2d_s8_mve_words(&group), dim[1] = {groups * words};
    uint32_t *stream = HELIA_NEW_N(c->arena, uint32_t, (size_t)dim[0]);
    for (int32_t g = 0; g < groups; g++)
        conv_mve_pack(c, n, &group, false, g * p->group_out, stream + g * words);
    n->params = p;
    pack_args(c, n, "stream", stream, dim[0]);
    return true;
}

static void print(HeliaOut *o, const void *params)
{
    const helia_conv_2d_s8_general_mve_params *p = params;
    print_conv_window(o, &p->window);
    PRINT_INT(o, p, filter_c);
    PRINT_INT(o, p, group_out);
    PRINT_INT(o, p, in_zero);
    PRINT_INT(o, p, out_zero);
    PRINT_INT(o, p, relu);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

bool conv_general_mve_emit(struct HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_conv_2d_s8_general_mve_params", print);
}
