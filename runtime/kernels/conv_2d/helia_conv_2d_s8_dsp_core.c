/* The inner loops of helia_conv_2d_s8_dsp on cores that have the instructions. */
#include "helia_conv_2d_s8_dsp.h"

#if defined(__ARM_FEATURE_DSP)

/* clang-format off */

/* Registers: r0 windows, r1 stream, r2-r4 pairs of the three pixels, r5-r7 sums of both channels, r8-r10 sums of channel B,
 * r11, r12 weights, lr turns. Frame: 0 out, 4 out_c, 8 end of out, 12 turns, 16 where the first turn is entered, 20
 * windows. The biases come in r7 and r10, which the first pair reads before it writes them. */
#define FIRST(w)                                                                                                       \
    "ldm r0!, {r2, r3, r4}\n\t"                                                                                        \
    "smlad r5, " w ", r2, r7\n\tsmlad r6, " w ", r3, r7\n\tsmlad r7, " w ", r4, r7\n\t"                                \
    "sxtb16 " w ", " w "\n\t"                                                                                          \
    "smlad r8, " w ", r2, r10\n\tsmlad r9, " w ", r3, r10\n\tsmlad r10, " w ", r4, r10\n\t"
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
            "ldm r3, {r4, r5, r6, r7}\n\t"                                                                             \
            "add r4, r2, r4, lsl #1\n\t"                                                                               \
            "adr r8, 2f\n\t"                                                                                           \
            "ldr r8, [r8, r6, lsl #2]\n\t"                                                                             \
            "adr r9, 2f\n\t"                                                                                           \
            "add r8, r8, r9\n\t"                                                                                       \
            "sub sp, sp, #24\n\t"                                                                                      \
            "strd r2, r5, [sp, #0]\n\tstrd r4, r7, [sp, #8]\n\tstrd r8, r0, [sp, #16]\n\t"                             \
            "1:\n\t"                                                                                                   \
            "ldrd r7, r10, [r1], #8\n\t"                                                                               \
            "ldrd r11, r12, [r1], #8\n\t"                                                                              \
            "ldr lr, [sp, #12]\n\t" FIRST("r11") PAIR("r12")                                                           \
            "ldr pc, [sp, #16]\n\t"                                                                                    \
            ".p2align 2\n\t"                                                                                           \
            "2:\n\t"                                                                                                   \
            ".word 7f - 2b + 1\n\t.word 4f - 2b + 1\n\t.word 5f - 2b + 1\n\t.word 6f - 2b + 1\n\t.word 3f - 2b + 1\n\t" \
            "3:\n\t" QUAD "6:\n\t" QUAD "5:\n\t" QUAD "4:\n\t" QUAD                                                    \
            "subs lr, lr, #1\n\t"                                                                                      \
            "bne 3b\n\t"                                                                                               \
            "7:\n\t"                                                                                                   \
            "sub r5, r5, r8\n\tsub r6, r6, r9\n\tsub r7, r7, r10\n\t"                                                  \
            "lsl r8, r8, #8\n\tlsl r9, r9, #8\n\tlsl r10, r10, #8\n\t"                                                 \
            RECORD REQUANTIZE("r5") REQUANTIZE("r6") REQUANTIZE("r7")                                                  \
            RECORD REQUANTIZE("r8") REQUANTIZE("r9") REQUANTIZE("r10")                                                 \
            "ldm sp, {r2, r3, r4}\n\t"                                                                                 \
            "ldr r0, [sp, #20]\n\t"                                                                                    \
            "strb r6, [r2, r3]\n\tstrb r7, [r2, r3, lsl #1]\n\tstrb r5, [r2], #1\n\t"                                  \
            "strb r9, [r2, r3]\n\tstrb r10, [r2, r3, lsl #1]\n\tstrb r8, [r2], #1\n\t"                                 \
            "str r2, [sp]\n\t"                                                                                         \
            "cmp r2, r4\n\t"                                                                                           \
            "bne 1b\n\t"                                                                                               \
            "add sp, sp, #24\n\tpop {r4-r11, pc}\n\t");                                                                \
    }

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-parameter" /* the assembly takes them from their registers */
#endif
CORE(helia_conv_2d_s8_dsp_core_relu, RELU_RECORD, RELU)
CORE(helia_conv_2d_s8_dsp_core_linear, LINEAR_RECORD, LINEAR)

/* clang-format on */
#else
typedef int helia_conv_2d_s8_dsp_core_is_elsewhere; /* helia_conv_2d_s8_dsp_core_c.c */
#endif
