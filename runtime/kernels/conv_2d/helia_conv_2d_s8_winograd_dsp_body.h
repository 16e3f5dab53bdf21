/* The body of helia_conv_2d_s8_winograd_dsp: transforms each image row once, three rows in a ring. Inline, so that an
 * operator's constants can reach it. */
#ifndef HELIA_CONV_2D_S8_WINOGRAD_DSP_BODY_H
#define HELIA_CONV_2D_S8_WINOGRAD_DSP_BODY_H

#include "helia_conv_2d_s8_winograd_dsp.h"
#include "helia_dsp.h"

/* The components of one tile of one channel pair. */
HELIA_INLINE void helia_winograd_tile(uint32_t d0, uint32_t d1, uint32_t d2, uint32_t d3, uint32_t *line,
                                      int32_t component)
{
    line[0] = helia_ssub16(d0, d2);
    line[component] = helia_sadd16(d1, d2);
    line[2 * component] = helia_ssub16(d2, d1);
    line[3 * component] = helia_ssub16(d3, d1);
}

/* Two columns of four channels from x on, as two pairs each; outside the image the input's zero point. */
HELIA_INLINE void helia_winograd_columns(const int8_t *row, int32_t x, int32_t in_w, int32_t in_c, uint32_t border,
                                         uint32_t even[2], uint32_t odd[2])
{
    for (int32_t i = 0; i < 2; i++) {
        uint32_t v = x + i >= 0 && x + i < in_w ? helia_load4(row + (x + i) * in_c) : border;
        even[i] = helia_sxtb16(v);
        odd[i] = helia_sxtb16_high(v);
    }
}

/* row NULL: above or below the image. */
HELIA_INLINE void helia_winograd_row(const helia_conv_2d_s8_winograd_dsp_params *p, const int8_t *row, uint32_t *line)
{
    const helia_conv_window *w = &p->window;
    const int32_t component = helia_winograd_component(w), in_w = row ? w->in_w : 0;
    const uint32_t border = (uint32_t)(uint8_t)p->in_zero * 0x01010101u;
    for (int32_t c = 0; c < w->in_c; c += 4) {
        uint32_t even[4], odd[4];
        const int8_t *src = row ? row + c : NULL;
        helia_winograd_columns(src, -w->pad_left, in_w, w->in_c, border, even, odd);
        for (int32_t tile = 0; tile < w->out_w / 2; tile++) {
            uint32_t *at = line + tile / 4 * (2 * w->in_c) + c / 2 * 4 + tile % 4;
            helia_winograd_columns(src, 2 * tile + 2 - w->pad_left, in_w, w->in_c, border, even + 2, odd + 2);
            helia_winograd_tile(even[0], even[1], even[2], even[3], at, component);
            helia_winograd_tile(odd[0], odd[1], odd[2], odd[3], at + 4, component);
            even[0] = even[2];
            even[1] = even[3];
            odd[0] = odd[2];
            odd[1] = odd[3];
        }
    }
}

HELIA_INLINE void helia_conv_2d_s8_winograd_dsp_body(const helia_conv_2d_s8_winograd_dsp_params *p, const int8_t *in,
                                                     const uint32_t *stream, int8_t *out, void *scratch)
{
    const helia_conv_window *w = &p->window;
    helia_winograd_core *core = p->relu ? helia_winograd_core_relu : helia_winograd_core_linear;
    const int32_t component = helia_winograd_component(w), row = w->in_w * w->in_c;
    uint32_t *lines = scratch;
    helia_winograd_loops loops = {{NULL, NULL, NULL}, component * 4, w->in_c * 8, w->out_c / 2, w->out_c * 2};
    for (int32_t n = 0; n < w->batches; n++, in += w->in_h * row) {
        for (int32_t y = -w->pad_top; y < w->out_h + 2 - w->pad_top; y++) {
            int32_t at = y + w->pad_top; /* the at-th line, in the ring at at % 3 */
            helia_winograd_row(p, y >= 0 && y < w->in_h ? in + y * row : NULL, lines + at % 3 * 4 * component);
            if (at < 2)
                continue;
            for (int32_t group = 0; group < w->out_w / 8; group++, out += 8 * w->out_c) {
                for (int32_t i = 0; i < 3; i++)
                    loops.row[i] = lines + (at - 2 + i) % 3 * 4 * component + group * 2 * w->in_c;
                core(stream, out, &loops);
            }
        }
    }
    if (p->min > INT8_MIN || p->max < INT8_MAX)
        for (int32_t i = -w->batches * w->out_h * w->out_w * w->out_c; i < 0; i++)
            out[i] = (int8_t)(out[i] < p->min ? p->min : out[i] > p->max ? p->max : out[i]);
}

#endif
