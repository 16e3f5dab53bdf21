/* fuse_pad: zeros around the input of a convolution become its own padding.
 *
 *     x [1x8x8x4] -> PAD 1, 1 -> [1x10x10x4] -> CONV_2D VALID -> y          x [1x8x8x4] -> CONV_2D VALID + [1, 1, 1, 1] -> y
 *
 * CONV_2D and DEPTHWISE_CONV_2D, by their option explicit_padding. A value that PAD adds stands for 0, so its products add
 * nothing to a sum, as those outside the image do not; of floats only where the weights are known to be finite.
 * MAX_POOL_2D of integers, too, behind a RELU: every window sees a value that is no less than the zeros.
 * Height and width alone are padded, by no more than the reach of the kernel, and nobody else reads the padded image. */
#include "passes/passes_int.h"

#include <math.h>
#include <string.h>

#include "op/quant.h"

enum { NUM_PADDINGS = 8 }; /* before and behind each of four dimensions */

static bool read_paddings(const AirTensor *t, int64_t paddings[NUM_PADDINGS])
{
    if (!t || !air_is_constant(t) || air_count(t) != NUM_PADDINGS || (t->type != AIR_S32 && t->type != AIR_S64))
        return false;
    for (int i = 0; i < NUM_PADDINGS; i++)
        paddings[i] = t->type == AIR_S32 ? ((const int32_t *)t->data)[i] : ((const int64_t *)t->data)[i];
    return true;
}

static bool is_finite(const AirTensor *weights)
{
    const float *w = weights->data;
    for (int64_t i = 0; w && i < air_count(weights); i++)
        if (!isfinite(w[i]))
            return false;
    return w != NULL;
}

/* The only reader of the padded image, where that is its input 0. */
static AirNode *only_reader(const AirGraph *g, const AirNode *pad)
{
    const AirTensor *padded = pad->out[0];
    AirNode *reader = pass_only_for(g, padded) == pad ? padded->uses.at[0] : NULL;
    if (!reader || reader->n_in < 1 || reader->in[0] != padded)
        return NULL;
    for (uint32_t i = 1; i < reader->n_in; i++)
        if (reader->in[i] == padded)
            return NULL;
    return reader;
}

static bool is_plain_pad(const AirNode *n)
{
    if (strcmp(n->op_type, "PAD") != 0 || n->n_in != 2 || n->n_out != 1 || !n->in[0] || n->in[0]->rank != 4)
        return false;
    const AirTensor *in = n->in[0], *out = n->out[0];
    return in->type == out->type &&
           (in->type == AIR_S8 || in->type == AIR_U8 || in->type == AIR_S16 || in->type == AIR_F32) &&
           air_same_quant(in, out);
}

/* No value stands for less than 0: a RELU, by itself or fused, has made it. */
static bool is_never_negative(const HeliaRegistryContext *registry, const AirTensor *t)
{
    if (!t->def)
        return false;
    if (strcmp(t->def->op_type, "RELU") == 0 || strcmp(t->def->op_type, "RELU6") == 0)
        return true;
    const HeliaOpClass *op = helia_registry_get(registry->aot_operator_classes, t->def->op_type);
    const int32_t *fused = pass_option(registry, t->def, "fused_activation_function");
    return op && op->traits & HELIA_OP_CLAMPS && fused && (*fused == ACT_RELU || *fused == ACT_RELU6);
}

/* How far the kernel reaches beyond its first row and column; false: it is no operator that can have the zeros. */
static bool find_reach(const HeliaRegistryContext *registry, const AirNode *pad, const AirNode *n, int64_t *h,
                       int64_t *w)
{
    const AirType type = pad->in[0]->type;
    if (strcmp(n->op_type, "MAX_POOL_2D") == 0) {
        const int32_t *height = pass_option(registry, n, "filter_height"),
                      *width = pass_option(registry, n, "filter_width");
        *h = height ? (int64_t)*height - 1 : 0;
        *w = width ? (int64_t)*width - 1 : 0;
        return height && width && type != AIR_F32 && is_never_negative(registry, pad->in[0]);
    }
    const AirTensor *weights = n->n_in > 1 ? n->in[1] : NULL;
    const int32_t *dilation_h = pass_option(registry, n, "dilation_h_factor"),
                  *dilation_w = pass_option(registry, n, "dilation_w_factor");
    if (!weights || weights->rank != 4 || !dilation_h || !dilation_w)
        return false;
    *h = ((int64_t)weights->dim[1] - 1) * *dilation_h;
    *w = ((int64_t)weights->dim[2] - 1) * *dilation_w;
    return type != AIR_F32 || (weights->type == AIR_F32 && is_finite(weights));
}

static bool fuse(const HeliaOpContext *c, const HeliaRegistryContext *registry, const AirNode *pad)
{
    int64_t paddings[NUM_PADDINGS], h, w;
    if (!is_plain_pad(pad) || !read_paddings(pad->in[1], paddings))
        return false;
    AirNode *n = only_reader(c->graph, pad);
    if (!n || !find_reach(registry, pad, n, &h, &w))
        return false;
    const int32_t *padding = pass_option(registry, n, "padding");
    PassInts explicit_padding = pass_option_ints(registry, n, "explicit_padding");
    if (!padding || !explicit_padding.at || *explicit_padding.n || *padding != PADDING_VALID)
        return false;
    h = h < UINT16_MAX ? h : UINT16_MAX; /* more is not supported */
    w = w < UINT16_MAX ? w : UINT16_MAX;
    const int64_t most[NUM_PADDINGS] = {0, 0, h, h, w, w, 0, 0};
    for (int i = 0; i < NUM_PADDINGS; i++)
        if (paddings[i] < 0 || paddings[i] > most[i])
            return false;
    for (int i = 0; i < 4; i++)
        explicit_padding.at[i] = (int32_t)paddings[2 + i];
    *explicit_padding.n = 4;
    n->in[0] = pad->in[0];
    return true;
}

bool fuse_pad(const HeliaTransform *self, const HeliaOpContext *c, const HeliaRegistryContext *registry)
{
    (void)self;
    AirGraph *g = c->graph;
    uint32_t len = 0;
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        AirNode *n = g->nodes.at[i];
        if (!fuse(c, registry, n))
            g->nodes.at[len++] = n;
    }
    g->nodes.len = len;
    air_rebuild_uses(g);
    return true;
}
