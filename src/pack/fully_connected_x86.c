/* FULLY_CONNECTED for x86-64: conditions and parameters. */
#include "pack/fully_connected_x86.h"

#include <helia_aot/emit.h>

#include "helia_fully_connected_s8_x86.h"
#include "pack/x86.h"

static X86Matrix matrix_of(const DenseLayer *layer)
{
    return (X86Matrix){layer->units, 1, layer->depth, layer->per_channel ? NULL : &layer->scale};
}

const char *fully_connected_x86_fits(const HeliaOpContext *c, const AirNode *n)
{
    const char *why = fits_weights_s8(c, n);
    if (why)
        return why;
    const DenseLayer *layer = n->facts;
    const X86Matrix m = matrix_of(layer);
    return !layer->per_channel && zero_of(n->in[1]) ? "the weights have a zero point"
                                                    : x86_matrix_misfit(c->arena, n, &m);
}

bool fully_connected_x86_prepare(const HeliaOpContext *c, AirNode *n)
{
    const DenseLayer *layer = n->facts;
    const X86Matrix m = matrix_of(layer);
    helia_fully_connected_s8_x86_params *p = HELIA_NEW(c->arena, helia_fully_connected_s8_x86_params);
    const int32_t out_zero = zero_of(n->out[0]);
    *p = (helia_fully_connected_s8_x86_params){
        layer->rows, layer->depth, layer->units, out_zero, layer->min >= out_zero, layer->min, layer->max};
    n->params = p;
    x86_matrix_pack(c, n, &m);
    return true;
}

static void print(HeliaOut *o, const void *params)
{
    const helia_fully_connected_s8_x86_params *p = params;
    PRINT_INT(o, p, rows);
    PRINT_INT(o, p, depth);
    PRINT_INT(o, p, units);
    PRINT_INT(o, p, out_zero);
    PRINT_INT(o, p, relu);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

bool fully_connected_x86_emit(struct HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_fully_connected_s8_x86_params", print);
}
