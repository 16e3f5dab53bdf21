/* The inner loops of helia_conv_2d_s8_winograd_dsp on cores that have the instructions. */
#include "helia_conv_2d_s8_winograd_dsp.h"

#if defined(__ARM_FEATURE_DSP)

/* clang-format off */

/* Registers: r0 line, r1 stream, r4-r7 channel A of the four tiles, r8-r10 and lr channel B, r11, r12 weights, r2, r3 pairs
 * of two tiles. Frame: 0 the eight sums of component 1, then of 1 less 2; 32 records; 36 out; 40 channel pairs left; 44 loops;
 * 48 the three rows of the current component; 60 end of the row. */
#define PAIR                                                                                                           \
    "ldrd r11, r12, [r1], #8\n\tldrd r2, r3, [r0, #8]\n\t"                                                             \
    "smlad r6, r11, r2, r6\n\tsmlad r10, r12, r2, r10\n\tsmlad r7, r11, r3, r7\n\tsmlad lr, r12, r3, lr\n\t"           \
    "ldrd r2, r3, [r0], #16\n\t"                                                                                       \
    "smlad r4, r11, r2, r4\n\tsmlad r8, r12, r2, r8\n\tsmlad r5, r11, r3, r5\n\tsmlad r9, r12, r3, r9\n\t"
#define ROW(at)                                                                                                        \
    "ldr r0, [sp, #" #at "]\n\tldr r2, [sp, #44]\n\tldr r2, [r2, #16]\n\tadd r2, r2, r0\n\tstr r2, [sp, #60]\n\t"      \
    "9:\n\t" PAIR PAIR PAIR PAIR                                                                                       \
    "ldr r2, [sp, #60]\n\tcmp r0, r2\n\tbne 9b\n\t"
/* Adds `times` components to the rows of component 0. */
#define COMPONENT(times)                                                                                               \
    "ldr r0, [sp, #44]\n\tldm r0, {r2, r3, r11, r12}\n\t"                                                              \
    ".rept " #times "\n\tadd r2, r2, r12\n\tadd r3, r3, r12\n\tadd r11, r11, r12\n\t.endr\n\t"                         \
    "add r0, sp, #48\n\tstm r0, {r2, r3, r11}\n\t" ROW(48) ROW(52) ROW(56)

/* Four of the sums s of component 1 against those of component 2: 1 - 2 to the frame, 1 + 2 stays. */
#define MIX(at, a, b, c, d)                                                                                            \
    "add r0, sp, #" #at "\n\tldm r0, {r2, r3, r11, r12}\n\t"                                                           \
    "sub r2, r2, " a "\n\tsub r3, r3, " b "\n\tsub r11, r11, " c "\n\tsub r12, r12, " d "\n\t"                         \
    "add " a ", r2, " a ", lsl #1\n\tadd " b ", r3, " b ", lsl #1\n\t"                                                 \
    "add " c ", r11, " c ", lsl #1\n\tadd " d ", r12, " d ", lsl #1\n\t"                                               \
    "stm r0, {r2, r3, r11, r12}\n\t"

/* a by m = r2, c = r3, R = r11, n = r12. */
#define RELU(a) "smmla " a ", " a ", r2, r3\n\tasr " a ", " a ", r11\n\tssat " a ", #8, " a "\n\t"
#define LINEAR(a)                                                                                                      \
    "and r1, r12, " a ", asr #31\n\tsmmla " a ", " a ", r2, r3\n\tsub " a ", " a ", r1\n\tasr " a ", " a ", r11\n\t"   \
    "ssat " a ", #8, " a "\n\t"
#define RELU_RECORD "ldm r0!, {r2, r3, r11}\n\t"
#define LINEAR_RECORD "ldm r0!, {r2, r3, r11, r12}\n\t"

/* Eight results at out + offset. The stream's place is kept on the stack meanwhile. */
#define RESULTS(RECORD, REQUANTIZE, offset)                                                                            \
    "str r1, [sp, #60]\n\tldr r0, [sp, #32]\n\t"                                                                       \
    RECORD REQUANTIZE("r4") REQUANTIZE("r5") REQUANTIZE("r6") REQUANTIZE("r7")                                         \
    RECORD REQUANTIZE("r8") REQUANTIZE("r9") REQUANTIZE("r10") REQUANTIZE("lr")                                        \
    "ldr r2, [sp, #44]\n\tldr r0, [sp, #36]\n\tldr r2, [r2, #24]\n\t" offset                                           \
    "add r3, r0, r2\n\t"                                                                                               \
    "strb r4, [r0]\n\tstrb r5, [r0, r2]\n\tstrb r6, [r0, r2, lsl #1]\n\tstrb r7, [r3, r2, lsl #1]\n\t"                 \
    "add r0, r0, #1\n\tadd r3, r3, #1\n\t"                                                                             \
    "strb r8, [r0]\n\tstrb r9, [r0, r2]\n\tstrb r10, [r0, r2, lsl #1]\n\tstrb lr, [r3, r2, lsl #1]\n\t"                \
    "ldr r1, [sp, #60]\n\t"

#define CORE(name, RECORD, REQUANTIZE, RECORDS)                                                                        \
    __attribute__((naked)) void name(const uint32_t *stream, int8_t *out, const helia_winograd_loops *loops)           \
    {                                                                                                                  \
        __asm__ volatile(                                                                                              \
            "push {r4-r11, lr}\n\tsub sp, sp, #64\n\t"                                                                 \
            "ldr r3, [r2, #20]\n\tstr r1, [sp, #36]\n\tstr r3, [sp, #40]\n\tstr r2, [sp, #44]\n\tmov r1, r0\n\t"       \
            "1:\n\t"                                                                                                   \
            "ldrd r4, r8, [r1], #8\n\tstr r1, [sp, #32]\n\tadd r1, r1, #" #RECORDS "\n\t"                              \
            "mov r5, r4\n\tmov r6, r4\n\tmov r7, r4\n\tmov r9, r8\n\tmov r10, r8\n\tmov lr, r8\n\t"                    \
            COMPONENT(1)                                                                                               \
            "stm sp, {r4, r5, r6, r7, r8, r9, r10, lr}\n\t"                                                            \
            "mov r4, #0\n\tmov r5, #0\n\tmov r6, #0\n\tmov r7, #0\n\t"                                                 \
            "mov r8, #0\n\tmov r9, #0\n\tmov r10, #0\n\tmov lr, #0\n\t"                                                \
            COMPONENT(2)                                                                                               \
            MIX(0, "r4", "r5", "r6", "r7") MIX(16, "r8", "r9", "r10", "lr")                                            \
            COMPONENT(0)                                                                                               \
            RESULTS(RECORD, REQUANTIZE, "")                                                                            \
            "ldm sp, {r4, r5, r6, r7, r8, r9, r10, lr}\n\t"                                                            \
            COMPONENT(3)                                                                                               \
            RESULTS(RECORD, REQUANTIZE, "add r0, r0, r2, lsr #1\n\t")                                                  \
            "ldr r0, [sp, #36]\n\tadd r0, r0, #2\n\tstr r0, [sp, #36]\n\t"                                             \
            "ldr r0, [sp, #40]\n\tsubs r0, r0, #1\n\tstr r0, [sp, #40]\n\tbne.w 1b\n\t"                                \
            "add sp, sp, #64\n\tpop {r4-r11, pc}\n\t");                                                                \
    }

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-parameter" /* the assembly takes them from their registers */
#endif
CORE(helia_winograd_core_relu, RELU_RECORD, RELU, 24)
CORE(helia_winograd_core_linear, LINEAR_RECORD, LINEAR, 32)

/* clang-format on */
#else
typedef int helia_conv_2d_s8_winograd_dsp_core_is_elsewhere; /* helia_conv_2d_s8_winograd_dsp_core_c.c */
#endif
