/* Runs the module of this example: what comes out is what went in. */
#include <stdio.h>
#include <string.h>

#include "noop_model.h"

int main(void)
{
    static noop_model_context_t ctx;
    int32_t status = noop_model_init(&ctx);
    uint32_t i;
    int8_t *in = (int8_t *)ctx.inputs[0].data;
    for (i = 0; status == 0 && i < NOOP_INPUT_in_COUNT; i++)
        in[i] = (int8_t)(7 * (int)i - 60);
    if (status == 0)
        status = noop_model_run(&ctx);
    for (i = 0; status == 0 && i < NOOP_INPUT_in_COUNT; i++)
        status = ((const int8_t *)ctx.outputs[0].data)[i] == (int8_t)(7 * (int)i - 60) ? 0 : 1000 + (int32_t)i;
    printf(status ? "custom-operator: status %d\n" : "custom-operator: the output is the input\n", (int)status);
    return status != 0;
}
