/* What CONV_2D, DEPTHWISE_CONV_2D and FULLY_CONNECTED share: input 0 data, input 1 weights, input 2 bias or none. */
#ifndef OP_WEIGHTS_H
#define OP_WEIGHTS_H

#include "helia_conv_window.h"
#include "op/check.h"
#include "op/print.h"

/* The bias, NULL where it is absent. */
AirTensor *weights_bias(const AirNode *n);
/* Types (int8 or int16 with int8 or int4 weights, or all float32), quantisation (weights symmetric; per channel along `axis` with
 * `channels` scales, or per tensor), bias length and type (int64 too for int16); weights and bias constant where quantised. */
bool check_weights(const HeliaOpContext *c, const AirNode *n, int32_t axis, int32_t channels, bool allow_zero_point);
/* The weights as int8: those of the model, or unpacked from int4. */
AirTensor *weights_as_int8(const HeliaOpContext *c, const AirNode *n);
/* Checks every channel's multiplier, and makes the two constants. */
bool weights_multipliers(const HeliaOpContext *c, const AirNode *n, uint32_t channels, AirTensor **multipliers,
                         AirTensor **shifts);
/* int16 data: the sum has 64 bits where the bias has or is absent, and is scaled by a multiplier of 16 bits; else 32. */
bool weights_sum_wide(const AirNode *n);
/* NULL, or why the rows cannot have the node: its types, or a class with an on_resolve that did not find the facts. */
const char *fits_weights_s8(const HeliaOpContext *c, const AirNode *n);
const char *fits_weights_f32(const HeliaOpContext *c, const AirNode *n);
const char *fits_s16_wide(const HeliaOpContext *c, const AirNode *n);
const char *fits_s16_narrow(const HeliaOpContext *c, const AirNode *n);
/* Multipliers of int16 data as constants, from the real factors, or a factor for each channel from the scales. */
bool weights_factors_s16(const HeliaOpContext *c, const AirNode *n, uint32_t count, const double *factor,
                         AirTensor **multipliers, AirTensor **shifts);
bool weights_multipliers_s16(const HeliaOpContext *c, const AirNode *n, uint32_t channels, AirTensor **multipliers,
                             AirTensor **shifts);
/* A layer with a window, placed, as the node's facts. min, max: of the activation where the output is an integer. */
typedef struct WindowLayer {
    helia_conv_window window;
    int32_t min, max;
} WindowLayer;
/* FULLY_CONNECTED in the same way. scale: of all units where the weights have one scale, rounded as TFLite Micro does. */
typedef struct DenseLayer {
    int32_t rows, depth, units;
    bool per_channel;
    double scale;
    int32_t min, max;
} DenseLayer;
/* input, weights as int8, bias, multipliers, shifts, output. */
void weights_args(const HeliaOpContext *c, AirNode *n, AirTensor *multipliers, AirTensor *shifts);
/* Options that windows have: positive strides and dilations, SAME or VALID. */
bool check_window_options(const HeliaOpContext *c, const AirNode *n, int32_t padding, int32_t stride_h,
                          int32_t stride_w, int32_t dilation_h, int32_t dilation_w);
/* Output extents and padding from the other fields; false after reporting when the kernel does not fit. */
bool place_conv_window(const HeliaOpContext *c, const AirNode *n, Padding padding,
                       const ExplicitPadding *explicit_padding, helia_conv_window *w);
void print_conv_window(HeliaOut *o, const helia_conv_window *w);

#endif
