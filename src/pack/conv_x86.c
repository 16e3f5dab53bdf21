/* CONV_2D for x86-64: conditions and parameters. */
#include "pack/conv_x86.h"

#include <helia_aot/emit.h>

#include "helia_conv_2d_s8_x86.h"
#include "pack/x86.h"

static X86Matrix matrix_of(const helia_conv_window *w)
{
    return (X86Matrix){w->out_c, w->kernel_h, w->kernel_w * w->in_c, NULL};
}

const char *conv_x86_fits(const HeliaOpContext *c, const AirNode *n)
{
    const char *why = fits_weights_s8(c, n);
    if (why)
        return why;
    const helia_conv_window *w = &((const WindowLayer *)n->facts)->window;
    if (n->in[1]->dim[3] != w->in_c)
        return "it has groups";
    if (w->dilation_w != 1)
        return "columns are dilated";
    if (((int64_t)(w->out_w - 1) * w->stride_w + w->kernel_w) * w->in_c > PACK_MOST_BYTES / w->kernel_h)
        return "the rows that an output row sees are too large";
    const X86Matrix m = matrix_of(w);
    return x86_matrix_misfit(c->arena, n, &m);
}

bool conv_x86_prepare(const HeliaOpContext *c, AirNode *n)
{
    const WindowLayer *layer = n->facts;
    const X86Matrix m = matrix_of(&layer->window);
    helia_conv_2d_s8_x86_params *p = HELIA_NEW(c->arena, helia_conv_2d_s8_x86_params);
    *p = (helia_conv_2d_s8_x86_params){
        layer->window, zero_of(n->in[0]), zero_of(n->out[0]), layer->min >= zero_of(n->out[0]), layer->min, layer->max};
    n->params = p;
    x86_matrix_pack(c, n, &m);
    return true;
}

static void print(HeliaOut *o, const void *params)
{
    const helia_conv_2d_s8_x86_params *p = params;
    print_conv_window(o, &p->window);
    PRINT_INT(o, p, in_zero);
    PRINT_INT(o, p, out_zero);
    PRINT_INT(o, p, relu);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

bool conv_x86_emit(struct HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_conv_2d_s8_x86_params", print);
}
