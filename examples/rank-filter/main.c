/* Runs the module over frames that rise and fall, against the median of three that the inputs themselves give. */
#include <stdio.h>

#include "rank_model.h"
#include "rank_test_case.h"

enum { FRAMES = 6, CHANNELS = 4, ZERO = -3 };

static int sample(int frame, int channel)
{
    return frame < 0 ? ZERO : (frame * 37 + channel * 11) % 50 - 20;
}

static int median(int a, int b, int c)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

static int check_frames(rank_model_context_t *ctx)
{
    int f, c;
    for (f = 0; f < FRAMES; f++) {
        for (c = 0; c < CHANNELS; c++)
            ((int8_t *)ctx->inputs[0].data)[c] = (int8_t)sample(f, c);
        if (rank_model_run(ctx) != 0)
            return 1;
        for (c = 0; c < CHANNELS; c++)
            if (((const int8_t *)ctx->outputs[0].data)[c] != median(sample(f, c), sample(f - 1, c), sample(f - 2, c)))
                return 1;
    }
    return 0;
}

int main(void)
{
    static rank_model_context_t ctx, tested;
    if (rank_model_init(&ctx) != 0 || check_frames(&ctx) != 0)
        return 1;
    if (rank_state_reset(&ctx) != 0 || check_frames(&ctx) != 0)
        return 2;
    if (rank_test_case_run(&tested) != 0) /* the generated test: what the plug-in's eval gives */
        return 3;
    printf("rank-filter: medians of three frames\n");
    return 0;
}
