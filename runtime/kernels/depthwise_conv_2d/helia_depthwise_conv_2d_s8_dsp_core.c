/* The inner loops of helia_depthwise_conv_2d_s8_dsp on cores that have the instructions. */
#include "helia_depthwise_conv_2d_s8_dsp.h"

#if defined(__ARM_FEATURE_DSP)

/* clang-format off */

/* Frame: 0 upper, 4 lower, 8 out, 12 the channel's record, 16 channels left, 20 loops, 24 columns left. */
#define ENTER                                                                                                          \
    "push {r4-r11, lr}\n\tsub sp, sp, #28\n\tldr r5, [sp, #64]\n\tmov r4, r2\n\tmov r2, r3\n\tmov r3, r4\n\t"          \
    "movs r4, #4\n\tstm sp, {r0, r1, r2, r3, r4, r5}\n\t"
#define CHANNEL "1:\n\tldr r6, [r5, #0]\n\tcmp r6, #0\n\tbeq.w 3f\n\tstr r6, [sp, #24]\n\t"
#define NEXT_CHANNEL                                                                                                   \
    "ldm sp, {r0, r1, r2, r3, r4, r5}\n\tldrd r6, r7, [r5, #20]\n\tadd r0, r0, r6\n\tadd r1, r1, r6\n\t"                \
    "add r2, r2, r7\n\tadds r3, r3, #44\n\tsubs r4, r4, #1\n\tstm sp, {r0, r1, r2, r3, r4, r5}\n\tbne.w 1b\n\t"       \
    "add sp, sp, #28\n\tpop {r4-r11, pc}\n\t"

/* Row o from the upper pair: SMLAD with (w0, w1); row o + 1: rows 1, 2 of it. v word, w weights, a row o, b row o + 1. */
#define U0(v, w, a, b) "smlad " a ", " v ", " w ", r10\n\tsmlatb " b ", " v ", " w ", r10\n\t"
#define U(v, w, a, b) "smlad " a ", " v ", " w ", " a "\n\tsmlatb " b ", " v ", " w ", " b "\n\t"
#define D(v, w, a, b) "smlabt " a ", " v ", " w ", " a "\n\tsmlad " b ", " v ", " w ", " b "\n\t"
#define UPPER "ldr r0, [sp, #12]\n\tldm r0, {r10, r11, r12, lr}\n\tldr r0, [sp, #0]\n\t"
#define LOWER "ldr r0, [sp, #12]\n\tldrd r11, r12, [r0, #16]\n\tldr lr, [r0, #24]\n\tldr r0, [sp, #4]\n\t"
#define TWO "ldrd r1, r2, [r0], #8\n\t"

#define RELU(a) "smmla " a ", " a ", r11, r12\n\tasr " a ", " a ", r1\n\tssat " a ", #8, " a "\n\t"
#define LINEAR(a)                                                                                                      \
    "and r0, lr, " a ", asr #31\n\tsmmla " a ", " a ", r11, r12\n\tsub " a ", " a ", r0\n\tasr " a ", " a ", r1\n\t"     \
    "ssat " a ", #8, " a "\n\t"
#define QUANT "ldr r0, [sp, #12]\n\tadds r0, r0, #28\n\tldm r0, {r1, r11, r12, lr}\n\t"
#define PLACE "ldr r0, [sp, #20]\n\tldr r1, [sp, #8]\n\tldrd r2, r0, [r0, #12]\n\t" /* r1 out, r2 channels, r0 row bytes */
#define COLUMNS_LEFT(r) "ldr " r ", [sp, #24]\n\tsubs " r ", " r ", #4\n\tstr " r ", [sp, #24]\n\t" /* negative: a part */

#define STRIDE1(name, RQ)                                                                                              \
    __attribute__((naked)) void name(const uint32_t *upper, const uint32_t *lower, const uint32_t *records, int8_t *out, \
                                     const helia_depthwise_dsp_loops *loops)                                           \
    {                                                                                                                  \
        __asm__ volatile(                                                                                              \
            ENTER CHANNEL                                                                                              \
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
            "strb r3, [r1]\n\tstrb r5, [r1, r2]\n\tstrb r7, [r1, r2, lsl #1]\n\tadd r5, r1, r2, lsl #2\n\t"                \
            COLUMNS_LEFT("r3")                                                                                         \
            "sub r7, r5, r2\n\tit pl\n\tstrbpl r9, [r7]\n\tstr r5, [sp, #8]\n\t"                                       \
            "cbz r0, 7f\n\tadd r1, r1, r0\n\t"                                                                         \
            "strb r4, [r1]\n\tstrb r6, [r1, r2]\n\tstrb r8, [r1, r2, lsl #1]\n\t"                                      \
            "it pl\n\tstrbpl r10, [r7, r0]\n\t"                                                                         \
            "7:\n\tcmp r3, #0\n\tbgt.w 2b\n\t"                                                                       \
            "ldr r5, [sp, #20]\n\t"                                                                                    \
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
            "8:\n\tldr r5, [sp, #20]\n\t"                                                                             \
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
            PLACE COLUMNS_LEFT("r7")                                                                                   \
            "strb r3, [r1]\n\tadd r0, r1, r2, lsl #2\n\tstr r0, [sp, #8]\n\tbmi 4f\n\t"                                 \
            "strb r4, [r1, r2]\n\tstrb r5, [r1, r2, lsl #1]\n\tsub r0, r0, r2\n\tstrb r6, [r0]\n\tbne.w 2b\n\t"           \
            "b 3f\n\t"                                                                                                 \
            "4:\n\tcmn r7, #2\n\tit pl\n\tstrbpl r4, [r1, r2]\n\tit gt\n\tstrbgt r5, [r1, r2, lsl #1]\n\t"                \
            "3:\n\t" NEXT_CHANNEL);                                                                                    \
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
