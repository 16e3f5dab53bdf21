/* int8 CONV_2D with groups or dilated columns, for cores with MVE: a group's part of the windows of four output pixels is
 * gathered in scratch, tap by tap, for the inner loops of helia_conv_2d_s8_mve.
 *
 * The stream is that kernel's for groups of pixels, one of group_out channels after the other. */
#ifndef HELIA_CONV_2D_S8_GENERAL_MVE_H
#define HELIA_CONV_2D_S8_GENERAL_MVE_H

#include "helia_conv_2d_s8_mve.h"

typedef struct helia_conv_2d_s8_general_mve_params {
    helia_conv_window window;
    int32_t filter_c;  /* input channels a group: in_c / groups */
    int32_t group_out; /* output channels a group: out_c / groups */
    int32_t in_zero, out_zero;
    int32_t relu;     /* the activation's lower bound is at or above the output's zero point */
    int32_t min, max; /* the fused activation's range */
} helia_conv_2d_s8_general_mve_params;

/* The window as a group sees it. */
static inline helia_conv_window helia_conv_2d_s8_general_mve_group(const helia_conv_2d_s8_general_mve_params *p)
{
    helia_conv_window group = p->window;
    group.in_c = p->filter_c;
    group.out_c = p->group_out;
    return group;
}

/* Four windows in chunks, one in order, the addresses of their taps (8 bytes for each, whatever the machine), and a pixel
 * outside the image. */
static inline size_t helia_conv_2d_s8_general_mve_scratch(const void *params)
{
    const helia_conv_2d_s8_general_mve_params *p = params;
    const helia_conv_window group = helia_conv_2d_s8_general_mve_group(p);
    return (size_t)(helia_conv_2d_s8_mve_chunks(&group) * 80 + group.kernel_h * group.kernel_w * 32 + p->window.in_c);
}

/* scratch is aligned to 8. */
void helia_conv_2d_s8_general_mve(const helia_conv_2d_s8_general_mve_params *p, const int8_t *in,
                                  const uint32_t *stream, int8_t *out, void *scratch);

#endif
