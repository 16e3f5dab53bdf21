/* A module whose output is a constant under another shape. */
#include "aot_model.h"

static aot_model_context_t ctx;

int main(void)
{
    if (aot_model_init(&ctx) != 0 || aot_model_run(&ctx) != 0)
        return 1;
    return *(const int8_t *)ctx.outputs[0].data == 1 && AOT_NUM_OPERATORS == 1 ? 0 : 2;
}
