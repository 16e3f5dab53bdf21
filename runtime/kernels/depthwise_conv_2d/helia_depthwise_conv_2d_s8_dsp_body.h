/* The body of helia_depthwise_conv_2d_s8_dsp: packs row pairs and runs the inner loops on them. Inline, so that an
 * operator's constants can reach it. */
#ifndef HELIA_DEPTHWISE_CONV_2D_S8_DSP_BODY_H
#define HELIA_DEPTHWISE_CONV_2D_S8_DSP_BODY_H

#include "helia_depthwise_conv_2d_s8_dsp.h"
#include "helia_dsp.h"

/* n columns of four channels: rows a and b to the four lines, `plane` words apart. */
HELIA_INLINE void helia_depthwise_dsp_pack(const int8_t *a, int32_t step_a, const int8_t *b, int32_t step_b, int32_t n,
                                           uint32_t *line, int32_t plane)
{
    HELIA_UNROLL(8)
    for (int32_t i = 0; i < n; i++, a += step_a, b += step_b, line++) {
        uint32_t upper = helia_load4(a), lower = helia_load4(b);
        uint32_t even = (upper & 0xffffu) | lower << 16, odd = upper >> 16 | (lower & 0xffff0000u);
        line[0] = helia_sxtb16(even);
        line[plane] = helia_sxtb16_high(even);
        line[2 * plane] = helia_sxtb16(odd);
        line[3 * plane] = helia_sxtb16_high(odd);
    }
}

/* Rows of which one or both lie outside the image; `border` is four bytes of the input's zero point. */
static inline void helia_depthwise_dsp_border(const int8_t *upper, const int8_t *lower, int32_t step,
                                              const int8_t *border, int32_t n, uint32_t *line, int32_t plane)
{
    for (int32_t i = 0; i < n; i++)
        helia_depthwise_dsp_pack(upper ? upper + i * step : border, 0, lower ? lower + i * step : border, 0, 1,
                                 line + i, plane);
}

/* A record from a compact one. */
HELIA_INLINE void helia_depthwise_dsp_expand(const helia_depthwise_conv_2d_s8_dsp_params *p, const uint32_t *compact,
                                             uint32_t *record)
{
    const int8_t *w = (const int8_t *)(compact + 2);
    const int32_t k = w[9], r = w[10], rounds = r >= k; /* rs > 0 */
    record[0] = compact[0] << k;
    for (int32_t x = 0; x < 3; x++) {
        const int32_t unit = 1 << k;
        record[1 + x] = helia_pair(w[x] * unit, w[3 + x] * unit);
        record[4 + x] = helia_pair(w[3 + x] * unit, w[6 + x] * unit);
    }
    record[7] = (uint32_t)r;
    record[8] = compact[1];
    record[9] = (uint32_t)((1 << k >> 2) + (rounds << r >> 1) + p->out_zero * (1 << r));
    record[10] = (uint32_t)(rounds << k >> 1);
}

/* Where the core's blocks are. */
HELIA_INLINE helia_depthwise_dsp_loops helia_depthwise_dsp_loops_of(const helia_conv_window *w)
{
    const int32_t stride = w->stride_w, rest = w->out_w % 4, small = stride == 1 && rest < 3;
    const int32_t columns = small ? w->out_w - rest : w->out_w, two = small && rest == 2;
    const int32_t consumed = (columns + 3) / 4 * 4 + 2 * two;
    const helia_depthwise_dsp_loops loops = {columns,
                                             two,
                                             small && rest == 1,
                                             w->in_c,
                                             0,
                                             8 * helia_depthwise_dsp_line(w) - 4 * stride * consumed,
                                             1 - consumed * w->in_c};
    return loops;
}

HELIA_INLINE void helia_depthwise_conv_2d_s8_dsp_body(const helia_depthwise_conv_2d_s8_dsp_params *p, const int8_t *in,
                                                      const uint32_t *records, int8_t *out, void *scratch)
{
    const helia_conv_window *w = &p->window;
    const int32_t width = helia_depthwise_dsp_line(w), c = w->in_c, row = w->in_w * c, one = w->stride_w == 1;
    const int32_t end = width < w->in_w + w->pad_left ? width : w->in_w + w->pad_left, columns = end - w->pad_left;
    helia_depthwise_dsp_core *core = one ? (p->relu ? helia_depthwise_dsp_s1_relu : helia_depthwise_dsp_s1_linear)
                                         : (p->relu ? helia_depthwise_dsp_s2_relu : helia_depthwise_dsp_s2_linear);
    helia_depthwise_dsp_loops loops = helia_depthwise_dsp_loops_of(w);
    uint32_t *lines = scratch, *expanded = lines + helia_depthwise_dsp_lines_words(w);
    int8_t border[4];
    memset(border, p->in_zero, 4);
    for (int32_t i = 0; i < 8 * width; i++)
        lines[i] = (uint32_t)(uint16_t)p->in_zero * 0x00010001u;
    for (int32_t n = 0; n < w->batches; n++, in += w->in_h * row, out += w->out_h * w->out_w * c) {
        for (int32_t first = 0; first < c; first += 4) {
            if (first > c - 4)
                first = c - 4;
            const uint32_t *four = records + first * HELIA_DEPTHWISE_DSP_RECORD;
            if (p->compact) {
                for (int32_t i = 0; i < 4; i++)
                    helia_depthwise_dsp_expand(p, records + (first + i) * HELIA_DEPTHWISE_DSP_COMPACT,
                                               expanded + i * HELIA_DEPTHWISE_DSP_RECORD);
                four = expanded;
            }
            uint32_t *upper = lines + width, *lower = lines;
            int8_t *row_out = out + first;
            int32_t y = -w->pad_top;
            for (int32_t at = one ? -2 : -1; at < w->out_h; at += one ? 2 : 1, y += 2) {
                if (y >= 0 && y + 1 < w->in_h)
                    helia_depthwise_dsp_pack(in + first + y * row, c, in + first + (y + 1) * row, c, columns,
                                             lower + w->pad_left, 2 * width);
                else
                    helia_depthwise_dsp_border(y >= 0 && y < w->in_h ? in + first + y * row : NULL,
                                               y + 1 >= 0 && y + 1 < w->in_h ? in + first + (y + 1) * row : NULL, c,
                                               border, columns, lower + w->pad_left, 2 * width);
                if (at >= 0) {
                    loops.row_bytes = one && at + 1 < w->out_h ? w->out_w * c : 0;
                    core(upper, lower, four, row_out, &loops);
                    row_out += (one ? 2 : 1) * w->out_w * c;
                }
                uint32_t *swap = upper;
                upper = lower;
                lower = swap;
            }
        }
        if (p->min > INT8_MIN || p->max < INT8_MAX)
            for (int32_t i = 0; i < w->out_h * w->out_w * c; i++)
                out[i] = (int8_t)(out[i] < p->min ? p->min : out[i] > p->max ? p->max : out[i]);
    }
}

#endif
