/* DEPTHWISE_CONV_2D for x86-64: conditions and the stream of weights. */
#include "pack/depthwise_x86.h"

#include <helia_aot/emit.h>

#include "helia_depthwise_conv_2d_s8_x86.h"
#include "helia_x86.h"
#include "pack/x86.h"

const char *depthwise_x86_fits(const HeliaOpContext *c, const AirNode *n)
{
    const char *why = fits_weights_s8(c, n);
    if (why)
        return why;
    const helia_conv_window *w = &((const WindowLayer *)n->facts)->window;
    const int64_t columns = (int64_t)(w->out_w - 1) * w->stride_w + (int64_t)(w->kernel_w - 1) * w->dilation_w + 1;
    const int64_t quads = helia_depthwise_x86_quads(w), record = HELIA_X86_RECORD / HELIA_X86_LANES;
    if (w->in_c != w->out_c)
        return "the depth multiplier is not 1";
    if ((columns + 1) * (w->in_c + HELIA_X86_LANES) > PACK_MOST_BYTES / 8 / quads)
        return "the rows that an output row sees are too large";
    if ((quads * w->kernel_w + record) * (w->in_c + HELIA_X86_LANES) > PACK_MOST_BYTES / 4)
        return "the padded weights are too large";
    return packed_scales_misfit(c->arena, n, w->in_c);
}

/* A lane of the block whose weights begin at `words`. */
static void pack_lane(const AirNode *n, const helia_conv_window *w, const int8_t *weights, int32_t channel,
                      uint32_t *words, int32_t lane)
{
    const PackedChannel facts = x86_channel(n, weights + channel, w->kernel_h * w->kernel_w, w->in_c, channel,
                                            channel_scale(n, channel));
    for (int32_t i = 0; i < w->kernel_h * w->kernel_w; i++) {
        const int32_t row = i / w->kernel_w, at = (row / 4 * w->kernel_w + i % w->kernel_w) * HELIA_X86_LANES + lane;
        words[at] |= (uint32_t)(uint8_t)weights[i * w->in_c + channel] << row % 4 * 8;
    }
    x86_record_lane(words + helia_depthwise_x86_quads(w) * w->kernel_w * HELIA_X86_LANES, lane, &facts);
}

bool depthwise_x86_prepare(const HeliaOpContext *c, AirNode *n)
{
    const WindowLayer *layer = n->facts;
    const helia_conv_window *w = &layer->window;
    helia_depthwise_conv_2d_s8_x86_params *p = HELIA_NEW(c->arena, helia_depthwise_conv_2d_s8_x86_params);
    const int32_t out_zero = zero_of(n->out[0]);
    *p = (helia_depthwise_conv_2d_s8_x86_params){*w,         zero_of(n->in[0]), out_zero, layer->min >= out_zero,
                                                 layer->min, layer->max};
    const int8_t *weights = weights_as_int8(c, n)->data;
    const int32_t words = helia_depthwise_x86_quads(w) * w->kernel_w * HELIA_X86_LANES + HELIA_X86_RECORD;
    const int32_t lanes = helia_depthwise_x86_pixels(w) * w->in_c;
    const int32_t count = (lanes + HELIA_X86_LANES - 1) / HELIA_X86_LANES * words;
    uint32_t *stream = HELIA_NEW_N(c->arena, uint32_t, (size_t)count);
    for (int32_t i = 0; i < lanes; i++)
        pack_lane(n, w, weights, i % w->in_c, stream + (size_t)(i / HELIA_X86_LANES) * (size_t)words,
                  i % HELIA_X86_LANES);
    n->params = p;
    pack_args(c, n, "stream", stream, count);
    return true;
}

static void print(HeliaOut *o, const void *params)
{
    const helia_depthwise_conv_2d_s8_x86_params *p = params;
    print_conv_window(o, &p->window);
    PRINT_INT(o, p, in_zero);
    PRINT_INT(o, p, out_zero);
    PRINT_INT(o, p, relu);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

bool depthwise_x86_emit(struct HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_depthwise_conv_2d_s8_x86_params", print);
}
