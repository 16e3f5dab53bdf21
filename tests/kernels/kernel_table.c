/* The kernels that are compared with the portable ones: a row for each variant. */
#include "kernel_case.h"

#include <string.h>

#include "helia_add_s8_dsp.h"
#include "helia_add_s8_mve.h"
#include "helia_add_s8_x86.h"
#include "helia_conv_2d_s16_simd.h"
#include "helia_conv_2d_s8_dsp.h"
#include "helia_conv_2d_s8_general_mve.h"
#include "helia_conv_2d_s8_groups_dsp.h"
#include "helia_conv_2d_s8_mve.h"
#include "helia_conv_2d_s8_plain_dsp.h"
#include "helia_conv_2d_s8_winograd_dsp.h"
#include "helia_conv_2d_s8_x86.h"
#include "helia_depthwise_conv_2d_s16_simd.h"
#include "helia_depthwise_conv_2d_s8_dsp.h"
#include "helia_depthwise_conv_2d_s8_general_dsp.h"
#include "helia_depthwise_conv_2d_s8_general_mve.h"
#include "helia_depthwise_conv_2d_s8_mve.h"
#include "helia_depthwise_conv_2d_s8_x86.h"
#include "helia_fully_connected_s16_simd.h"
#include "helia_fully_connected_s8_dsp.h"
#include "helia_fully_connected_s8_mve.h"
#include "helia_fully_connected_s8_plain_dsp.h"
#include "helia_fully_connected_s8_x86.h"
#include "helia_mean.h"
#include "helia_mul_s8_dsp.h"
#include "helia_mul_s8_mve.h"
#include "helia_pool_2d.h"
#include "helia_pool_2d_s8_mve.h"
#include "helia_pool_2d_s8_x86.h"
#include "helia_softmax.h"

/* Adapters from arrays of pointers to the kernels' own parameters. */
#define UNARY(symbol)                                                                                                  \
    static void call_##symbol(const void *params, void *const *args, void *scratch)                                    \
    {                                                                                                                  \
        (void)scratch;                                                                                                 \
        symbol(params, args[0], args[1]);                                                                              \
    }
#define BINARY(symbol)                                                                                                 \
    static void call_##symbol(const void *params, void *const *args, void *scratch)                                    \
    {                                                                                                                  \
        (void)scratch;                                                                                                 \
        symbol(params, args[0], args[1], args[2]);                                                                     \
    }
#define TERNARY(symbol)                                                                                                \
    static void call_##symbol(const void *params, void *const *args, void *scratch)                                    \
    {                                                                                                                  \
        (void)scratch;                                                                                                 \
        symbol(params, args[0], args[1], args[2], args[3]);                                                            \
    }
/* input, weights, bias, multipliers, shifts, output */
#define WEIGHTED(symbol)                                                                                               \
    static void call_##symbol(const void *params, void *const *args, void *scratch)                                    \
    {                                                                                                                  \
        (void)scratch;                                                                                                 \
        symbol(params, args[0], args[1], args[2], args[3], args[4], args[5]);                                          \
    }
#define UNARY_SCRATCH(symbol)                                                                                          \
    static void call_##symbol(const void *params, void *const *args, void *scratch)                                    \
    {                                                                                                                  \
        symbol(params, args[0], args[1], scratch);                                                                     \
    }
#define BINARY_SCRATCH(symbol)                                                                                         \
    static void call_##symbol(const void *params, void *const *args, void *scratch)                                    \
    {                                                                                                                  \
        symbol(params, args[0], args[1], args[2], scratch);                                                            \
    }

#define KERNELS(ROW)                                                                                                   \
    ROW(BINARY, helia_add_s8_dsp, helia_add_s8_dsp_params)                                                             \
    ROW(BINARY, helia_add_s8_mve, helia_add_s8_dsp_params)                                                             \
    ROW(BINARY, helia_add_s8_x86, helia_add_s8_dsp_params)                                                             \
    ROW(BINARY_SCRATCH, helia_conv_2d_s8_dsp, helia_conv_2d_s8_dsp_params)                                             \
    ROW(BINARY_SCRATCH, helia_conv_2d_s8_general_mve, helia_conv_2d_s8_general_mve_params)                             \
    ROW(BINARY_SCRATCH, helia_conv_2d_s8_groups_dsp, helia_conv_2d_s8_groups_dsp_params)                               \
    ROW(BINARY_SCRATCH, helia_conv_2d_s8_mve, helia_conv_2d_s8_mve_params)                                             \
    ROW(BINARY_SCRATCH, helia_conv_2d_s8_plain_dsp, helia_conv_2d_s8_plain_dsp_params)                                 \
    ROW(BINARY_SCRATCH, helia_conv_2d_s8_winograd_dsp, helia_conv_2d_s8_winograd_dsp_params)                           \
    ROW(BINARY_SCRATCH, helia_conv_2d_s8_x86, helia_conv_2d_s8_x86_params)                                             \
    ROW(BINARY_SCRATCH, helia_depthwise_conv_2d_s8_dsp, helia_depthwise_conv_2d_s8_dsp_params)                         \
    ROW(BINARY, helia_depthwise_conv_2d_s8_general_dsp, helia_depthwise_conv_2d_s8_general_dsp_params)                 \
    ROW(TERNARY, helia_depthwise_conv_2d_s8_general_mve, helia_depthwise_conv_2d_s8_general_mve_params)                \
    ROW(BINARY_SCRATCH, helia_depthwise_conv_2d_s8_compact_mve, helia_depthwise_conv_2d_s8_mve_params)                 \
    ROW(BINARY_SCRATCH, helia_depthwise_conv_2d_s8_mve, helia_depthwise_conv_2d_s8_mve_params)                         \
    ROW(BINARY_SCRATCH, helia_depthwise_conv_2d_s8_x86, helia_depthwise_conv_2d_s8_x86_params)                         \
    ROW(BINARY_SCRATCH, helia_fully_connected_s8_dsp, helia_fully_connected_s8_dsp_params)                             \
    ROW(BINARY, helia_fully_connected_s8_mve, helia_fully_connected_s8_mve_params)                                     \
    ROW(BINARY, helia_fully_connected_per_channel_s8_mve, helia_fully_connected_s8_mve_params)                         \
    ROW(BINARY, helia_fully_connected_s8_plain_dsp, helia_fully_connected_s8_plain_dsp_params)                         \
    ROW(BINARY_SCRATCH, helia_fully_connected_s8_x86, helia_fully_connected_s8_x86_params)                             \
    ROW(WEIGHTED, helia_conv_2d_s16_simd, helia_conv_2d_s16_params)                                                    \
    ROW(WEIGHTED, helia_conv_2d_s16_bias32_simd, helia_conv_2d_s16_params)                                             \
    ROW(WEIGHTED, helia_depthwise_conv_2d_s16_simd, helia_depthwise_conv_2d_s16_params)                                \
    ROW(WEIGHTED, helia_depthwise_conv_2d_s16_bias32_simd, helia_depthwise_conv_2d_s16_params)                         \
    ROW(WEIGHTED, helia_fully_connected_s16_simd, helia_fully_connected_s16_params)                                    \
    ROW(WEIGHTED, helia_fully_connected_s16_bias32_simd, helia_fully_connected_s16_params)                             \
    ROW(BINARY, helia_mul_s8_dsp, helia_mul_params)                                                                    \
    ROW(BINARY, helia_mul_s8_mve, helia_mul_params)                                                                    \
    ROW(UNARY, helia_average_pool_2d_s8_dsp, helia_pool_2d_params)                                                     \
    ROW(UNARY, helia_average_pool_2d_s8_mve, helia_pool_2d_params)                                                     \
    ROW(UNARY, helia_average_pool_2d_s8_x86, helia_pool_2d_params)                                                     \
    ROW(UNARY, helia_max_pool_2d_s8_dsp, helia_pool_2d_params)                                                         \
    ROW(UNARY, helia_max_pool_2d_s8_mve, helia_pool_2d_params)                                                         \
    ROW(UNARY, helia_mean_s8_dsp, helia_mean_params)                                                                   \
    ROW(UNARY_SCRATCH, helia_softmax_s8_once_c, helia_softmax_s8_params)

#define ADAPTER(kind, symbol, params) kind(symbol)
KERNELS(ADAPTER)

#define ENTRY(kind, symbol, params) {#symbol, sizeof(params), call_##symbol},
static const KernelEntry entries[] = {KERNELS(ENTRY)};

enum { COUNT = sizeof(entries) / sizeof(entries[0]) };

const KernelEntry *kernel_at(uint32_t i)
{
    return i < COUNT ? &entries[i] : NULL;
}

uint32_t kernel_index(const char *symbol)
{
    uint32_t i = 0;
    while (i < COUNT && strcmp(entries[i].symbol, symbol) != 0)
        i++;
    return i;
}
