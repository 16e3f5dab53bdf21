/* The inner loops of helia_conv_2d_s8_mve on cores that have the instructions. */
#include "helia_conv_2d_s8_mve.h"

#if defined(__ARM_FEATURE_MVE)

/* Registers: sums of pixel 0 to 3 in r0, r4, r8, r12 (A) and r2, r6, r10, lr (B): VMLADAV takes even ones. r3 stream,
 * r5 out, r9 the output's zero point, q7 offsets. Loads alternate with multiplications where they can: neighbours of
 * one unit wait for each other. */
/* Assembly, a step a line. */
/* clang-format off */
#define SUM(op, r, w, x) op ".s8 " r ", " w ", " x "\n\t"
#define WEIGHTS(w) "vldrw.32 " w ", [r3], #16\n\t"

/* q0, q1: the sums as pixels; then bias, multiplier and shift of A and B from the stream. */
#define TRANSPOSE                                                                                                      \
    "vmov q0[2], q0[0], r0, r8\n\tvmov q0[3], q0[1], r4, r12\n\t"                                                      \
    "vmov q1[2], q1[0], r2, r10\n\tvmov q1[3], q1[1], r6, lr\n\t"                                                      \
    "ldm r3!, {r0, r2, r4, r6, r8, r10}\n\t"                                                                           \
    "vadd.i32 q0, q0, r0\n\tvqrdmulh.s32 q0, q0, r4\n\tvadd.i32 q1, q1, r2\n\tvqrdmulh.s32 q1, q1, r6\n\t"
#define RELU "vrshl.s32 q0, r8\n\tvrshl.s32 q1, r10\n\t"
#define LINEAR                                                                                                         \
    "vshr.s32 q6, q0, #31\n\tvadd.i32 q0, q0, q6\n\tvshr.s32 q6, q1, #31\n\tvadd.i32 q1, q1, q6\n\t" RELU
#define STORE                                                                                                          \
    "vqmovnb.s32 q0, q0\n\tvqmovnt.s32 q0, q1\n\tvqadd.s16 q0, q0, r9\n\tvqmovnb.s16 q0, q0\n\t"                       \
    "vstrb.16 q0, [r5, q7]\n\tadds r5, r5, #2\n\t"

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-parameter" /* the assembly takes them from their registers */
#endif

/* r1 x of the group, q2-q5 its first chunk, r11 further chunks, r7 turns of two chunks.
 * Frame: 0 end of the group's pairs in out, 4 loops, 8 stream, 12 groups left, 16 chunks but the first and the last. */
#define FIRST                                                                                                          \
    WEIGHTS("q0") SUM("vmladav", "r0", "q0", "q2") WEIGHTS("q1") SUM("vmladav", "r2", "q1", "q2")                      \
    SUM("vmladav", "r4", "q0", "q3") SUM("vmladav", "r8", "q0", "q4") SUM("vmladav", "r12", "q0", "q5")
#define REST_OF_FIRST                                                                                                  \
    SUM("vmladav", "r6", "q1", "q3") SUM("vmladav", "r10", "q1", "q4") SUM("vmladav", "lr", "q1", "q5")
/* Weights of A are in q0 already, and those of the next chunk are loaded where they are free. */
#define CHUNK(next)                                                                                                    \
    "vldrw.32 q6, [r11], #16\n\t" SUM("vmladava", "r0", "q0", "q6")                                                    \
    WEIGHTS("q1") SUM("vmladava", "r2", "q1", "q6")                                                                    \
    "vldrw.32 q6, [r11], #16\n\t" SUM("vmladava", "r4", "q0", "q6") SUM("vmladava", "r6", "q1", "q6")                  \
    "vldrw.32 q6, [r11], #16\n\t" SUM("vmladava", "r8", "q0", "q6") SUM("vmladava", "r10", "q1", "q6")                 \
    "vldrw.32 q6, [r11], #16\n\t" SUM("vmladava", "r12", "q0", "q6") next SUM("vmladava", "lr", "q1", "q6")
#define NEXT WEIGHTS("q0")

#define GROUPS(name, ROUND)                                                                                            \
    __attribute__((naked)) void name(const int8_t *windows, const uint32_t *stream, int8_t *out,                       \
                                     const helia_conv_2d_s8_mve_loops *loops)                                          \
    {                                                                                                                  \
        __asm__ volatile(                                                                                              \
            "push {r4-r11, lr}\n\t"                                                                                    \
            "vpush {d8-d15}\n\t"                                                                                       \
            "sub sp, sp, #20\n\t"                                                                                      \
            "ldr r4, [r3, #28]\n\t"                                                                                    \
            "ldr r6, [r3, #20]\n\t"                                                                                    \
            "strd r3, r1, [sp, #4]\n\t"                                                                                \
            "subs r6, r6, #1\n\t"                                                                                      \
            "strd r4, r6, [sp, #12]\n\t"                                                                               \
            "vldrw.32 q7, [r3]\n\t"                                                                                    \
            "ldr r9, [r3, #24]\n\t"                                                                                    \
            "mov r5, r2\n\t"                                                                                           \
            "mov r1, r0\n\t"                                                                                           \
            "1:\n\t"                                                                                                   \
            "ldrd r7, r3, [sp, #4]\n\t"                                                                                \
            "ldr r4, [r7, #16]\n\t"                                                                                    \
            "ldr r6, [r7, #32]\n\t"                                                                                    \
            "add r4, r5, r4, lsl #1\n\t"                                                                               \
            "str r4, [sp]\n\t"                                                                                         \
            "ldr r7, [sp, #16]\n\t"                                                                                    \
            "vldrb.8 q2, [r1]\n\tadd r4, r1, r6\n\t"                                                                   \
            "vldrb.8 q3, [r4]\n\tadd r4, r4, r6\n\t"                                                                   \
            "vldrb.8 q4, [r4]\n\tadd r4, r4, r6\n\t"                                                                   \
            "vldrb.8 q5, [r4]\n\t"                                                                                     \
            "cmp r7, #0\n\t"                                                                                           \
            "bge.w 2f\n\t"                                                                                             \
            "ldr r7, [sp]\n\t"                                                                                         \
            "7:\n\t" /* one chunk only */                                                                              \
            FIRST REST_OF_FIRST TRANSPOSE ROUND STORE                                                                  \
            "cmp r5, r7\n\t"                                                                                           \
            "bne.w 7b\n\t"                                                                                             \
            "b.w 6f\n\t"                                                                                               \
            "2:\n\t"                                                                                                   \
            "add r11, r1, #64\n\t"                                                                                     \
            "ldr r7, [sp, #16]\n\t"                                                                                    \
            FIRST NEXT REST_OF_FIRST                                                                                   \
            "lsrs r7, r7, #1\n\t"                                                                                      \
            "bcc 3f\n\t"                                                                                               \
            CHUNK(NEXT)                                                                                                \
            "3:\n\t"                                                                                                   \
            "cbz r7, 5f\n\t"                                                                                           \
            "4:\n\t"                                                                                                   \
            CHUNK(NEXT) CHUNK(NEXT)                                                                                    \
            "subs r7, r7, #1\n\t"                                                                                      \
            "bne.w 4b\n\t"                                                                                             \
            "5:\n\t"                                                                                                   \
            CHUNK("")                                                                                                  \
            TRANSPOSE ROUND STORE                                                                                      \
            "ldr r0, [sp]\n\t"                                                                                         \
            "cmp r5, r0\n\t"                                                                                           \
            "bne.w 2b\n\t"                                                                                             \
            "6:\n\t"                                                                                                   \
            "ldr r7, [sp, #4]\n\t"                                                                                     \
            "ldrd r0, r2, [r7, #36]\n\t"                                                                               \
            "ldr r4, [sp, #12]\n\t"                                                                                    \
            "add r1, r1, r0\n\t"                                                                                       \
            "add r5, r5, r2\n\t"                                                                                       \
            "subs r4, r4, #1\n\t"                                                                                      \
            "str r4, [sp, #12]\n\t"                                                                                    \
            "bne.w 1b\n\t"                                                                                             \
            "add sp, sp, #20\n\t"                                                                                      \
            "vpop {d8-d15}\n\t"                                                                                        \
            "pop {r4-r11, pc}\n\t");                                                                                   \
    }
GROUPS(helia_conv_2d_s8_mve_core_relu, RELU)
GROUPS(helia_conv_2d_s8_mve_core_linear, LINEAR)

/* r1 the six columns, q2-q7, of a kernel row and 16 channels, at any address; r11 their addresses, r7 triples of chunks left.
 * Frame: 0 end of the pairs in out, 4 triples behind the first, 8 columns, 12 loops. */
#define TRIPLE(op)                                                                                                     \
    "ldr r1, [r11], #4\n\t"                                                                                            \
    WEIGHTS("q0") "vldrb.8 q2, [r1]\n\t" SUM(op, "r0", "q0", "q2") WEIGHTS("q1") SUM(op, "r2", "q1", "q2")            \
    "vldrb.8 q3, [r1, #16]\n\t" SUM(op, "r4", "q0", "q3") SUM(op, "r6", "q1", "q3")                                   \
    "vldrb.8 q4, [r1, #32]\n\t" SUM(op, "r8", "q0", "q4") SUM(op, "r10", "q1", "q4")                                  \
    "vldrb.8 q5, [r1, #48]\n\t" SUM(op, "r12", "q0", "q5") SUM(op, "lr", "q1", "q5")                                  \
    WEIGHTS("q0") SUM("vmladava", "r0", "q0", "q3") WEIGHTS("q1") SUM("vmladava", "r2", "q1", "q3")                    \
    SUM("vmladava", "r4", "q0", "q4") "vldrb.8 q6, [r1, #64]\n\t" SUM("vmladava", "r6", "q1", "q4")                   \
    SUM("vmladava", "r8", "q0", "q5") SUM("vmladava", "r10", "q1", "q5")                                               \
    SUM("vmladava", "r12", "q0", "q6") SUM("vmladava", "lr", "q1", "q6")                                               \
    WEIGHTS("q0") SUM("vmladava", "r0", "q0", "q4") WEIGHTS("q1") SUM("vmladava", "r2", "q1", "q4")                    \
    SUM("vmladava", "r4", "q0", "q5") "vldrb.8 q7, [r1, #80]\n\t" SUM("vmladava", "r6", "q1", "q5")                   \
    SUM("vmladava", "r8", "q0", "q6") SUM("vmladava", "r10", "q1", "q6")                                               \
    SUM("vmladava", "r12", "q0", "q7") SUM("vmladava", "lr", "q1", "q7")

#define COLUMNS(name, ROUND)                                                                                           \
    __attribute__((naked)) void name(const int8_t *const *columns, const uint32_t *stream, int8_t *out,                \
                                     const helia_conv_2d_s8_mve_loops *loops)                                          \
    {                                                                                                                  \
        __asm__ volatile(                                                                                              \
            "push {r4-r11, lr}\n\t"                                                                                    \
            "vpush {d8-d15}\n\t"                                                                                       \
            "sub sp, sp, #16\n\t"                                                                                      \
            "ldr r4, [r3, #16]\n\t"                                                                                    \
            "ldr r9, [r3, #24]\n\t"                                                                                    \
            "ldr r6, [r3, #20]\n\t"                                                                                    \
            "add r4, r2, r4, lsl #1\n\t"                                                                               \
            "strd r4, r6, [sp]\n\t"                                                                                    \
            "strd r0, r3, [sp, #8]\n\t"                                                                                \
            "mov r5, r2\n\t"                                                                                           \
            "mov r3, r1\n\t"                                                                                           \
            "1:\n\t"                                                                                                   \
            "ldrd r7, r11, [sp, #4]\n\t"                                                                               \
            TRIPLE("vmladav")                                                                                          \
            "2:\n\t"                                                                                                   \
            TRIPLE("vmladava")                                                                                         \
            "subs r7, r7, #1\n\t"                                                                                      \
            "bne.w 2b\n\t"                                                                                             \
            "ldr r7, [sp, #12]\n\t"                                                                                    \
            "vldrw.32 q7, [r7]\n\t"                                                                                    \
            TRANSPOSE ROUND STORE                                                                                      \
            "ldr r0, [sp]\n\t"                                                                                         \
            "cmp r5, r0\n\t"                                                                                           \
            "bne.w 1b\n\t"                                                                                             \
            "add sp, sp, #16\n\t"                                                                                      \
            "vpop {d8-d15}\n\t"                                                                                        \
            "pop {r4-r11, pc}\n\t");                                                                                   \
    }
COLUMNS(helia_conv_2d_s8_mve_columns_relu, RELU)
COLUMNS(helia_conv_2d_s8_mve_columns_linear, LINEAR)

/* clang-format on */
#else
typedef int helia_conv_2d_s8_mve_core_is_elsewhere; /* helia_conv_2d_s8_mve_core_c.c */
#endif
