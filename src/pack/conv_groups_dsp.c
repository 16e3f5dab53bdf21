/* CONV_2D with groups, for cores with the DSP extension: each group is a layer for FULLY_CONNECTED's stream. */
#include "pack/conv_groups_dsp.h"

#include <helia_aot/emit.h>

#include "helia_conv_2d_s8_groups_dsp.h"
#include "pack/fully_connected_plain_dsp.h"

const char *conv_groups_dsp_fits(const HeliaOpContext *c, const AirNode *n)
{
    const char *type_misfit = fits_weights_s8(c, n);
    if (type_misfit)
        return type_misfit;
    const helia_conv_window *w = &((const WindowLayer *)n->facts)->window;
    const int32_t filter_c = n->in[1]->dim[3], groups = w->in_c / filter_c;
    const int64_t depth = (int64_t)w->kernel_h * w->kernel_w * filter_c, padding = groups; /* units of zeros */
    return fully_connected_plain_dsp_size_misfit(depth, w->out_c + padding);
}

bool conv_groups_dsp_prepare(const HeliaOpContext *c, AirNode *n)
{
    const WindowLayer *facts = n->facts;
    const helia_conv_window *w = &facts->window;
    const int32_t filter_c = n->in[1]->dim[3], groups = w->in_c / filter_c;
    helia_conv_2d_s8_groups_dsp_params *p = HELIA_NEW(c->arena, helia_conv_2d_s8_groups_dsp_params);
    *p = (helia_conv_2d_s8_groups_dsp_params){.window = *w,
                                              .filter_c = filter_c,
                                              .group_out = w->out_c / groups,
                                              .in_zero = zero_of(n->in[0]),
                                              .out_zero = zero_of(n->out[0]),
                                              .min = facts->min,
                                              .max = facts->max};
    n->params = p;
    const helia_fully_connected_s8_plain_dsp_params row = {
        .depth = w->kernel_h * w->kernel_w * filter_c, .units = p->group_out, .per_channel = true};
    return fully_connected_plain_dsp_stream(c, n, &row, groups);
}

static void print(HeliaOut *o, const void *params)
{
    const helia_conv_2d_s8_groups_dsp_params *p = params;
    print_conv_window(o, &p->window);
    PRINT_INT(o, p, filter_c);
    PRINT_INT(o, p, group_out);
    PRINT_INT(o, p, in_zero);
    PRINT_INT(o, p, out_zero);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

bool conv_groups_dsp_emit(struct HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_conv_2d_s8_groups_dsp_params", print);
}
