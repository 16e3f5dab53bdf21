/* AVERAGE_POOL_2D and MAX_POOL_2D over NHWC with a fused activation. Positions outside the image do not count.
 * Input and output have the same quantisation. */
#ifndef HELIA_POOL_2D_H
#define HELIA_POOL_2D_H

#include <stdint.h>

typedef struct helia_pool_2d_window {
    int32_t batches, in_h, in_w, channels;
    int32_t out_h, out_w;
    int32_t filter_h, filter_w;
    int32_t stride_h, stride_w;
    int32_t pad_top, pad_left; /* rows above and columns left of the image in the first window */
} helia_pool_2d_window;

typedef struct helia_pool_2d_params {
    helia_pool_2d_window window;
    int32_t min, max; /* the fused activation's range */
} helia_pool_2d_params;

typedef struct helia_pool_2d_f32_params {
    helia_pool_2d_window window;
    float min, max;
} helia_pool_2d_f32_params;

/* The part of one output's window that lies in the image: rows y0 to y1 - 1, columns x0 to x1 - 1; never empty. */
typedef struct helia_pool_2d_area {
    int32_t y0, y1, x0, x1;
} helia_pool_2d_area;

static inline helia_pool_2d_area helia_pool_2d_clip(const helia_pool_2d_window *w, int32_t out_y, int32_t out_x)
{
    int32_t y = out_y * w->stride_h - w->pad_top, x = out_x * w->stride_w - w->pad_left;
    helia_pool_2d_area a;
    a.y0 = y < 0 ? 0 : y;
    a.x0 = x < 0 ? 0 : x;
    a.y1 = w->filter_h < w->in_h - y ? y + w->filter_h : w->in_h;
    a.x1 = w->filter_w < w->in_w - x ? x + w->filter_w : w->in_w;
    return a;
}

/* Whether some window reaches out of the image. */
static inline int32_t helia_pool_2d_has_border(const helia_pool_2d_window *w)
{
    return w->pad_top > 0 || w->pad_left > 0 || (w->out_h - 1) * w->stride_h + w->filter_h > w->in_h ||
           (w->out_w - 1) * w->stride_w + w->filter_w > w->in_w;
}

void helia_average_pool_2d_s8_c(const helia_pool_2d_params *p, const int8_t *restrict in, int8_t *restrict out);
void helia_average_pool_2d_s8_dsp(const helia_pool_2d_params *p, const int8_t *in,
                                  int8_t *out); /* 256 pixels at most */
void helia_average_pool_2d_u8_c(const helia_pool_2d_params *p, const uint8_t *restrict in, uint8_t *restrict out);
void helia_average_pool_2d_s16_c(const helia_pool_2d_params *p, const int16_t *restrict in, int16_t *restrict out);
void helia_average_pool_2d_f32_c(const helia_pool_2d_f32_params *p, const float *restrict in, float *restrict out);
void helia_max_pool_2d_s8_c(const helia_pool_2d_params *p, const int8_t *restrict in, int8_t *restrict out);
void helia_max_pool_2d_s8_dsp(const helia_pool_2d_params *p, const int8_t *in, int8_t *out);
void helia_max_pool_2d_u8_c(const helia_pool_2d_params *p, const uint8_t *restrict in, uint8_t *restrict out);
void helia_max_pool_2d_s16_c(const helia_pool_2d_params *p, const int16_t *restrict in, int16_t *restrict out);
void helia_max_pool_2d_f32_c(const helia_pool_2d_f32_params *p, const float *restrict in, float *restrict out);

#endif
