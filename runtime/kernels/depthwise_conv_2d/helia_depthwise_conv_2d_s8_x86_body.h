/* The body of helia_depthwise_conv_2d_s8_x86. Inline, so that an operator's constants can reach it. */
#ifndef HELIA_DEPTHWISE_CONV_2D_S8_X86_BODY_H
#define HELIA_DEPTHWISE_CONV_2D_S8_X86_BODY_H

#include "helia_depthwise_conv_2d_s8_x86.h"
#include "helia_x86.h"

/* The rows under an output row, interleaved inside their border. zeros: a row outside of the image. */
HELIA_INLINE void helia_depthwise_x86_rows(const helia_conv_window *w, const int8_t *image, int32_t out_y,
                                           const int8_t *zeros, uint8_t *lines)
{
    const int32_t seen = helia_depthwise_x86_columns(w), columns = helia_min(w->in_w, seen - w->pad_left);
    lines += 4 * w->pad_left * w->in_c;
    for (int32_t q = 0; q < helia_depthwise_x86_quads(w); q++, lines += helia_depthwise_x86_line(w)) {
        const int8_t *row[4];
        for (int32_t k = 0; k < 4; k++) {
            const int32_t tap = helia_min(4 * q + k, w->kernel_h - 1);
            const int32_t y = out_y * w->stride_h - w->pad_top + tap * w->dilation_h;
            row[k] = y < 0 || y >= w->in_h ? zeros : image + y * w->in_w * w->in_c;
        }
        helia_x86_interleave(lines, row, columns * w->in_c);
    }
}

/* n units of `lanes` lanes each, `step` bytes from one to the next. n is a constant. */
HELIA_INLINE void helia_depthwise_x86_units(const helia_depthwise_conv_2d_s8_x86_params *p, int32_t n,
                                            const uint8_t *lines, int32_t step, const uint32_t *stream, int8_t *out,
                                            int32_t out_step, int32_t lanes)
{
    const helia_conv_window *w = &p->window;
    const helia_x86_range range = {p->out_zero, p->relu, p->min, p->max};
    const uint32_t *record = stream + helia_depthwise_x86_quads(w) * w->kernel_w * HELIA_X86_LANES;
    helia_x86_sums sums[HELIA_X86_SUMS];
    HELIA_UNROLL(8)
    for (int32_t i = 0; i < n; i++)
        sums[i] = helia_x86_bias(record);
    for (int32_t q = 0; q < helia_depthwise_x86_quads(w); q++, lines += helia_depthwise_x86_line(w)) {
        HELIA_UNROLL(3)
        for (int32_t k = 0; k < w->kernel_w; k++, stream += HELIA_X86_LANES) {
            const uint8_t *x = lines + 4 * k * w->dilation_w * w->in_c;
            const helia_x86_weights weights = helia_x86_load_weights(stream);
            HELIA_UNROLL(8)
            for (int32_t i = 0; i < n; i++)
                helia_x86_dot_each(&sums[i], &weights, x + i * step);
        }
    }
    HELIA_UNROLL(8)
    for (int32_t i = 0; i < n; i++)
        helia_x86_store(&range, sums[i], record, out + i * out_step, lanes);
}

/* One output row: units are pixels, or the pixels that share the lanes. */
HELIA_INLINE void helia_depthwise_x86_row(const helia_depthwise_conv_2d_s8_x86_params *p, const uint8_t *lines,
                                          const uint32_t *stream, int8_t *out)
{
    enum { TILE = HELIA_X86_SUMS < 4 ? HELIA_X86_SUMS : 4 };
    const helia_conv_window *w = &p->window;
    const int32_t words = helia_depthwise_x86_quads(w) * w->kernel_w * HELIA_X86_LANES + HELIA_X86_RECORD;
    const int32_t shared = helia_depthwise_x86_pixels(w), channels = shared * w->in_c, units = w->out_w / shared;
    const int32_t step = 4 * w->stride_w * channels, left = w->out_w % shared * w->in_c;
    for (int32_t c = 0; c < channels; c += HELIA_X86_LANES, lines += 64, stream += words, out += HELIA_X86_LANES) {
        const int32_t lanes = helia_min(channels - c, HELIA_X86_LANES);
        const uint8_t *x = lines;
        int8_t *y = out;
        for (int32_t i = units / TILE; i > 0; i--, x += TILE * step, y += TILE * channels)
            helia_depthwise_x86_units(p, TILE, x, step, stream, y, channels, lanes);
        for (int32_t i = units % TILE; i > 0; i--, x += step, y += channels)
            helia_depthwise_x86_units(p, 1, x, step, stream, y, channels, lanes);
        if (left)
            helia_depthwise_x86_units(p, 1, x, step, stream, y, channels, left);
    }
}

HELIA_INLINE void helia_depthwise_conv_2d_s8_x86_body(const helia_depthwise_conv_2d_s8_x86_params *p, const int8_t *in,
                                                      const uint32_t *stream, int8_t *out, void *scratch)
{
    const helia_conv_window *w = &p->window;
    const int32_t bytes = helia_depthwise_x86_quads(w) * helia_depthwise_x86_line(w);
    uint8_t *lines = scratch;
    int8_t *zeros = (int8_t *)(lines + bytes);
    memset(lines, p->in_zero + 128, (size_t)bytes);
    memset(zeros, p->in_zero, (size_t)(w->in_w * w->in_c));
    for (int32_t n = 0; n < w->batches; n++, in += w->in_h * w->in_w * w->in_c)
        for (int32_t y = 0; y < w->out_h; y++, out += w->out_w * w->out_c) {
            helia_depthwise_x86_rows(w, in, y, zeros, lines);
            helia_depthwise_x86_row(p, lines, stream, out);
        }
}

#endif
