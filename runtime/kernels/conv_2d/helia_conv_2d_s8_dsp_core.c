/* The inner loops of helia_conv_2d_s8_dsp on cores that have the instructions. */
#include "helia_conv_2d_s8_dsp.h"

#if defined(__ARM_FEATURE_DSP)

/* Registers: r0 windows, r1 stream, r2-r4 pairs of the three pixels, r5-r7 sums of both channels, r8-r10 sums of channel B,
 * r11, r12 weights, lr turns. Frame: 0 out, 4 loops, 8 channel pairs left. */
#define PAIR(w)                                                                                                        \
    "ldm r0!, {r2, r3, r4}\n\t"                                                                                        \
    "smlad r5, " w ", r2, r5\n\tsmlad r6, " w ", r3, r6\n\tsmlad r7, " w ", r4, r7\n\t"                                \
    "sxtb16 " w ", " w "\n\t"                                                                                          \
    "smlad r8, " w ", r2, r8\n\tsmlad r9, " w ", r3, r9\n\tsmlad r10, " w ", r4, r10\n\t"
#define QUAD "ldrd r11, r12, [r1], #8\n\t" PAIR("r11") PAIR("r12")

/* a by m = r2, c = r3, R = r4, n = r11. */
#define RELU(a) "smmla " a ", " a ", r2, r3\n\tasr " a ", " a ", r4\n\tssat " a ", #8, " a "\n\t"
#define LINEAR(a)                                                                                                      \
    "and lr, r11, " a ", asr #31\n\tsmmla " a ", " a ", r2, r3\n\tsub " a ", " a ", lr\n\tasr " a ", " a ", r4\n\t"    \
    "ssat " a ", #8, " a "\n\t"
#define RELU_RECORD "ldm r1!, {r2, r3, r4}\n\t"
#define LINEAR_RECORD "ldm r1!, {r2, r3, r4, r11}\n\t"

#define CORE(name, RECORD, REQUANTIZE)                                                                                 \
    __attribute__((naked)) void name(const uint32_t *windows, const uint32_t *stream, int8_t *out,                     \
                                     const helia_conv_2d_s8_dsp_loops *loops)                                          \
    {                                                                                                                  \
        __asm__ volatile(                                                                                              \
            "push {r4-r11, lr}\n\t"                                                                                    \
            "ldr r4, [r3, #0]\n\t"                                                                                     \
            "push {r2, r3, r4}\n\t"                                                                                    \
            "1:\n\t"                                                                                                   \
            "ldr r2, [sp, #4]\n\t"                                                                                     \
            "ldrd r5, r8, [r1], #8\n\t"                                                                                \
            "ldrd r3, lr, [r2, #8]\n\t"                                                                                \
            "mov r6, r5\n\tmov r7, r5\n\tmov r9, r8\n\tmov r10, r8\n\t"                                                \
            "tbb [pc, r3]\n\t"                                                                                         \
            "2:\n\t"                                                                                                   \
            ".byte (3f - 2b) / 2\n\t.byte (4f - 2b) / 2\n\t.byte (5f - 2b) / 2\n\t.byte (6f - 2b) / 2\n\t"             \
            "3:\n\t" QUAD "6:\n\t" QUAD "5:\n\t" QUAD "4:\n\t" QUAD                                                    \
            "subs lr, lr, #1\n\t"                                                                                      \
            "bne 3b\n\t"                                                                                               \
            "sub r5, r5, r8\n\tsub r6, r6, r9\n\tsub r7, r7, r10\n\t"                                                  \
            "lsl r8, r8, #8\n\tlsl r9, r9, #8\n\tlsl r10, r10, #8\n\t"                                                 \
            RECORD REQUANTIZE("r5") REQUANTIZE("r6") REQUANTIZE("r7")                                                  \
            RECORD REQUANTIZE("r8") REQUANTIZE("r9") REQUANTIZE("r10")                                                 \
            "ldm sp, {r2, r3, r4}\n\t"                                                                                 \
            "ldr r12, [r3, #16]\n\t"                                                                                   \
            "ldr r3, [r3, #4]\n\t"                                                                                     \
            "sub r0, r0, r12\n\t"                                                                                      \
            "strb r5, [r2]\n\tstrb r6, [r2, r3]\n\tstrb r7, [r2, r3, lsl #1]\n\t"                                      \
            "add r2, r2, #1\n\t"                                                                                       \
            "strb r8, [r2]\n\tstrb r9, [r2, r3]\n\tstrb r10, [r2, r3, lsl #1]\n\t"                                     \
            "add r2, r2, #1\n\tstr r2, [sp]\n\t"                                                                       \
            "subs r4, r4, #1\n\tstr r4, [sp, #8]\n\t"                                                                  \
            "bne 1b\n\t"                                                                                               \
            "add sp, sp, #12\n\tpop {r4-r11, pc}\n\t");                                                                \
    }

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-parameter" /* the assembly takes them from their registers */
#endif
CORE(helia_conv_2d_s8_dsp_core_relu, RELU_RECORD, RELU)
CORE(helia_conv_2d_s8_dsp_core_linear, LINEAR_RECORD, LINEAR)

#else
typedef int helia_conv_2d_s8_dsp_core_is_elsewhere; /* helia_conv_2d_s8_dsp_core_c.c */
#endif
