/* The self-test and the debug build of the sample: x + 1 + sum, where sum starts at 5 and grows by 1 with each run.
 * FAILS: what the test expects is wrong. */
#include "aot_model.h"
#include "aot_test_case.h"

#include <stdio.h>
#include <string.h>

static aot_model_context_t ctx;
static uint32_t calls;

static int32_t look(aot_model_context_t *c, uint32_t op, const aot_tensor_view_t *view, void *user)
{
    static const char *const names[] = {"mid", "out"};
    const uint32_t run = calls / 2u;
    const int8_t first = *(const int8_t *)view->data;
    if (c != &ctx || user != &calls || op != calls % 2u || strcmp(view->name, names[op]) != 0)
        return 100;
    if (view->dtype != AOT_DTYPE_INT8 || view->nbytes != 4 || view->rank != 2)
        return 101;
    if (view->scale != (op ? 0.25f : 0.0f) || view->zero_point != (op ? 4 : 0))
        return 102;
    if (first != (op ? 1 + 1 + 5 + (int8_t)run : 1 + 1))
        return 103;
    calls++;
    return calls == 6u ? 7 : 0;
}

static int debug(void)
{
    static const int8_t in[4] = {1, 2, 3, 4};
    int32_t status = aot_model_init(&ctx);
    uint32_t run;
    ctx.debug_callback = look;
    ctx.callback_user = &calls;
    for (run = 0; run < 3u && status == 0; run++) {
        memcpy(ctx.inputs[0].data, in, sizeof(in));
        status = aot_model_run(&ctx);
    }
    return status == 7 && calls == 6u ? 0 : (int)status + 1; /* what the callback returns stops the run */
}

int main(void)
{
#ifdef FAILS
    const int32_t expected = 1;
#else
    const int32_t expected = AOT_STATUS_OK;
#endif
    return aot_test_case_run(&ctx) == expected ? debug() : 1;
}
