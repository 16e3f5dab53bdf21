/* int8 CONV_2D with groups, for cores with the DSP extension, without conditions on weights, sums and scales: a group's
 * channels of each window, in the input itself or copied to scratch, are a row for helia_fully_connected_s8_plain_dsp. The
 * stream is that kernel's, with a scale for each channel, one of group_out units after the other. */
#ifndef HELIA_CONV_2D_S8_GROUPS_DSP_H
#define HELIA_CONV_2D_S8_GROUPS_DSP_H

#include "helia_conv_2d_s8_plain_dsp.h"

typedef struct helia_conv_2d_s8_groups_dsp_params {
    helia_conv_window window;
    int32_t filter_c;  /* input channels a group: in_c / groups */
    int32_t group_out; /* output channels a group: out_c / groups */
    int32_t in_zero, out_zero;
    int32_t min, max; /* the fused activation's range */
} helia_conv_2d_s8_groups_dsp_params;

/* A group's part of a window. */
static inline size_t helia_conv_2d_s8_groups_dsp_scratch(const void *params)
{
    const helia_conv_2d_s8_groups_dsp_params *p = params;
    const helia_conv_window *w = &p->window;
    return helia_conv_2d_s8_plain_dsp_in_place(w) ? 0 : (size_t)(w->kernel_h * w->kernel_w * p->filter_c);
}

void helia_conv_2d_s8_groups_dsp(const helia_conv_2d_s8_groups_dsp_params *p, const int8_t *in, const uint32_t *stream,
                                 int8_t *out, void *scratch);

#endif
