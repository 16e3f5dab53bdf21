/* Runs the module over several frames: taps 1, 2, 1 with shift 2, against sums made from the inputs themselves. */
#include <stdio.h>

#include "fir_model.h"

enum { FRAMES = 5, CHANNELS = 4 };

static int8_t sample(int frame, int channel)
{
    return frame < 0 ? 0 : (int8_t)(31 * frame - 17 * channel + 3);
}

static int check_frames(fir_model_context_t *ctx)
{
    int f, c;
    for (f = 0; f < FRAMES; f++) {
        for (c = 0; c < CHANNELS; c++)
            ((int8_t *)ctx->inputs[0].data)[c] = sample(f, c);
        if (fir_model_run(ctx) != 0)
            return 1;
        for (c = 0; c < CHANNELS; c++) {
            int sum = sample(f, c) + 2 * sample(f - 1, c) + sample(f - 2, c);
            int expected = sum >= 0 ? sum / 4 : -((3 - sum) / 4);
            if (((const int8_t *)ctx->outputs[0].data)[c] != expected)
                return 1;
        }
    }
    return 0;
}

int main(void)
{
    static fir_model_context_t ctx;
    if (fir_model_init(&ctx) != 0 || check_frames(&ctx) != 0)
        return 1;
    if (fir_state_reset(&ctx) != 0 || check_frames(&ctx) != 0)
        return 2;
    printf("scratch-and-state: the filter keeps and resets its history\n");
    return 0;
}
