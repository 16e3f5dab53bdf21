/* Runs the module: negative values become zero, others stay. */
#include <stdio.h>

#include "hook_model.h"

int main(void)
{
    static hook_model_context_t ctx;
    int i;
    if (hook_model_init(&ctx) != 0)
        return 1;
    for (i = 0; i < 16; i++)
        ((int8_t *)ctx.inputs[0].data)[i] = (int8_t)(10 * i - 75);
    if (hook_model_run(&ctx) != 0)
        return 2;
    for (i = 0; i < 16; i++)
        if (((const int8_t *)ctx.outputs[0].data)[i] != (10 * i < 75 ? 0 : 10 * i - 75))
            return 3;
    printf("model-hook: legacy-relu became RELU\n");
    return 0;
}
