/* Prints what the module makes of a fixed input. */
#include <stdio.h>

#include "conv_model.h"

int main(void)
{
    static conv_model_context_t ctx;
    int32_t status = conv_model_init(&ctx);
    uint32_t i;
    if (status != 0)
        return 1;
    for (i = 0; i < CONV_INPUT_in_COUNT; i++)
        ((int8_t *)ctx.inputs[0].data)[i] = (int8_t)(37u * i);
    if (conv_model_run(&ctx) != 0)
        return 2;
    for (i = 0; i < ctx.outputs[0].nbytes; i++)
        printf("%d ", ((const int8_t *)ctx.outputs[0].data)[i]);
    printf("\n");
    return 0;
}
