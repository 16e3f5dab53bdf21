/* The inner loops of helia_fully_connected_s8_dsp on cores that have the instructions. */
#include "helia_fully_connected_s8_dsp.h"

#if defined(__ARM_FEATURE_DSP)

/* clang-format off */

/* Registers: r0 row, r1 stream, r2-r5 pairs of the row, r6 sums of A and B, r7 of B, r8 of C and D, r9 of D, r10-r12 and lr
 * weights. Frame: 0 row, 4 out, 8 loops, 12 fours left, 16 end of the row, 20 where the first turn of four steps is entered:
 * steps modulo 4. */
#define PAIR(x, ab, cd)                                                                                                \
    "smlad r6, " ab ", " x ", r6\n\tsxtb16 " ab ", " ab "\n\tsmlad r8, " cd ", " x ", r8\n\tsxtb16 " cd ", " cd        \
    "\n\tsmlad r7, " ab ", " x ", r7\n\tsmlad r9, " cd ", " x ", r9\n\t"
#define STEP                                                                                                           \
    "ldm r0!, {r2, r3, r4, r5}\n\tldm r1!, {r10, r11, r12, lr}\n\t" PAIR("r2", "r10", "r11") PAIR("r3", "r12", "lr")   \
    "ldm r1!, {r10, r11, r12, lr}\n\t" PAIR("r4", "r10", "r11") PAIR("r5", "r12", "lr")

#define RELU(a, m, c, r) "smmla " a ", " a ", " m ", " c "\n\tasr " a ", " a ", " r "\n\tssat " a ", #8, " a "\n\t"
#define LINEAR(a, m, c, r)                                                                                             \
    "lsr lr, " a ", #31\n\tsmmla " a ", " a ", " m ", " c "\n\tsub " a ", " a ", lr, lsl #7\n\tasr " a ", " a ", " r   \
    "\n\tssat " a ", #8, " a "\n\t"
#define ONE(REQUANTIZE)                                                                                                \
    "ldr r12, [sp, #8]\n\tldr r10, [r12, #8]\n\tldr r11, [r12, #12]\n\tldr r12, [r12, #16]\n\t"                        \
    REQUANTIZE("r6", "r10", "r11", "r12") REQUANTIZE("r7", "r10", "r11", "r12")                                        \
    REQUANTIZE("r8", "r10", "r11", "r12") REQUANTIZE("r9", "r10", "r11", "r12")
#define EACH(REQUANTIZE)                                                                                               \
    "ldm r1!, {r2, r3, r4, r10, r11, r12}\n\t"                                                                         \
    REQUANTIZE("r6", "r2", "r3", "r4") REQUANTIZE("r7", "r10", "r11", "r12")                                           \
    "ldm r1!, {r2, r3, r4, r10, r11, r12}\n\t"                                                                         \
    REQUANTIZE("r8", "r2", "r3", "r4") REQUANTIZE("r9", "r10", "r11", "r12")

#define CORE(name, SCALES, REQUANTIZE)                                                                                 \
    __attribute__((naked)) void name(const uint32_t *row, const uint32_t *stream, int8_t *out,                         \
                                     const helia_fully_connected_dsp_loops *loops)                                     \
    {                                                                                                                  \
        __asm__ volatile(                                                                                              \
            "push {r4-r11, lr}\n\tsub sp, sp, #24\n\tstrd r0, r2, [sp]\n\t"                                            \
            "ldrd r4, r5, [r3]\n\tstrd r3, r4, [sp, #8]\n\tadd r0, r0, r5, lsl #4\n\tand r5, r5, #3\n\t"               \
            "strd r0, r5, [sp, #16]\n\t"                                                                               \
            "1:\n\tldm r1!, {r6, r7, r8, r9}\n\tldr r0, [sp]\n\tldr r2, [sp, #20]\n\t"                                 \
            "tbb [pc, r2]\n\t"                                                                                         \
            "2:\n\t.byte (3f - 2b) / 2\n\t.byte (6f - 2b) / 2\n\t.byte (5f - 2b) / 2\n\t.byte (4f - 2b) / 2\n\t"       \
            "3:\n\t" STEP "4:\n\t" STEP "5:\n\t" STEP "6:\n\t" STEP                                                    \
            "ldr r2, [sp, #16]\n\tcmp r0, r2\n\tbne.w 3b\n\t"                                                          \
            "sub r6, r6, r7\n\tlsl r7, r7, #8\n\tsub r8, r8, r9\n\tlsl r9, r9, #8\n\t"                                 \
            SCALES(REQUANTIZE)                                                                                         \
            "ldr r2, [sp, #4]\n\tldr r3, [sp, #12]\n\t"                                                                \
            "strb r7, [r2, #1]\n\tstrb r8, [r2, #2]\n\tstrb r9, [r2, #3]\n\tstrb r6, [r2], #4\n\t"                     \
            "str r2, [sp, #4]\n\tsubs r3, r3, #1\n\tstr r3, [sp, #12]\n\tbne.w 1b\n\t"                                 \
            "add sp, sp, #24\n\tpop {r4-r11, pc}\n\t");                                                                \
    }

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-parameter" /* the assembly takes them from their registers */
#endif
CORE(helia_fully_connected_dsp_one_relu, ONE, RELU)
CORE(helia_fully_connected_dsp_one_linear, ONE, LINEAR)
CORE(helia_fully_connected_dsp_each_relu, EACH, RELU)
CORE(helia_fully_connected_dsp_each_linear, EACH, LINEAR)

/* clang-format on */
#else
typedef int helia_fully_connected_s8_dsp_core_is_elsewhere; /* helia_fully_connected_s8_dsp_core_c.c */
#endif
