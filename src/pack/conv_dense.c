/* CONV_2D of one or two output pixels as FULLY_CONNECTED. */
#include "pack/conv_dense.h"

#include "pack/fully_connected_dsp.h"
#include "pack/fully_connected_mve.h"

typedef const char *Fits(const HeliaOpContext *c, const AirNode *n);
typedef bool Prepare(const HeliaOpContext *c, AirNode *n);

/* The windows follow one another in the input: it is one window each, or windows are pixels. */
static bool windows_are_runs(const helia_conv_window *w)
{
    const bool whole = w->kernel_h == w->in_h && w->kernel_w == w->in_w && w->out_h == 1 && w->out_w == 1 &&
                       w->pad_top == 0 && w->pad_left == 0 && w->dilation_h == 1 && w->dilation_w == 1;
    const bool pixels = w->kernel_h == 1 && w->kernel_w == 1 && w->out_h == w->in_h && w->out_w == w->in_w;
    return whole || pixels;
}

/* The layer as rows by a matrix. One scale counts as one for each channel: it is not rounded as FULLY_CONNECTED's is. */
static DenseLayer dense_layer(const AirNode *n)
{
    const WindowLayer *layer = n->facts;
    const helia_conv_window *w = &layer->window;
    return (DenseLayer){.rows = w->batches * w->out_h * w->out_w,
                        .depth = w->kernel_h * w->kernel_w * w->in_c,
                        .units = w->out_c,
                        .per_channel = true,
                        .min = layer->min,
                        .max = layer->max};
}

static const char *dense_fits(const HeliaOpContext *c, const AirNode *n, Fits *fits)
{
    const char *why = fits_weights_s8(c, n);
    if (why)
        return why;
    const helia_conv_window *w = &((const WindowLayer *)n->facts)->window;
    if ((int64_t)w->batches * w->out_h * w->out_w >= 3)
        return "there are three output pixels or more";
    if (n->in[1]->dim[3] != w->in_c)
        return "it has groups";
    if (!windows_are_runs(w))
        return "a window is not a run of the input";
    const DenseLayer dense = dense_layer(n);
    AirNode product = *n;
    product.facts = &dense;
    return fits(c, &product);
}

static bool dense_prepare(const HeliaOpContext *c, AirNode *n, Prepare *prepare)
{
    const void *facts = n->facts;
    const DenseLayer dense = dense_layer(n);
    n->facts = &dense;
    bool ok = prepare(c, n);
    n->facts = facts;
    return ok;
}

const char *conv_dense_mve_fits(const HeliaOpContext *c, const AirNode *n)
{
    return dense_fits(c, n, fully_connected_per_channel_mve_fits);
}

const char *conv_dense_dsp_fits(const HeliaOpContext *c, const AirNode *n)
{
    return dense_fits(c, n, fully_connected_dsp_fits);
}

bool conv_dense_mve_prepare(const HeliaOpContext *c, AirNode *n)
{
    return dense_prepare(c, n, fully_connected_mve_prepare);
}

bool conv_dense_dsp_prepare(const HeliaOpContext *c, AirNode *n)
{
    return dense_prepare(c, n, fully_connected_dsp_prepare);
}
