/* The inner loops of helia_depthwise_conv_2d_s8_dsp on cores that have the instructions. */
#include "helia_depthwise_conv_2d_s8_dsp.h"

#if defined(__ARM_FEATURE_DSP)

/* clang-format off */

/* Frame: 0 upper, 4 lower, 8 out, 12 bias, 16 (w0, w1) of three columns, 28 (w1, w2), 40 m, 44 c, 48 n, 52 R, 56 channels
 * left, 60 loops, 64 records, 68 blocks left, 72 upper, 76 lower, 80 out of the channel's first column. */
#define ENTER                                                                                                          \
    "push {r4-r11, lr}\n\tsub sp, sp, #84\n\tldr r4, [sp, #120]\n\tstr r4, [sp, #60]\n\tstr r2, [sp, #64]\n\t"         \
    "str r0, [sp, #72]\n\tstr r1, [sp, #76]\n\tstr r3, [sp, #80]\n\tmovs r5, #4\n\tstr r5, [sp, #56]\n\t"
#define CHANNEL                                                                                                        \
    "1:\n\tldr r1, [sp, #64]\n\tldm r1!, {r2-r12}\n\tadd lr, sp, #12\n\tstm lr, {r2-r12}\n\tstr r1, [sp, #64]\n\t"   \
    "add r1, sp, #72\n\tldm r1, {r2, r3, r4}\n\tstm sp, {r2, r3, r4}\n\tldr r5, [sp, #60]\n\t"
#define NEXT_CHANNEL                                                                                                   \
    "ldr r5, [sp, #60]\n\tldr r6, [r5, #20]\n\tadd r1, sp, #72\n\tldm r1, {r2, r3, r4}\n\tadd r2, r2, r6\n\t"          \
    "add r3, r3, r6\n\tadds r4, r4, #1\n\tstm r1, {r2, r3, r4}\n\tldr r5, [sp, #56]\n\tsubs r5, r5, #1\n\t"            \
    "str r5, [sp, #56]\n\tbne.w 1b\n\tadd sp, sp, #84\n\tpop {r4-r11, pc}\n\t"

/* Row o from the upper pair: SMLAD with (w0, w1); row o + 1: rows 1, 2 of it. v word, w weights, a row o, b row o + 1. */
#define U0(v, w, a, b) "smlad " a ", " v ", " w ", r10\n\tsmlatb " b ", " v ", " w ", r10\n\t"
#define U(v, w, a, b) "smlad " a ", " v ", " w ", " a "\n\tsmlatb " b ", " v ", " w ", " b "\n\t"
#define D(v, w, a, b) "smlabt " a ", " v ", " w ", " a "\n\tsmlad " b ", " v ", " w ", " b "\n\t"
#define UPPER "ldr r10, [sp, #12]\n\tldrd r11, r12, [sp, #16]\n\tldr lr, [sp, #24]\n\tldr r0, [sp, #0]\n\t"
#define LOWER "ldrd r11, r12, [sp, #28]\n\tldr lr, [sp, #36]\n\tldr r0, [sp, #4]\n\t"
#define TWO "ldrd r1, r2, [r0], #8\n\t"

#define RELU(a) "smmla " a ", " a ", r11, r12\n\tasr " a ", " a ", r1\n\tssat " a ", #8, " a "\n\t"
#define LINEAR(a)                                                                                                      \
    "and r0, lr, " a ", asr #31\n\tsmmla " a ", " a ", r11, r12\n\tsub " a ", " a ", r0\n\tasr " a ", " a ", r1\n\t"     \
    "ssat " a ", #8, " a "\n\t"
#define QUANT "ldrd r11, r12, [sp, #40]\n\tldrd lr, r1, [sp, #48]\n\t"
#define PLACE "ldr r0, [sp, #60]\n\tldr r1, [sp, #8]\n\tldrd r2, r0, [r0, #12]\n\t" /* r1 out, r2 channels, r0 row bytes */

#define STRIDE1(name, RQ)                                                                                              \
    __attribute__((naked)) void name(const uint32_t *upper, const uint32_t *lower, const uint32_t *records, int8_t *out, \
                                     const helia_depthwise_dsp_loops *loops)                                           \
    {                                                                                                                  \
        __asm__ volatile(                                                                                              \
            ENTER CHANNEL                                                                                              \
            "ldr r6, [r5, #0]\n\tcmp r6, #0\n\tbeq.w 3f\n\tstr r6, [sp, #68]\n\t"                                                  \
            "2:\n\t" UPPER                                                                                             \
            TWO U0("r1", "r11", "r3", "r4") U("r2", "r12", "r3", "r4") U0("r2", "r11", "r5", "r6")                     \
            TWO U("r1", "lr", "r3", "r4") U("r1", "r12", "r5", "r6") U0("r1", "r11", "r7", "r8")                       \
                U("r2", "lr", "r5", "r6") U("r2", "r12", "r7", "r8") U0("r2", "r11", "r9", "r10")                      \
            "ldrd r1, r2, [r0]\n\tstr r0, [sp, #0]\n\t"                                                                \
            U("r1", "lr", "r7", "r8") U("r1", "r12", "r9", "r10") U("r2", "lr", "r9", "r10")                           \
            LOWER                                                                                                      \
            TWO D("r1", "r11", "r3", "r4") D("r2", "r12", "r3", "r4") D("r2", "r11", "r5", "r6")                       \
            TWO D("r1", "lr", "r3", "r4") D("r1", "r12", "r5", "r6") D("r1", "r11", "r7", "r8")                        \
                D("r2", "lr", "r5", "r6") D("r2", "r12", "r7", "r8") D("r2", "r11", "r9", "r10")                       \
            "ldrd r1, r2, [r0]\n\tstr r0, [sp, #4]\n\t"                                                                \
            D("r1", "lr", "r7", "r8") D("r1", "r12", "r9", "r10") D("r2", "lr", "r9", "r10")                           \
            QUANT RQ("r3") RQ("r5") RQ("r7") RQ("r9") RQ("r4") RQ("r6") RQ("r8") RQ("r10")                             \
            PLACE                                                                                                      \
            "strb r3, [r1]\n\tstrb r5, [r1, r2]\n\tstrb r7, [r1, r2, lsl #1]\n\tadd r3, r1, r2\n\t"                    \
            "strb r9, [r3, r2, lsl #1]\n\tadd r3, r1, r2, lsl #2\n\tstr r3, [sp, #8]\n\t"                              \
            "cbz r0, 7f\n\tadd r1, r1, r0\n\t"                                                                         \
            "strb r4, [r1]\n\tstrb r6, [r1, r2]\n\tstrb r8, [r1, r2, lsl #1]\n\tadd r1, r1, r2\n\t"                    \
            "strb r10, [r1, r2, lsl #1]\n\t"                                                                           \
            "7:\n\tldr r6, [sp, #68]\n\tsubs r6, r6, #1\n\tstr r6, [sp, #68]\n\tbne.w 2b\n\t"                          \
            "ldr r5, [sp, #60]\n\t"                                                                                    \
            "3:\n\tldr r6, [r5, #4]\n\tcmp r6, #0\n\tbeq 4f\n\t"                                                         \
            UPPER                                                                                                      \
            TWO U0("r1", "r11", "r7", "r8") U("r2", "r12", "r7", "r8") U0("r2", "r11", "r9", "r10")                    \
            "ldrd r1, r2, [r0]\n\tstr r0, [sp, #0]\n\t"                                                                \
            U("r1", "lr", "r7", "r8") U("r1", "r12", "r9", "r10") U("r2", "lr", "r9", "r10")                           \
            LOWER                                                                                                      \
            TWO D("r1", "r11", "r7", "r8") D("r2", "r12", "r7", "r8") D("r2", "r11", "r9", "r10")                      \
            "ldrd r1, r2, [r0]\n\tstr r0, [sp, #4]\n\t"                                                                \
            D("r1", "lr", "r7", "r8") D("r1", "r12", "r9", "r10") D("r2", "lr", "r9", "r10")                           \
            QUANT RQ("r7") RQ("r9") RQ("r8") RQ("r10")                                                                 \
            PLACE                                                                                                      \
            "strb r7, [r1]\n\tstrb r9, [r1, r2]\n\tadd r3, r1, r2, lsl #1\n\tstr r3, [sp, #8]\n\t"                     \
            "cbz r0, 8f\n\tadd r1, r1, r0\n\tstrb r8, [r1]\n\tstrb r10, [r1, r2]\n\t"                                  \
            "8:\n\tldr r5, [sp, #60]\n\t"                                                                             \
            "4:\n\tldr r6, [r5, #8]\n\tcmp r6, #0\n\tbeq 6f\n\t"                                                         \
            UPPER                                                                                                      \
            TWO U0("r1", "r11", "r9", "r10") U("r2", "r12", "r9", "r10") "ldr r1, [r0]\n\t" U("r1", "lr", "r9", "r10") \
            LOWER                                                                                                      \
            TWO D("r1", "r11", "r9", "r10") D("r2", "r12", "r9", "r10") "ldr r1, [r0]\n\t" D("r1", "lr", "r9", "r10")  \
            QUANT RQ("r9") RQ("r10")                                                                                   \
            PLACE "strb r9, [r1]\n\tcbz r0, 6f\n\tstrb r10, [r1, r0]\n\t"                                             \
            "6:\n\t" NEXT_CHANNEL);                                                                                    \
    }

#define S0(v, w, a) "smlad " a ", " v ", " w ", r10\n\t"
#define S(v, w, a) "smlad " a ", " v ", " w ", " a "\n\t"
#define T(v, w, a) "smlabt " a ", " v ", " w ", " a "\n\t"
#define STRIDE2(name, RQ)                                                                                              \
    __attribute__((naked)) void name(const uint32_t *upper, const uint32_t *lower, const uint32_t *records, int8_t *out, \
                                     const helia_depthwise_dsp_loops *loops)                                           \
    {                                                                                                                  \
        __asm__ volatile(                                                                                              \
            ENTER CHANNEL                                                                                              \
            "ldr r6, [r5, #0]\n\tcmp r6, #0\n\tbeq.w 3f\n\tstr r6, [sp, #68]\n\t"                                      \
            "2:\n\t" UPPER                                                                                             \
            "ldm r0!, {r1, r2, r7, r8}\n\t"                                                                            \
            S0("r1", "r11", "r3") S("r2", "r12", "r3") S("r7", "lr", "r3") S0("r7", "r11", "r4") S("r8", "r12", "r4")  \
            "ldm r0!, {r1, r2, r7, r8}\n\t"                                                                            \
            S("r1", "lr", "r4") S0("r1", "r11", "r5") S("r2", "r12", "r5") S("r7", "lr", "r5") S0("r7", "r11", "r6")   \
            S("r8", "r12", "r6")                                                                                       \
            "ldr r1, [r0]\n\tstr r0, [sp, #0]\n\t" S("r1", "lr", "r6")                                                 \
            LOWER                                                                                                      \
            "ldm r0!, {r1, r2, r7, r8, r9, r10}\n\t"                                                                   \
            T("r1", "r11", "r3") T("r2", "r12", "r3") T("r7", "lr", "r3") T("r7", "r11", "r4") T("r8", "r12", "r4")    \
            T("r9", "lr", "r4") T("r9", "r11", "r5") T("r10", "r12", "r5")                                             \
            TWO "ldr r7, [r0]\n\tstr r0, [sp, #4]\n\t"                                                                 \
            T("r1", "lr", "r5") T("r1", "r11", "r6") T("r2", "r12", "r6") T("r7", "lr", "r6")                          \
            QUANT RQ("r3") RQ("r4") RQ("r5") RQ("r6")                                                                  \
            PLACE                                                                                                      \
            "strb r3, [r1]\n\tstrb r4, [r1, r2]\n\tstrb r5, [r1, r2, lsl #1]\n\tadd r3, r1, r2\n\t"                    \
            "strb r6, [r3, r2, lsl #1]\n\tadd r3, r1, r2, lsl #2\n\tstr r3, [sp, #8]\n\t"                              \
            "ldr r6, [sp, #68]\n\tsubs r6, r6, #1\n\tstr r6, [sp, #68]\n\tbne.w 2b\n\tldr r5, [sp, #60]\n\t"           \
            "3:\n\tldr r6, [r5, #8]\n\tcmp r6, #0\n\tbeq.w 6f\n\tstr r6, [sp, #68]\n\t"                                \
            "4:\n\t" UPPER TWO S0("r1", "r11", "r3") S("r2", "r12", "r3")                                              \
            "ldr r1, [r0]\n\tstr r0, [sp, #0]\n\t" S("r1", "lr", "r3")                                                 \
            LOWER TWO "ldr r7, [r0]\n\tstr r0, [sp, #4]\n\t"                                                           \
            T("r1", "r11", "r3") T("r2", "r12", "r3") T("r7", "lr", "r3")                                              \
            QUANT RQ("r3") PLACE                                                                                       \
            "strb r3, [r1]\n\tadd r3, r1, r2\n\tstr r3, [sp, #8]\n\t"                                                  \
            "ldr r6, [sp, #68]\n\tsubs r6, r6, #1\n\tstr r6, [sp, #68]\n\tbne 4b\n\t"                                  \
            "6:\n\t" NEXT_CHANNEL);                                                                                    \
    }

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-parameter" /* the assembly takes them from their registers */
#endif
STRIDE1(helia_depthwise_dsp_s1_relu, RELU)
STRIDE1(helia_depthwise_dsp_s1_linear, LINEAR)
STRIDE2(helia_depthwise_dsp_s2_relu, RELU)
STRIDE2(helia_depthwise_dsp_s2_linear, LINEAR)

/* clang-format on */
#else
typedef int helia_depthwise_conv_2d_s8_dsp_core_is_elsewhere; /* helia_depthwise_conv_2d_s8_dsp_core_c.c */
#endif
