/* CONV_2D for cores with the DSP extension, whatever the weights: windows are rows for FULLY_CONNECTED's stream. */
#include "pack/conv_plain_dsp.h"

#include <helia_aot/emit.h>

#include "helia_conv_2d_s8_plain_dsp.h"
#include "pack/fully_connected_plain_dsp.h"

const char *conv_plain_dsp_fits(const HeliaOpContext *c, const AirNode *n)
{
    const char *type_misfit = fits_weights_s8(c, n);
    if (type_misfit)
        return type_misfit;
    const helia_conv_window *w = &((const WindowLayer *)n->facts)->window;
    if (n->in[1]->dim[3] != w->in_c)
        return "it has groups";
    const int64_t depth = (int64_t)w->kernel_h * w->kernel_w * w->in_c, units = w->out_c;
    return fully_connected_plain_dsp_size_misfit(depth, units);
}

bool conv_plain_dsp_prepare(const HeliaOpContext *c, AirNode *n)
{
    const WindowLayer *facts = n->facts;
    const helia_conv_window *w = &facts->window;
    helia_conv_2d_s8_plain_dsp_params *p = HELIA_NEW(c->arena, helia_conv_2d_s8_plain_dsp_params);
    *p = (helia_conv_2d_s8_plain_dsp_params){*w, zero_of(n->in[0]), zero_of(n->out[0]), facts->min, facts->max};
    n->params = p;
    const helia_fully_connected_s8_plain_dsp_params row = {
        .depth = w->kernel_h * w->kernel_w * w->in_c, .units = w->out_c, .per_channel = true};
    return fully_connected_plain_dsp_stream(c, n, &row, 1);
}

static void print(HeliaOut *o, const void *params)
{
    const helia_conv_2d_s8_plain_dsp_params *p = params;
    print_conv_window(o, &p->window);
    PRINT_INT(o, p, in_zero);
    PRINT_INT(o, p, out_zero);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

bool conv_plain_dsp_emit(struct HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_conv_2d_s8_plain_dsp_params", print);
}
