/* Two modules whose scratch arenas are bound to one memory run alternately; each gives what it gives alone. */
#include "one_model.h"
#include "two_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 3, ALIGN = 64 };
static uint8_t *shared;

#define CHECK(x)                                                                                                       \
    do {                                                                                                               \
        if (!(x)) {                                                                                                    \
            fprintf(stderr, "two_modules.c:%d: %s\n", __LINE__, #x);                                                   \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* For a module: setting it up, and one inference on inputs made from `seed`, whose outputs are summed up. */
#define MODULE(p, P)                                                                                                   \
    static p##_model_context_t p##_ctx;                                                                                \
    static void p##_start(void)                                                                                        \
    {                                                                                                                  \
        CHECK(p##_model_init(&p##_ctx) == P##_STATUS_ARENA_NOT_BOUND);                                                 \
        CHECK(p##_bind_arena(P##_REGION_SCRATCH_SRAM, shared, P##_REGION_SCRATCH_SRAM_SIZE) == P##_STATUS_OK);         \
        CHECK(p##_model_init(&p##_ctx) == P##_STATUS_OK);                                                              \
    }                                                                                                                  \
    static uint32_t p##_infer(uint32_t seed)                                                                           \
    {                                                                                                                  \
        uint32_t sum = 0;                                                                                              \
        memset(shared, 0x5a, P##_REGION_SCRATCH_SRAM_SIZE);                                                            \
        for (uint32_t i = 0; i < P##_NUM_INPUTS; i++)                                                                  \
            for (uint32_t k = 0; k < p##_ctx.inputs[i].nbytes; k++) {                                                  \
                seed = seed * 1664525u + 1013904223u;                                                                  \
                ((uint8_t *)p##_ctx.inputs[i].data)[k] = (uint8_t)(seed >> 24);                                        \
            }                                                                                                          \
        CHECK(p##_model_run(&p##_ctx) == P##_STATUS_OK);                                                               \
        for (uint32_t i = 0; i < P##_NUM_OUTPUTS; i++)                                                                 \
            for (uint32_t k = 0; k < p##_ctx.outputs[i].nbytes; k++)                                                   \
                sum = sum * 31u + ((const uint8_t *)p##_ctx.outputs[i].data)[k];                                       \
        return sum;                                                                                                    \
    }
MODULE(one, ONE)
MODULE(two, TWO)

int main(void)
{
    const size_t most = ONE_REGION_SCRATCH_SRAM_SIZE > TWO_REGION_SCRATCH_SRAM_SIZE ? ONE_REGION_SCRATCH_SRAM_SIZE
                                                                                    : TWO_REGION_SCRATCH_SRAM_SIZE;
    uint32_t one[RUNS], two[RUNS];
    uint8_t *memory = malloc(most + ALIGN);
    CHECK(memory != NULL);
    shared = memory + (ALIGN - (uintptr_t)memory % ALIGN);
    one_start();
    two_start();
    for (uint32_t i = 0; i < RUNS; i++)
        one[i] = one_infer(i);
    for (uint32_t i = 0; i < RUNS; i++)
        two[i] = two_infer(i);
    for (uint32_t i = 0; i < RUNS; i++)
        CHECK(one_infer(i) == one[i] && two_infer(i) == two[i]);
    free(memory);
    printf("%08lx %08lx\n", (unsigned long)one[0], (unsigned long)two[0]);
    return 0;
}
