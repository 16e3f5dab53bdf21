/* A module without operators: what comes in goes out. */
#include "aot_model.h"

static aot_model_context_t ctx;

int main(void)
{
    uint32_t done = 0;
    if (aot_model_init(&ctx) != 0)
        return 1;
    ((int8_t *)ctx.inputs[0].data)[3] = 55;
    if (aot_model_run(&ctx) != 0 || ((const int8_t *)ctx.outputs[0].data)[3] != 55)
        return 2;
    if (aot_model_run_steps(&ctx, 0, &done) != 0 || done != 1)
        return 3;
    return aot_state_save(&ctx, NULL, 0) == 0 && aot_state_restore(&ctx, NULL, 0) == 0 && AOT_STATE_SIZE == 0 ? 0 : 4;
}
