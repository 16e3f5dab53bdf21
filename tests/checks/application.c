/* Runs a module's self-test; with DUMP, two inferences of a debug build, whose tensors it prints. On a host, or with print.c
 * under QEMU. */
#include "aot_model.h"
#ifndef DUMP
#include "aot_test_case.h"
#endif

static aot_model_context_t ctx;

#ifdef DUMP
static void write_inputs(uint32_t run)
{
    uint32_t i, k, seed = run + 1u;
    for (i = 0; i < AOT_NUM_INPUTS; i++)
        for (k = 0; k < ctx.inputs[i].nbytes; k++) {
            seed = seed * 1664525u + 1013904223u;
            /* A float's highest byte: values of about 1. */
            ((uint8_t *)ctx.inputs[i].data)[k] =
                (uint8_t)(ctx.inputs[i].dtype == AOT_DTYPE_FLOAT32 && k % 4u == 3u ? 0x3eu : seed >> 24);
        }
}

int main(void)
{
    uint32_t run;
    int32_t status = aot_model_init(&ctx);
    ctx.debug_callback = aot_debug_print;
    for (run = 0; run < 2u && status == AOT_STATUS_OK; run++) {
        write_inputs(run);
        status = aot_model_run(&ctx);
    }
    return (int)status;
}
#else
int main(void)
{
    return aot_test_case_run(&ctx) == AOT_STATUS_OK ? 0 : 1;
}
#endif
