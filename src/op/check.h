/* Checks that operator classes share. Each reports what was found and what would be accepted, and returns false. */
#ifndef OP_CHECK_H
#define OP_CHECK_H

#include "op/quant.h"

bool check_fail(const HeliaOpContext *c, const AirNode *n, const char *fmt, ...) HELIA_PRINTF(3, 4);
/* Input i / output i exists, has one of the types (a list ending with -1) ... */
bool check_in_type(const HeliaOpContext *c, const AirNode *n, uint32_t i, const char *what, const int *types);
bool check_out_type(const HeliaOpContext *c, const AirNode *n, uint32_t i, const char *what, const int *types);
bool check_rank(const HeliaOpContext *c, const AirNode *n, const AirTensor *t, const char *what, int32_t lo,
                int32_t hi);
bool check_constant(const HeliaOpContext *c, const AirNode *n, const AirTensor *t, const char *what);
/* A quantised type has a per-tensor scale > 0. True for float and plain integers. */
bool check_per_tensor(const HeliaOpContext *c, const AirNode *n, const AirTensor *t, const char *what);
bool check_same_quant(const HeliaOpContext *c, const AirNode *n, const AirTensor *a, const AirTensor *b,
                      const char *what);
bool check_same_shape(const HeliaOpContext *c, const AirNode *n, const AirTensor *a, const AirTensor *b,
                      const char *what);
/* Fixed output quantisation, as SOFTMAX and LOGISTIC have. */
bool check_fixed_quant(const HeliaOpContext *c, const AirNode *n, const AirTensor *t, const char *what, float scale,
                       int32_t zero);

/* NONE, RELU, RELU_N1_TO_1 or RELU6: what the arithmetic kernels fuse. */
bool check_activation(const HeliaOpContext *c, const AirNode *n, int32_t activation);
/* quantize_multiplier, refused where the left shift is more than 30 (an output scale too small) or d is no number. */
bool check_multiplier(const HeliaOpContext *c, const AirNode *n, const char *what, double d, int32_t *m, int32_t *e);

/* The usual `fits` of kernel rows: by the type of output 0. */
const char *fits_out_s8(const HeliaOpContext *c, const AirNode *n);
const char *fits_out_u8(const HeliaOpContext *c, const AirNode *n);
const char *fits_out_s16(const HeliaOpContext *c, const AirNode *n);
const char *fits_out_s32(const HeliaOpContext *c, const AirNode *n);
const char *fits_out_s64(const HeliaOpContext *c, const AirNode *n);
const char *fits_out_f32(const HeliaOpContext *c, const AirNode *n);

/* For infer functions: sets the output's shape where the graph left it open (dynamic), else compares. */
bool infer_output(const HeliaOpContext *c, AirNode *n, uint32_t i, int32_t rank, const int32_t *dim);
/* numpy broadcasting of two inputs' shapes to output 0. */
bool infer_broadcast(const HeliaOpContext *c, AirNode *n);
/* Output extent and the padding before, of a window operator: SAME ceil(in / stride), VALID (in - k' + stride) / stride,
 * k' = (k - 1) * dilation + 1. False (no message) when the extent would not be positive. */
bool window_extent(Padding padding, int32_t in, int32_t k, int32_t stride, int32_t dilation, int32_t *out,
                   int32_t *pad_before);
/* Zeros around the input before SAME or VALID applies, an option that fuse_pad sets: rows above and below, columns left
 * and right; none where it is empty. */
typedef struct ExplicitPadding {
    int32_t at[AIR_MAX_RANK];
    uint32_t n; /* 0 or 4 */
} ExplicitPadding;
/* clang-format off */
#define FIELD_EXPLICIT_PADDING(T)                                                                                      \
    {"explicit_padding", HELIA_FIELD_INTS, offsetof(T, explicit_padding.at), offsetof(T, explicit_padding.n), NULL}
/* clang-format on */
/* reach: of the kernel, the most that is accepted on a side. */
bool check_explicit_padding(const HeliaOpContext *c, const AirNode *n, const ExplicitPadding *p, int64_t reach_h,
                            int64_t reach_w);
/* The integers of a constant int32 or int64 tensor. False after reporting when not constant. */
bool constant_ints(const HeliaOpContext *c, const AirNode *n, const AirTensor *t, const char *what, int64_t *values,
                   uint32_t max, uint32_t *count);

/* Options of operators that have none but a fused activation, and the like, are registered with these. */
/* clang-format off */
#define FIELD_INT(T, f) {#f, HELIA_FIELD_INT, offsetof(T, f), 0, NULL}
#define FIELD_ENUM(T, f, words) {#f, HELIA_FIELD_INT, offsetof(T, f), 0, words}
#define FIELD_BOOL(T, f) {#f, HELIA_FIELD_BOOL, offsetof(T, f), 0, NULL}
#define FIELD_FLOAT(T, f) {#f, HELIA_FIELD_FLOAT, offsetof(T, f), 0, NULL}
#define FIELD_INTS(T, f, n) {#f, HELIA_FIELD_INTS, offsetof(T, f), offsetof(T, n), NULL}
/* clang-format on */
#define FIELD_COUNT(a) ((uint32_t)(sizeof(a) / sizeof((a)[0])))

#endif
