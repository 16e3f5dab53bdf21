/* The inner loops of helia_depthwise_conv_2d_s8_mve on cores that have the instructions. */
#include "helia_depthwise_conv_2d_s8_mve.h"

#if defined(__ARM_FEATURE_MVE)

/* Registers: results in r0, r2, r4, r6, r8, r10, r12, lr: VMLADAV takes even ones. r1 phase, r3 the block's place, r5
 * blocks left, r7 out of the channel, r9 list, r11 bias of the channel; q0-q3 weights, q4 addresses of the first
 * patch's columns, q5 offsets of the results. Frame: 0 channels left, 4 loops, 8 the output's zero point. */
/* Assembly, a step a line. */
/* clang-format off */
#define PATCH(q, r) "vldrw.u32 " q ", [" r ", q4]\n\t"
#define SUM(r, q, w) "vmladav.s8 " r ", " q ", " w "\n\t"

#define BLOCK_S1                                                                                                       \
    "ldm r9!, {r0, r3, r12}\n\t"                                                                                       \
    PATCH("q6", "r0")                                                                                                  \
    SUM("r0", "q6", "q0") SUM("r2", "q6", "q1") "add r3, r3, r7\n\t" SUM("r4", "q6", "q2")                             \
    PATCH("q7", "r12")                                                                                                 \
    SUM("r6", "q6", "q3") SUM("r8", "q7", "q0") SUM("r10", "q7", "q1") SUM("r12", "q7", "q2") SUM("lr", "q7", "q3")
#define BLOCK_S2                                                                                                       \
    "ldm r9!, {r0, r2, r3, r4, r6, r8, r10, r12, lr}\n\t"                                                              \
    PATCH("q6", "r0") SUM("r0", "q6", "q0") PATCH("q7", "r2") SUM("r2", "q7", "q0")                                    \
    PATCH("q6", "r4") SUM("r4", "q6", "q0") PATCH("q7", "r6") SUM("r6", "q7", "q0")                                    \
    PATCH("q6", "r8") SUM("r8", "q6", "q0") PATCH("q7", "r10") SUM("r10", "q7", "q0")                                  \
    PATCH("q6", "r12") SUM("r12", "q6", "q0") PATCH("q7", "lr") SUM("lr", "q7", "q0")                                  \
    "add r3, r3, r7\n\t"

/* q6: results 0, 2, 4, 6; q7: results 1, 3, 5, 7. */
#define RELU ""
#define LINEAR                                                                                                         \
    "vshr.s32 q5, q6, #31\n\tvadd.i32 q6, q6, q5\n\tvshr.s32 q5, q7, #31\n\tvadd.i32 q7, q7, q5\n\t"                   \
    "vldrw.32 q5, [r1]\n\t"
#define REQUANTIZE(ROUND)                                                                                              \
    "vmov q6[2], q6[0], r0, r8\n\tvmov q6[3], q6[1], r4, r12\n\t"                                                      \
    "vmov q7[2], q7[0], r2, r10\n\tvmov q7[3], q7[1], r6, lr\n\t"                                                      \
    "ldm r11, {r0, r2, r4}\n\t"                                                                                        \
    "vadd.i32 q6, q6, r0\n\tvqrdmulh.s32 q6, q6, r2\n\tvadd.i32 q7, q7, r0\n\tvqrdmulh.s32 q7, q7, r2\n\t"             \
    ROUND                                                                                                              \
    "vrshl.s32 q6, r4\n\t"                                                                                             \
    "ldr r6, [sp, #8]\n\t"                                                                                             \
    "vrshl.s32 q7, r4\n\t"                                                                                             \
    "vqmovnb.s32 q6, q6\n\tvqmovnt.s32 q6, q7\n\tvqadd.s16 q6, q6, r6\n\tvqmovnb.s16 q6, q6\n\t"                       \
    "vstrb.16 q6, [r3, q5]\n\t"

/* The weights of the channel in their places: at stride 1 four, at stride 2 one. */
#define PLACES_S1                                                                                                      \
    "vldrb.8 q0, [r11, #-16]\n\tvldrb.8 q1, [r11, #-17]\n\tvldrb.8 q2, [r11, #-20]\n\tvldrb.8 q3, [r11, #-21]\n\t"
#define PLACES_S2 "vldrb.8 q0, [r11, #-16]\n\t"
#define COMPACT_PLACES_S1                                                                                              \
    "adr r2, 9f\n\t"                                                                                                   \
    "vldrw.32 q6, [r2]\n\tvldrb.u8 q0, [r11, q6]\n\tvldrw.32 q6, [r2, #16]\n\tvldrb.u8 q1, [r11, q6]\n\t"              \
    "vldrw.32 q6, [r2, #32]\n\tvldrb.u8 q2, [r11, q6]\n\tvldrw.32 q6, [r2, #48]\n\tvldrb.u8 q3, [r11, q6]\n\t"
#define COMPACT_PLACES_S2 "adr r2, 9f\n\tvldrw.32 q6, [r2]\n\tvldrb.u8 q0, [r11, q6]\n\t"

/* Offsets of the weights in a compact record, column by column, and of its zeros. */
#define OFFSETS                                                                                                        \
    ".p2align 2\n\t"                                                                                                   \
    "9:\n\t.byte 9, 12, 15, 18, 10, 13, 16, 18, 11, 14, 17, 18, 18, 18, 18, 18\n\t"                                   \
    ".byte 18, 9, 12, 15, 18, 10, 13, 16, 18, 11, 14, 17, 18, 18, 18, 18\n\t"                                          \
    ".byte 18, 18, 18, 18, 9, 12, 15, 18, 10, 13, 16, 18, 11, 14, 17, 18\n\t"                                          \
    ".byte 18, 18, 18, 18, 18, 9, 12, 15, 18, 10, 13, 16, 18, 11, 14, 17\n\t"

/* Stride 1: from the first phase on, the blocks of each. Stride 2 has one, with q5 for good. */
#define BEGIN_S1 "ldr r1, [sp, #4]\n\t"
#define BEGIN_S2 ""
#define PHASE_S1 "2:\n\tvldrw.32 q5, [r1]\n\t"
#define PHASE_S2 ""
#define NEXT_PHASE_S1 "ldr r5, [r1, #48]\n\tadds r1, r1, #32\n\tcmp r5, #0\n\tbne.w 2b\n\t"
#define NEXT_PHASE_S2 ""

#define CORE(name, STRIDE, PLACES, RECORD, TABLE, ROUND)                                                               \
    __attribute__((naked)) void name(const int8_t *bands, const uint32_t *records, int8_t *out,                        \
                                     const helia_depthwise_mve_loops *loops)                                           \
    {                                                                                                                  \
        __asm__ volatile(                                                                                              \
            "push {r4-r11, lr}\n\t"                                                                                    \
            "vpush {d8-d15}\n\t"                                                                                       \
            "sub sp, sp, #12\n\t"                                                                                      \
            "ldrd r4, r6, [r3, #112]\n\t"                                                                              \
            "strd r4, r3, [sp]\n\t"                                                                                    \
            "str r6, [sp, #8]\n\t"                                                                                     \
            "vldrw.32 q4, [r3, #96]\n\t"                                                                               \
            "vadd.i32 q4, q4, r0\n\t"                                                                                  \
            "mov r11, r1\n\t"                                                                                          \
            "mov r7, r2\n\t"                                                                                           \
            "mov r1, r3\n\t"                                                                                           \
            "vldrw.32 q5, [r1]\n\t"                                                                                    \
            "1:\n\t"                                                                                                   \
            BEGIN_##STRIDE                                                                                             \
            "ldr r9, [r1, #120]\n\t"                                                                                   \
            "ldr r5, [r1, #16]\n\t"                                                                                    \
            PLACES                                                                                                     \
            PHASE_##STRIDE                                                                                             \
            "3:\n\t"                                                                                                   \
            BLOCK_##STRIDE REQUANTIZE(ROUND)                                                                           \
            "subs r5, r5, #1\n\t"                                                                                      \
            "bne.w 3b\n\t"                                                                                             \
            NEXT_PHASE_##STRIDE                                                                                        \
            "movs r2, #4\n\t"                                                                                          \
            "ldr r0, [sp]\n\t"                                                                                         \
            "vadd.i32 q4, q4, r2\n\t"                                                                                  \
            "add r11, r11, #" #RECORD "\n\t"                                                                           \
            "adds r7, r7, #1\n\t"                                                                                      \
            "subs r0, r0, #1\n\t"                                                                                      \
            "str r0, [sp]\n\t"                                                                                         \
            "bne.w 1b\n\t"                                                                                             \
            "add sp, sp, #12\n\t"                                                                                      \
            "vpop {d8-d15}\n\t"                                                                                        \
            "pop {r4-r11, pc}\n\t" TABLE);                                                                             \
    }

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-parameter" /* the assembly takes them from their registers */
#endif
CORE(helia_depthwise_mve_s1_relu, S1, PLACES_S1, 32, "", RELU)
CORE(helia_depthwise_mve_s1_linear, S1, PLACES_S1, 32, "", LINEAR)
CORE(helia_depthwise_mve_s2_relu, S2, PLACES_S2, 32, "", RELU)
CORE(helia_depthwise_mve_s2_linear, S2, PLACES_S2, 32, "", LINEAR)
CORE(helia_depthwise_mve_s1_compact_relu, S1, COMPACT_PLACES_S1, 20, OFFSETS, RELU)
CORE(helia_depthwise_mve_s1_compact_linear, S1, COMPACT_PLACES_S1, 20, OFFSETS, LINEAR)
CORE(helia_depthwise_mve_s2_compact_relu, S2, COMPACT_PLACES_S2, 20, OFFSETS, RELU)
CORE(helia_depthwise_mve_s2_compact_linear, S2, COMPACT_PLACES_S2, 20, OFFSETS, LINEAR)

/* clang-format on */
#else
typedef int helia_depthwise_conv_2d_s8_mve_core_is_elsewhere; /* helia_depthwise_conv_2d_s8_mve_core_c.c */
#endif
