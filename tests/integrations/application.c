/* Runs a module of any build integration on a pattern; prints its outputs. */
#include <stdio.h>
#include <string.h>

#include "aot_model.h"

static aot_model_context_t context;

int main(void)
{
    int32_t status = aot_model_init(&context);
    for (uint32_t i = 0; i < AOT_NUM_INPUTS; i++)
        for (uint32_t k = 0; k < context.inputs[i].nbytes; k++)
            ((uint8_t *)context.inputs[i].data)[k] = (uint8_t)(k * 37u + i);
    if (status == AOT_STATUS_OK)
        status = aot_model_run(&context);
    printf("status %ld", (long)status);
    for (uint32_t i = 0; i < AOT_NUM_OUTPUTS; i++)
        for (uint32_t k = 0; k < context.outputs[i].nbytes; k++)
            printf(" %d", ((const uint8_t *)context.outputs[i].data)[k]);
    printf("\n");
    return status == AOT_STATUS_OK ? 0 : 1;
}
