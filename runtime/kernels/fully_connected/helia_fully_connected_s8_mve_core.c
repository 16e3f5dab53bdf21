/* The inner loops of helia_fully_connected_s8_mve on cores that have the instructions. */
#include "helia_fully_connected_s8_mve.h"

#if defined(__ARM_FEATURE_MVE)

/* Registers: sums of the eight units in r0, r2, r4, r6, r8, r10, r12, lr: VMLADAV takes even ones. r1 x, r3 stream, r5
 * out, r7 elements of the first vector, then turns of two chunks, r9 the output's zero point, r11 loops; q0 x, q1 and q2
 * weights in turn. Loads alternate with multiplications: neighbours of one unit wait for each other. Frame: 0 passes left.
 * A depth of whole chunks has a first one of its own. */
/* Assembly, a step a line. */
/* clang-format off */
#define UNIT(op, r, w) "vldrw.32 " w ", [r3], #16\n\t" op ".s8 " r ", q0, " w "\n\t"
#define CHUNK(op)                                                                                                      \
    "vldrb.8 q0, [r1], #16\n\t"                                                                                        \
    UNIT(op, "r0", "q1") UNIT(op, "r2", "q2") UNIT(op, "r4", "q1") UNIT(op, "r6", "q2")                                \
    UNIT(op, "r8", "q1") UNIT(op, "r10", "q2") UNIT(op, "r12", "q1") UNIT(op, "lr", "q2")

#define FIRST(r, w) "vldrb.8 " w ", [r3]\n\tadd r3, r3, r7\n\tvmladav.s8 " r ", q0, " w "\n\t"

#define TENSOR                                                                                                         \
    "ldrd r0, r2, [r11, #12]\n\t"                                                                                      \
    "vqrdmulh.s32 q0, q0, r0\n\tvqrdmulh.s32 q1, q1, r0\n\t"
#define TENSOR_SHIFT "vrshl.s32 q0, r2\n\tvrshl.s32 q1, r2\n\t"
#define CHANNELS                                                                                                       \
    "vldrw.32 q2, [r3], #16\n\tvqrdmulh.s32 q0, q0, q2\n\tvldrw.32 q2, [r3], #16\n\tvqrdmulh.s32 q1, q1, q2\n\t"
#define CHANNELS_SHIFT                                                                                                 \
    "vldrw.32 q2, [r3], #16\n\tvrshl.s32 q0, q0, q2\n\tvldrw.32 q2, [r3], #16\n\tvrshl.s32 q1, q1, q2\n\t"
#define RELU ""
#define LINEAR "vshr.s32 q2, q0, #31\n\tvadd.i32 q0, q0, q2\n\tvshr.s32 q2, q1, #31\n\tvadd.i32 q1, q1, q2\n\t"

#define CORE(name, MULTIPLY, ROUND, SHIFT)                                                                             \
    __attribute__((naked)) void name(const int8_t *in, const uint32_t *stream, int8_t *out,                            \
                                     const helia_fully_connected_s8_mve_loops *loops)                                  \
    {                                                                                                                  \
        __asm__ volatile(                                                                                              \
            "push {r4-r11, lr}\n\t"                                                                                    \
            "sub sp, sp, #4\n\t"                                                                                       \
            "mov r11, r3\n\t"                                                                                          \
            "ldr r4, [r11]\n\t"                                                                                        \
            "ldr r9, [r11, #8]\n\t"                                                                                    \
            "str r4, [sp]\n\t"                                                                                         \
            "mov r3, r1\n\t"                                                                                           \
            "mov r1, r0\n\t"                                                                                           \
            "mov r5, r2\n\t"                                                                                           \
            "1:\n\t"                                                                                                   \
            "ldr r7, [r11, #20]\n\t"                                                                                   \
            "cmp r7, #16\n\t"                                                                                          \
            "beq.w 2f\n\t"                                                                                             \
            "vctp.8 r7\n\t"                                                                                            \
            "vpst\n\tvldrbt.u8 q0, [r1]\n\t"                                                                           \
            "add r1, r1, r7\n\t"                                                                                       \
            FIRST("r0", "q1") FIRST("r2", "q2") FIRST("r4", "q1") FIRST("r6", "q2")                                    \
            FIRST("r8", "q1") FIRST("r10", "q2") FIRST("r12", "q1") FIRST("lr", "q2")                                  \
            "b 3f\n\t"                                                                                                 \
            "2:\n\t" CHUNK("vmladav")                                                                                  \
            "3:\n\t"                                                                                                   \
            "ldr r7, [r11, #4]\n\t"                                                                                    \
            "adds r7, r7, #1\n\t"                                                                                      \
            "lsrs r7, r7, #1\n\t" /* carry: an even number of chunks */                                                \
            "beq.w 4f\n\t"                                                                                             \
            "bcc 6f\n\t"                                                                                               \
            "5:\n\t" CHUNK("vmladava") "6:\n\t" CHUNK("vmladava")                                                      \
            "subs r7, r7, #1\n\t"                                                                                      \
            "bne.w 5b\n\t"                                                                                             \
            "4:\n\t"                                                                                                   \
            "vmov q0[2], q0[0], r0, r8\n\tvmov q0[3], q0[1], r4, r12\n\t"                                              \
            "vmov q1[2], q1[0], r2, r10\n\tvmov q1[3], q1[1], r6, lr\n\t"                                              \
            "vldrw.32 q2, [r3], #16\n\tvadd.i32 q0, q0, q2\n\tvldrw.32 q2, [r3], #16\n\tvadd.i32 q1, q1, q2\n\t"       \
            MULTIPLY ROUND SHIFT                                                                                       \
            "ldr r7, [r11, #24]\n\t"                                                                                   \
            "vqmovnb.s32 q0, q0\n\tvqmovnt.s32 q0, q1\n\tvqadd.s16 q0, q0, r9\n\tvqmovnb.s16 q0, q0\n\t"               \
            "vstrb.16 q0, [r5], #8\n\t"                                                                                \
            "sub r1, r1, r7\n\t"                                                                                       \
            "ldr r4, [sp]\n\t"                                                                                         \
            "subs r4, r4, #1\n\t"                                                                                      \
            "str r4, [sp]\n\t"                                                                                         \
            "bne.w 1b\n\t"                                                                                             \
            "add sp, sp, #4\n\t"                                                                                       \
            "pop {r4-r11, pc}\n\t");                                                                                   \
    }

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-parameter" /* the assembly takes them from their registers */
#endif
CORE(helia_fully_connected_s8_mve_relu, TENSOR, RELU, TENSOR_SHIFT)
CORE(helia_fully_connected_s8_mve_linear, TENSOR, LINEAR, TENSOR_SHIFT)
CORE(helia_fully_connected_s8_mve_channels_relu, CHANNELS, RELU, CHANNELS_SHIFT)
CORE(helia_fully_connected_s8_mve_channels_linear, CHANNELS, LINEAR, CHANNELS_SHIFT)

/* clang-format on */
#else
typedef int helia_fully_connected_s8_mve_core_is_elsewhere; /* helia_fully_connected_s8_mve_core_c.c */
#endif
